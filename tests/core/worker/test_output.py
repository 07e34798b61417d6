"""The OUTPUT node: one delivery per request, and a checked receipt."""

from __future__ import annotations

import asyncio
from typing import Any

import attrs
import pytest
from hypothesis import given

from ditto_core import (
    OBSERVE,
    OUTPUT,
    UNSET,
    Artifact,
    ExternalResult,
    InteractionError,
    InvalidInput,
    InvalidReceipt,
    JsonPart,
    Message,
    ObserveInput,
    OutputReceipt,
    OutputRequest,
    Reference,
    Runtime,
    TextPart,
    interaction_worker,
    observe,
)
from ditto_core.contracts.content import enter_content
from tests.support import run
from tests.support.strategies import NOT_JSON, receipts, requests, results

GOOD: Any = {"deliveryId": "d", "message": {"role": "user", "content": "a"}}
REQUEST = OutputRequest(delivery_id="d1", message=Message(role="assistant", content="a"))


class Sink:
    """Answers with what it is told to and keeps what it got."""

    def __init__(self, answer: Any = None) -> None:
        self.answer = answer
        self.got: list[OutputRequest] = []

    async def deliver(self, request: OutputRequest) -> OutputReceipt:
        self.got.append(request)
        if isinstance(self.answer, BaseException):
            raise self.answer
        if callable(self.answer):
            return self.answer()  # type: ignore[no-any-return]
        return self.answer or OutputReceipt(delivery_id=request.delivery_id, status="accepted")  # type: ignore[no-any-return]


def _deliver(sink: Sink, request: Any = REQUEST) -> Any:
    async def scenario() -> Any:
        return await Runtime(workers=[interaction_worker(output=sink)]).invoke(OUTPUT, request)

    return run(scenario())


@given(requests)
@pytest.mark.promise("OUT-02", "OUT-04", "OUT-06", "COMP-10")
def test_a_request_reaches_the_sink_once_and_unchanged(request: OutputRequest) -> None:
    sink = Sink()
    assert _deliver(sink, request).status == "accepted"
    content = enter_content(request.message.content, "")
    assert sink.got == [attrs.evolve(request, message=attrs.evolve(request.message, content=content))]


@given(receipts)
@pytest.mark.promise("OUT-07", "OUT-09")
def test_a_good_receipt_comes_back_unchanged(receipt: OutputReceipt) -> None:
    request = attrs.evolve(REQUEST, delivery_id=receipt.delivery_id)
    assert _deliver(Sink(receipt), request) is receipt


@pytest.mark.promise("OUT-09", "ERR-10")
def test_a_refusal_of_the_sink_is_a_receipt() -> None:
    error = InteractionError(code="DELIVERY_REJECTED", message="The destination rejected the result")
    receipt = _deliver(Sink(OutputReceipt(delivery_id="d1", status="rejected", error=error)))
    assert (receipt.status, receipt.error) == ("rejected", error)


@pytest.mark.parametrize("content", ["", None, False, 0, {}, [1, "a"], [{"type": "text", "text": "a"}]], ids=repr)
@pytest.mark.promise("OUT-02")
def test_every_content_is_delivered(content: Any) -> None:
    sink = Sink()
    _deliver(sink, {"deliveryId": "d1", "message": {"role": "assistant", "content": content}})
    (got,) = sink.got
    assert got.message.content == (content if content != [{"type": "text", "text": "a"}] else (TextPart(text="a"),))


@pytest.mark.parametrize(
    "request_",
    [
        None,
        [],
        {},
        {"deliveryId": "", "message": {"role": "user", "content": "a"}},
        {"deliveryId": "d", "message": None},
        {"deliveryId": "d", "message": {"role": "bot", "content": "a"}},
        {"deliveryId": "d", "message": {"role": "user"}},
        {"deliveryId": "d", "message": {"role": "user", "content": "a", "name": 3}},
        {"deliveryId": "d", "message": {"role": "user", "content": float("inf")}},
        {**GOOD, "artifacts": None},
        {**GOOD, "artifacts": [{}]},
        {**GOOD, "artifacts": [{"name": "", "reference": {"uri": "u"}}]},
        {**GOOD, "artifacts": [{"name": "n", "reference": {"uri": ""}}]},
    ],
    ids=repr,
)
@pytest.mark.promise("OUT-01", "OUT-02", "OUT-03")
def test_a_bad_request_never_reaches_the_sink(request_: Any) -> None:
    sink = Sink()
    with pytest.raises(InvalidInput):
        _deliver(sink, request_)
    assert sink.got == []


@pytest.mark.parametrize("kind", NOT_JSON)
@pytest.mark.promise("D-VAL-07", "D-VAL-11")
@pytest.mark.case("JSON-08", "JSON-03", "JSON-01")
def test_content_that_is_no_json_never_reaches_the_sink(kind: str) -> None:
    sink = Sink()
    for content in ({"x": NOT_JSON[kind]}, (JsonPart(data=[NOT_JSON[kind]]),)):
        request = OutputRequest(delivery_id="d1", message=Message(role="user", content=content))
        with pytest.raises(InvalidInput, match="delivery 'd1'"):
            _deliver(sink, request)
    assert sink.got == []


@pytest.mark.parametrize(
    "answer",
    [
        OutputReceipt(delivery_id="other", status="accepted"),
        lambda: None,
        lambda: {"deliveryId": "d1", "status": "accepted"},
        lambda: OutputReceipt(delivery_id="", status="accepted"),
        lambda: OutputReceipt(delivery_id="d1", status="ok"),  # type: ignore[arg-type]
        lambda: OutputReceipt(delivery_id="d1", status="rejected"),
        lambda: OutputReceipt(delivery_id="d1", status="unknown"),
        lambda: OutputReceipt(delivery_id="d1", status="accepted", metadata={"x": float("nan")}),
        lambda: OutputReceipt(delivery_id="d1", status="accepted", metadata=[]),  # type: ignore[arg-type]
        lambda: OutputReceipt(
            delivery_id="d1", status="accepted", artifacts=(Artifact(name="", reference=Reference(uri="u")),)
        ),
        lambda: OutputReceipt(
            delivery_id="d1", status="accepted", error=InteractionError(code="A", message="Bearer abcdefgh12345")
        ),
    ],
)
@pytest.mark.promise("OUT-07", "OUT-08", "OUT-06", "ERR-09", "D-VAL-14", "D-ERR-03")
@pytest.mark.case("SINK-06", "SINK-07")
def test_a_bad_receipt_raises_after_one_delivery_and_does_not_say_that_nothing_happened(answer: Any) -> None:
    sink = Sink(answer)
    with pytest.raises(InvalidReceipt, match=r"delivery 'd1'.*The delivery may have happened"):
        _deliver(sink)
    assert len(sink.got) == 1


@pytest.mark.parametrize("kind", NOT_JSON)
@pytest.mark.case("JSON-08")
def test_metadata_of_a_receipt_is_json(kind: str) -> None:
    with pytest.raises(InvalidReceipt, match="metadata"):
        _deliver(Sink(OutputReceipt(delivery_id="d1", status="accepted", metadata={"x": NOT_JSON[kind]})))


@pytest.mark.parametrize("error", [RuntimeError("down"), TimeoutError("slow"), asyncio.CancelledError()], ids=repr)
@pytest.mark.promise("OUT-06")
@pytest.mark.case("SINK-06", "SINK-07", "ASYNC-01")
def test_what_a_sink_raises_is_neither_a_receipt_nor_a_reason_to_try_again(error: BaseException) -> None:
    sink = Sink(error)
    with pytest.raises(type(error)):
        _deliver(sink)
    assert len(sink.got) == 1


@pytest.mark.promise("OUT-05")
@pytest.mark.case("SINK-07")
def test_two_requests_are_two_deliveries() -> None:
    async def scenario() -> None:
        sink = Sink()
        runtime = Runtime(workers=[interaction_worker(output=sink)])
        await runtime.invoke(OUTPUT, REQUEST)
        await runtime.invoke(OUTPUT, REQUEST)
        assert sink.got == [REQUEST, REQUEST]

    run(scenario())


@pytest.mark.case("SINK-07", "ASYNC-01")
def test_a_cancelled_delivery_is_cancelled_and_not_sent_again() -> None:
    async def scenario() -> None:
        begun = asyncio.Event()

        class Slow(Sink):
            async def deliver(self, request: OutputRequest) -> OutputReceipt:
                self.got.append(request)
                begun.set()
                await asyncio.Event().wait()
                raise AssertionError

        sink = Slow()
        call = asyncio.create_task(Runtime(workers=[interaction_worker(output=sink)]).invoke(OUTPUT, REQUEST))
        await begun.wait()
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        assert len(sink.got) == 1

    run(scenario())


@given(results)
@pytest.mark.promise("OBS-01", "COMP-10")
def test_the_observe_node_gives_what_the_function_gives(result: ExternalResult) -> None:
    async def scenario() -> None:
        runtime = Runtime(workers=[interaction_worker()])
        input = ObserveInput(result=result)
        assert await runtime.invoke(OBSERVE, input) == observe(input)

    run(scenario())


@pytest.mark.parametrize("kind", NOT_JSON)
@pytest.mark.case("JSON-08")
def test_the_observe_node_refuses_what_is_no_json(kind: str) -> None:
    async def scenario() -> None:
        result = ExternalResult(call_id="c1", source="a", status="success", structured_content={"x": NOT_JSON[kind]})
        with pytest.raises(InvalidInput, match="call 'c1'"):
            await Runtime(workers=[interaction_worker()]).invoke(OBSERVE, ObserveInput(result=result))

    run(scenario())


def test_an_absent_name_stays_absent() -> None:
    sink = Sink()
    _deliver(sink, {"deliveryId": "d1", "message": {"role": "assistant", "content": [{"type": "json", "data": 1}]}})
    assert sink.got[0].message.name is UNSET
