"""Every way in which a run ends: as data, with what is answered, what is not, and what is in doubt."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from ditto_agent import AgentLimits, AgentResult, Transcript, run_agent, tool_actions
from ditto_core import (
    ACT_MCP,
    ACT_TOOL,
    OBSERVE,
    UNSET,
    ExternalResult,
    InteractionError,
    InvalidInput,
    InvalidValue,
    McpDiscovered,
    Runtime,
    ToolContext,
    ToolInput,
    ToolOutcome,
    Worker,
    interaction_nodes,
)
from ditto_infer import SAMPLE, Action, Generation, McpTarget, SampleFailed, SampleResult, ToolTarget
from tests.plugins.agent.acting import Stage, stage
from tests.support import run
from tests.support.models import asks, question, says, scripted

TEA = {"item": "tea"}
TURN = asks(("a", "stock", TEA))
TWO = asks(("a", "stock", TEA), ("b", "stock", TEA))


def ended(*script: Any, answer: Any = None, **limits: Any) -> tuple[AgentResult, Stage]:
    async def main() -> tuple[AgentResult, Stage]:
        async with stage(*script, answer=answer) as on:
            input = question(actions=tool_actions(on.runtime))
            return await run_agent(on.runtime, input, limits=AgentLimits(**limits)), on

    return run(main())


def ids(result: AgentResult) -> list[str]:
    return [request.id for request in result.action_requests]


def outcome(status: Any) -> ToolOutcome:
    return ToolOutcome(status=status, error=InteractionError(code="LOST", message="Nobody knows."))


def test_a_turn_is_kept_for_reading_results_before_anything_runs() -> None:
    result, on = ended(TURN, TURN, max_steps=1)
    assert (result.status, result.stop_reason, ids(result), on.calls) == ("partial", "max_steps", ["a"], [])
    result, on = ended(TURN, asks(("b", "stock", TEA)), max_steps=2)
    assert (result.stop_reason, ids(result), len(on.calls)) == ("max_steps", ["b"], 1)


def test_more_requests_than_may_run_do_not_run_at_all() -> None:
    result, on = ended(TWO, max_action_calls=1)
    assert (result.stop_reason, ids(result), on.calls) == ("max_action_calls", ["a", "b"], [])
    result, on = ended(TURN, max_action_calls=0)
    assert (result.stop_reason, on.calls) == ("max_action_calls", [])


def test_tokens_that_are_used_up_end_a_run_before_it_acts() -> None:
    result, on = ended(TURN, max_total_tokens=10)
    assert (result.stop_reason, ids(result), on.calls) == ("max_tokens", ["a"], [])
    result, on = ended(TURN, says("done"), max_total_tokens=20)
    assert result.stop_reason == "completed"
    assert [asked.generation for asked in on.model.asked] == [Generation(max_tokens=20), Generation(max_tokens=10)]


def test_tokens_that_are_limited_must_be_counted() -> None:
    result, on = ended(asks(("a", "stock", TEA), tokens=None), max_total_tokens=100)
    assert result.error
    assert (result.stop_reason, result.error.code, on.calls) == ("error", "USAGE_UNAVAILABLE", [])


def test_an_answer_that_was_cut_is_told_as_such() -> None:
    result, _ = ended(says("The answ", finish="length"))
    assert result.message
    assert (result.status, result.stop_reason, result.message.content) == ("partial", "max_tokens", "The answ")


@pytest.mark.parametrize(
    ("failure", "reason"),
    [
        (SampleFailed("PROVIDER_HTTP_ERROR", "The endpoint answered with the status 503."), "error"),
        (SampleFailed("TIMEOUT", "There was no answer.", status="timeout"), "timeout"),
        (SampleFailed("CANCELLED", "It was cancelled.", status="cancelled"), "cancelled"),
    ],
)
def test_a_sample_that_fails_ends_the_run_with_its_error(failure: SampleFailed, reason: str) -> None:
    result, _ = ended(failure)
    assert (result.status, result.stop_reason, result.error) == ("failed", reason, failure.error)
    result, on = ended(TURN, failure)
    assert (result.status, result.stop_reason, result.error) == ("partial", reason, failure.error)
    assert (len(on.calls), len(result.observations), ids(result)) == (1, 1, [])


def test_a_model_that_raises_ends_the_run_without_its_words() -> None:
    result, _ = ended(RuntimeError("sk-secret in /home/me"))
    assert result.error
    assert (result.stop_reason, result.error.code) == ("error", "EXECUTION_FAILED")
    assert result.error.message == "The model could not be asked (RuntimeError)."


@pytest.mark.parametrize(
    ("second", "code"),
    [
        (asks(("c", "rob_bank", {})), "UNDECLARED_ACTION"),
        (asks(("c", "stock", TEA), ("d", "rob_bank", {})), "UNDECLARED_ACTION"),
        (asks(("a", "stock", TEA)), "INVALID_MODEL_OUTPUT"),
        (asks(("c", "stock", TEA), ("b", "stock", TEA)), "INVALID_MODEL_OUTPUT"),
    ],
)
def test_an_undeclared_action_and_an_id_used_again_end_the_run_before_the_turn_runs(second: Any, code: str) -> None:
    result, on = ended(TWO, second)
    assert result.error
    assert (result.status, result.stop_reason, result.error.code) == ("partial", "error", code)
    assert [id for id, _ in on.calls] == ["a", "b"]


@pytest.mark.parametrize("status", ["timeout", "unknown", "cancelled"])
def test_an_action_whose_end_is_uncertain_ends_the_run_and_is_kept(status: str) -> None:
    result, on = ended(TWO, answer=outcome(status))
    assert result.error
    assert (result.status, result.stop_reason, result.error.code) == ("partial", "dependency_failed", "LOST")
    assert ([one.status for one in result.observations], ids(result), len(on.calls)) == ([status], ["b"], 1)


def test_an_action_that_raises_is_in_doubt_and_nothing_is_invented_for_it() -> None:
    result, on = ended(TWO, answer=ValueError("secret"))
    assert result.error
    assert (result.stop_reason, result.error.code) == ("dependency_failed", "ACTION_FAILED")
    assert "secret" not in repr(result)
    assert (ids(result), result.in_doubt, result.observations, len(on.calls)) == (["a", "b"], "a", (), 1)


def test_an_action_that_nobody_offers_is_refused() -> None:
    async def main() -> AgentResult:
        async with stage(asks(("a", "gone", {}))) as on:
            gone = Action(name="gone", input_schema={})
            return await run_agent(on.runtime, question(actions=(gone,)))

    result = run(main())
    assert result.error
    assert (result.stop_reason, result.error.code, ids(result)) == ("dependency_failed", "ACTION_REFUSED", ["a"])
    assert result.in_doubt == "a"


async def for_ever(context: ToolContext) -> ToolOutcome:
    await asyncio.Event().wait()
    return ToolOutcome(content="never")


def test_the_deadline_is_for_the_run_as_a_whole() -> None:
    result, on = ended(TWO, answer=for_ever, timeout=0.05)
    assert result.error
    assert (result.status, result.stop_reason, result.error.code) == ("partial", "timeout", "TIMEOUT")
    assert (ids(result), result.in_doubt, len(on.calls)) == (["a", "b"], "a", 1)


@pytest.mark.promise("RUN-05")
@pytest.mark.parametrize("at_work", ["model", "tool"])
def test_cancelling_reaches_the_work_at_hand_and_leaves_the_transcript(at_work: str) -> None:
    async def main() -> None:
        begun, cancelled = asyncio.Event(), []

        async def work(*_: Any) -> Any:
            begun.set()
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                cancelled.append(at_work)
                raise

        async with stage(TURN, answer=work) as on:
            if at_work == "model":
                on.model.sample = work  # type: ignore[method-assign]
            transcript = Transcript()
            going = asyncio.ensure_future(
                run_agent(on.runtime, question(actions=tool_actions(on.runtime)), into=transcript)
            )
            await begun.wait()
            going.cancel()
            with pytest.raises(asyncio.CancelledError):
                await going
            assert cancelled == [at_work]
            assert (transcript.steps, transcript.in_doubt) == (1, "a" if at_work == "tool" else UNSET)
            with pytest.raises(InvalidInput, match=r"into must be an empty Transcript"):
                await run_agent(on.runtime, question(), into=transcript)

    run(main())


@pytest.mark.parametrize(
    "limits",
    [
        {"max_steps": 0}, {"max_steps": True}, {"max_action_calls": -1}, {"max_total_tokens": 0}, {"timeout": 0},
        {"timeout": float("nan")}, {"timeout": "1"}, {"timeout": 2**31},
    ],
)  # fmt: skip
def test_limits_that_make_no_sense_are_refused(limits: dict[str, Any]) -> None:
    with pytest.raises(InvalidValue, match=r"^AgentLimits\."):
        AgentLimits(**limits)


@pytest.mark.parametrize("server", [False, True])
def test_the_result_of_another_call_ends_the_run(*, server: bool) -> None:
    async def other_tool(input: ToolInput, context: ToolContext) -> ExternalResult:
        return ExternalResult(call_id="z", source="stock", status="success", content="3")

    async def other_mcp(input: Any, context: ToolContext) -> McpDiscovered:
        return McpDiscovered(capabilities=())

    async def main() -> AgentResult:
        _, infer = scripted(TURN)
        nodes = [one for one in interaction_nodes() if one.node.type != ACT_TOOL.type]
        nodes += [ACT_TOOL.define("INTERACTION", other_tool), ACT_MCP.define("INTERACTION", other_mcp)]
        target = McpTarget(server="files", tool_name="stock") if server else ToolTarget()
        action = Action(name="stock", input_schema={}, target=target)
        async with Runtime(workers=[infer, Worker("INTERACTION", nodes)]) as runtime:
            return await run_agent(runtime, question(actions=(action,)))

    result = run(main())
    assert result.error
    code = "ACTION_REFUSED" if server else "DEPENDENCY_FAILED"
    assert (result.stop_reason, result.error.code, result.in_doubt) == ("dependency_failed", code, "a")


def test_a_worker_that_answers_with_something_else_ends_the_run() -> None:
    async def sample(input: Any, context: ToolContext) -> Any:
        return {"status": "success"}

    async def main() -> AgentResult:
        async with Runtime(workers=[Worker("INFER", [SAMPLE.define("INFER", sample)])]) as runtime:
            return await run_agent(runtime, question())

    result = run(main())
    assert result.error
    assert (result.status, result.stop_reason, result.error.code) == ("failed", "error", "INVALID_MODEL_OUTPUT")


def test_a_refusal_that_cannot_be_observed_ends_the_run() -> None:
    async def closed(input: Any, context: ToolContext) -> Any:
        raise TimeoutError

    async def main() -> AgentResult:
        _, infer = scripted(asks(("a", "stock", {})))
        worker = Worker("INTERACTION", [OBSERVE.define("INTERACTION", closed)])
        action = Action(name="stock", input_schema={"type": "object", "required": ["item"]})
        async with Runtime(workers=[infer, worker]) as runtime:
            return await run_agent(runtime, question(actions=(action,)))

    result = run(main())
    assert result.error
    assert (result.stop_reason, result.error.code, result.in_doubt) == ("dependency_failed", "ACTION_FAILED", UNSET)


def test_the_loop_itself_sees_what_a_worker_of_somebody_elses_lets_through() -> None:
    async def sample(input: Any, context: ToolContext) -> SampleResult:
        output = asks(("a", "stock", TEA), ("b", "rob_bank", {}))
        return SampleResult(execution_id="1", node=SAMPLE.type, status="success", output=output)

    async def main() -> AgentResult:
        action = Action(name="stock", input_schema={})
        async with Runtime(workers=[Worker("INFER", [SAMPLE.define("INFER", sample)])]) as runtime:
            return await run_agent(runtime, question(actions=(action,)))

    result = run(main())
    assert result.error
    assert (result.stop_reason, result.error.code, ids(result)) == ("error", "UNDECLARED_ACTION", ["a", "b"])
    assert (result.in_doubt, result.action_calls) == (UNSET, 0)
