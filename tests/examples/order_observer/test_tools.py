"""The tools that call the service: what they take, what they ask for, and what they send."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import attrs
import pytest

from ditto_core import (
    ACT_TOOL,
    ExternalResult,
    InvalidArguments,
    PermissionDenied,
    PluginHost,
    Runtime,
    Sandbox,
    ToolCall,
    ToolInput,
    interaction_worker,
)
from order_observer import ResultTools
from order_observer.service import Orders, OrderService
from order_observer.service.answers import Answer, Answers
from tests.examples.order_observer.values import REQUEST
from tests.support import run


class Heard(Answers):
    """Answers as ever, and keeps what was asked."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        object.__setattr__(self, "heard", [])

    def answer(self, method: str, path: str, order_id: str, headers: Mapping[str, str]) -> Answer:
        self.heard.append((method, path, headers))  # type: ignore[attr-defined]
        return super().answer(method, path, order_id, headers)


@attrs.frozen(eq=False)
class Surroundings:
    """A service, its client's tools, and everything permitted."""

    answers: Any
    tools: ResultTools
    service: OrderService
    sandbox: Sandbox

    def call(self, name: str, arguments: dict[str, Any], sandbox: Sandbox | None = None) -> ExternalResult:
        async def main() -> ExternalResult:
            host = PluginHost()
            host.register(self.tools)
            worker = interaction_worker(tools=host.tools)
            async with host, Runtime(workers=[worker], sandbox=sandbox or self.sandbox) as runtime:
                call = ToolCall(id="task-1:round-0", name=name, arguments=arguments)
                return await runtime.invoke(ACT_TOOL, ToolInput(call=call))

        return run(main(), timeout=30)


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Surroundings]:
    with OrderService(delay=20) as service:
        request = attrs.evolve(REQUEST, origin=service.origin)
        orders = Orders(tmp_path / "remote.sqlite")
        orders.create(request.id, request.tenant, quantity=3, unit_cents=249, completed=True)
        answers = Heard(request, orders)
        service.start(answers)
        tools = ResultTools(directory=tmp_path, request=request, deadline=20)
        yield Surroundings(
            answers, tools, service, Sandbox(tmp_path, tools=["*"], network=[service.origin], write=True)
        )


def test_a_read_is_sent_without_the_key_of_the_retry(here: Surroundings) -> None:
    result = here.call("result_read", {"round": 0})
    assert (result.status, result.metadata) == ("success", {"format": "application/json"})
    ((method, path, headers),) = here.answers.heard
    assert (method, path, headers["x-tenant"]) == ("GET", "/result", "team-a")
    assert "idempotency-key" not in headers
    assert headers["accept-encoding"] == "identity"


def test_a_retry_is_sent_with_it(here: Surroundings) -> None:
    here.tools.store.prepare()
    here.tools.store.commit(0, tool="result_read", evidence=1, decision={}, state="waiting_retry")
    assert here.call("result_retry", {"round": 1}).status == "success"
    ((method, path, headers),) = here.answers.heard
    assert (method, path, headers["idempotency-key"]) == ("POST", "/retry", "task-1:retry")


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("result_read", {}),
        ("result_read", {"round": 1}),
        ("result_read", {"round": False}),
        ("result_read", {"round": 0.0}),
        ("result_read", {"round": "0"}),
        ("result_read", {"round": 0, "url": "http://a.example"}),
        ("result_retry", {"round": 0}),
        ("result_retry", {"round": True}),
        ("result_status", {"round": 2}),
        ("result_commit", {"round": 0, "result": {}}),
        ("result_commit", {"round": 0, "result": [], "decision": {}}),
        ("result_commit", {"round": True, "result": {}, "decision": {}}),
        ("result_commit", {"round": 2, "result": {}, "decision": {}}),
        ("result_publish", {"report": "completed"}),
        ("result_publish", {"report": {}, "file": "elsewhere.json"}),
    ],
)
def test_arguments_of_another_form_reach_nothing(name: str, arguments: dict[str, Any], here: Surroundings) -> None:
    with pytest.raises(InvalidArguments):
        here.call(name, arguments)
    assert here.answers.heard == []


def test_nothing_is_sent_and_nothing_written_without_permission(here: Surroundings) -> None:
    for name, arguments in (("result_read", {"round": 0}), ("result_publish", {"report": {}})):
        with pytest.raises(PermissionDenied):
            here.call(name, arguments, Sandbox(here.tools.directory, tools=["*"]))
    assert here.answers.heard == []


def test_an_answer_that_is_late_is_a_timeout_and_not_a_failure(here: Surroundings) -> None:
    hasty = attrs.evolve(here, tools=attrs.evolve(here.tools, deadline=0.05))
    here.service.next_answers.append(Answer(held=True))
    result = hasty.call("result_read", {"round": 0})
    assert result.error
    assert (result.status, result.error.code, result.error.retryable) == ("timeout", "REQUEST_TIMEOUT", False)


def test_cancelling_a_request_is_no_result(here: Surroundings) -> None:
    here.service.next_answers.append(Answer(held=True))

    async def main() -> None:
        host = PluginHost()
        host.register(here.tools)
        worker = interaction_worker(tools=host.tools)
        async with host, Runtime(workers=[worker], sandbox=here.sandbox) as runtime:
            call = ToolCall(id="c", name="result_read", arguments={"round": 0})
            work = asyncio.ensure_future(runtime.invoke(ACT_TOOL, ToolInput(call=call)))
            while not here.answers.heard:  # noqa: ASYNC110
                await asyncio.sleep(0)
            work.cancel()
            with pytest.raises(asyncio.CancelledError):
                await work

    run(main(), timeout=30)


@pytest.mark.parametrize(
    "limits",
    [
        {"deadline": 0},
        {"deadline": 61},
        {"deadline": "1"},
        {"deadline": float("nan")},
        {"max_body_bytes": 0},
        {"max_body_bytes": 1.5},
        {"max_body_bytes": 1_048_577},
        {"busy_timeout": -1},
    ],
)
def test_limits_have_limits(limits: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises((ValueError, TypeError)):
        ResultTools(directory=tmp_path, request=REQUEST, **limits)


# The service, for what no tool of the task's would ask.


OWN = {"x-tenant": "team-a"}


@pytest.mark.parametrize(
    ("asked", "headers", "status"),
    [
        ("GET /result ORD-1", {"x-tenant": "team-b"}, 404),
        ("GET /result ORD-1", {}, 404),
        ("GET /result ORD-2", OWN, 404),
        ("GET /retry ORD-1", OWN, 404),
        ("POST /result ORD-1", OWN, 404),
        ("GET /other ORD-1", OWN, 404),
        ("POST /retry ORD-1", OWN, 403),
        ("POST /retry ORD-1", {**OWN, "idempotency-key": "other:retry"}, 403),
    ],
)
def test_the_service_answers_nobody_else(asked: str, headers: dict[str, str], status: int, here: Surroundings) -> None:
    method, path, order_id = asked.split()
    assert here.answers.answer(method, path, order_id, headers).status == status
    is_logged = headers.get("x-tenant") == "team-a" and order_id == "ORD-1"
    assert bool(here.answers.orders.requests()) == is_logged
    assert here.answers.orders.order().retries == 0


def test_a_retry_has_its_effect_once(here: Surroundings) -> None:
    headers = {"x-tenant": "team-a", "idempotency-key": "task-1:retry"}
    bodies = {here.answers.answer("POST", "/retry", "ORD-1", headers).body for _ in range(3)}
    assert (len(bodies), here.answers.orders.order().retries) == (1, 1)
