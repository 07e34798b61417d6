"""The worker that offers the node: which provider answers, what is checked on both ways, and how each end is told."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from ditto_core import (
    InvalidInput,
    InvalidName,
    InvalidResult,
    InvalidValue,
    PermissionDenied,
    Runtime,
    Sandbox,
    from_wire,
    to_wire,
)
from ditto_infer import (
    SAMPLE,
    ModelChoice,
    ModelMessage,
    Sample,
    SampleFailed,
    SampleInput,
    SampleResult,
    infer_worker,
)
from tests.support import run
from tests.support.models import STOCK, Scripted, asks, question, says


def sampled(input: Any, *providers: Scripted, **options: Any) -> SampleResult:
    async def main() -> SampleResult:
        named = {f"p{number}": provider for number, provider in enumerate(providers)}
        async with Runtime(workers=[infer_worker(named, **options)]) as runtime:
            return await runtime.invoke(SAMPLE, input)

    return run(main())


def code_of(result: SampleResult) -> tuple[str, str]:
    assert result.error
    return result.status, result.error.code


def test_a_sample_is_a_node_result_with_an_execution_of_its_own() -> None:
    first, second = (sampled(question(), Scripted(says("Yes."))) for _ in range(2))
    assert first.execution_id != second.execution_id
    assert (first.node, first.status, first.output) == ("INFER.REASONING.SAMPLE", "success", says("Yes."))


def test_the_node_takes_and_gives_json_as_well() -> None:
    input = question(actions=(STOCK,))
    result = sampled(to_wire(input), Scripted(asks(("a", "stock", {"item": "tea"}))))
    assert from_wire(SampleResult, to_wire(result)) == result
    assert from_wire(SampleInput, to_wire(input)) == input


def test_a_request_goes_to_the_provider_it_names_else_to_the_default_else_to_the_only_one() -> None:
    named = question(model=ModelChoice(model="m", provider="p1"))
    two = Scripted(says("0")), Scripted(says("1"))
    assert sampled(named, *two).output == says("1")
    assert sampled(question(), *two, default="p0").output == says("0")
    assert code_of(sampled(question(), *two)) == ("failed", "PROVIDER_NOT_FOUND")
    other = question(model=ModelChoice(model="m", provider="p7"))
    assert code_of(sampled(other, *two, default="p0")) == ("failed", "PROVIDER_NOT_FOUND")


def test_no_provider_and_an_unknown_default_are_refused() -> None:
    with pytest.raises(InvalidName, match=r"there is no provider"):
        infer_worker({})
    with pytest.raises(InvalidName, match=r"the default 'b' is no provider"):
        infer_worker({"a": Scripted()}, default="b")
    with pytest.raises(InvalidName, match=r"nonempty string"):
        infer_worker({"": Scripted()})
    with pytest.raises(InvalidValue, match=r"has no sample\(\)"):
        infer_worker({"a": object()})  # type: ignore[dict-item]
    for timeout in (0, -1, float("nan"), 2**31, "1", True):
        with pytest.raises(InvalidValue, match=r"timeout"):
            infer_worker({"a": Scripted()}, timeout=timeout)  # type: ignore[arg-type]


def test_what_constructors_do_not_look_into_is_refused_before_the_provider_is_asked() -> None:
    provider = Scripted()
    bad = ModelMessage(role="user", content=[{"text": float("nan")}])
    input = SampleInput(messages=(bad,), model=ModelChoice(model="m"))
    assert code_of(sampled(input, provider)) == ("failed", "INVALID_INPUT")
    assert provider.asked == []


def test_the_permission_is_asked_by_origin() -> None:
    class Remote(Scripted):
        origin: str | None = "https://api.example.com"

    async def main() -> None:
        provider = Remote(says("Yes."))
        worker = infer_worker({"remote": provider})
        async with Runtime(workers=[worker], sandbox=Sandbox(network=["https://other.example.com"])) as runtime:
            with pytest.raises(PermissionDenied, match=r"network"):
                await runtime.invoke(SAMPLE, question())
        assert provider.asked == []
        async with Runtime(workers=[worker], sandbox=Sandbox(network=["https://api.example.com"])) as runtime:
            assert (await runtime.invoke(SAMPLE, question())).status == "success"

    run(main())


def test_a_provider_keeps_the_rules_whoever_wrote_it() -> None:
    undeclared = asks(("a", "rob_bank", {}))
    assert code_of(sampled(question(actions=(STOCK,)), Scripted(undeclared))) == ("failed", "UNDECLARED_ACTION")
    assert code_of(sampled(question(), Scripted(asks(("a", "stock", {}))))) == ("failed", "UNDECLARED_ACTION")
    odd = asks(("a", "stock", {"item": {1, 2}}))
    assert code_of(sampled(question(actions=(STOCK,)), Scripted(odd))) == ("failed", "INVALID_MODEL_OUTPUT")
    assert code_of(sampled(question(), Scripted(says("", finish="error")))) == ("failed", "MODEL_ERROR")
    assert code_of(sampled(question(), Scripted(says("", finish="cancelled")))) == ("cancelled", "CANCELLED")
    assert sampled(question(), Scripted(says("cut", finish="length"))).status == "success"
    with pytest.raises(InvalidResult, match=r"must return a Sample, not a str"):
        sampled(question(), Scripted(lambda _: "text"))


def test_what_a_provider_raises_is_a_result_only_if_it_means_it() -> None:
    failed = SampleFailed("PROVIDER_HTTP_ERROR", "The status is 503.", retryable=True)
    result = sampled(question(), Scripted(failed))
    assert (result.status, result.error) == ("failed", failed.error)
    for error in (TimeoutError("mine"), ValueError("a bug")):
        with pytest.raises(type(error)) as raised:
            sampled(question(), Scripted(error))
        assert raised.value is error
    with pytest.raises(InvalidValue):
        SampleFailed("PROVIDER_HTTP_ERROR", "token sk-0123456789abcdefghijklmnop in /home/me/key")


def test_the_deadline_is_a_result_and_a_cancellation_is_not() -> None:
    class Slow(Scripted):
        async def sample(self, request: SampleInput) -> Sample:
            self.asked.append(request)
            await asyncio.Event().wait()
            return says("never")

    assert code_of(sampled(question(), Slow(), timeout=0.02)) == ("timeout", "TIMEOUT")

    async def main() -> None:
        provider = Slow()
        async with Runtime(workers=[infer_worker({"slow": provider})]) as runtime:
            asking = asyncio.ensure_future(runtime.invoke(SAMPLE, question()))
            while not provider.asked:  # noqa: ASYNC110 - the provider has no event for this
                await asyncio.sleep(0)
            asking.cancel()
            with pytest.raises(asyncio.CancelledError):
                await asking

    run(main())


def test_input_of_another_shape_is_refused_as_any_nodes() -> None:
    with pytest.raises(InvalidInput, match=r"SampleInput.messages: must hold at least one message"):
        sampled({"messages": [], "model": {"model": "m"}}, Scripted())
