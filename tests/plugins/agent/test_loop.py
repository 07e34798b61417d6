"""A run that ends well: what is offered, what runs, what the model is shown, and what the result has."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ditto_agent import AgentLimits, mcp_actions, run_agent, tool_actions
from ditto_core import (
    UNSET,
    InteractionError,
    InvalidInput,
    InvalidName,
    InvalidSchema,
    Sandbox,
    ToolCall,
    ToolOutcome,
    to_wire,
)
from ditto_infer import Action, McpTarget, SampleInput, ToolTarget, Usage
from tests.plugins.agent.acting import ITEM, stage
from tests.support import run
from tests.support.models import asks, question, says


def test_tools_and_servers_are_offered_together_and_each_answer_has_its_id() -> None:
    async def main() -> None:
        turn = asks(("a", "stock", {"item": "tea"}), ("b", "files_read_text", {"path": "README.md"}), text="I look.")
        async with stage(turn, says("There are 3.")) as on:
            actions = (*tool_actions(on.runtime), *await mcp_actions(on.runtime, "files", prefix="files_"))
            assert [(action.name, action.target) for action in actions] == [
                ("stock", ToolTarget()),
                ("files_read_text", McpTarget(server="files", tool_name="read_text")),
            ]
            result = await run_agent(on.runtime, question("How much tea?", actions=actions))
        assert (result.status, result.stop_reason, result.error) == ("completed", "completed", UNSET)
        assert result.message
        assert result.message.content == "There are 3."
        assert (on.calls, on.files.calls) == ([("a", {"item": "tea"})], [("read_text", {"path": "README.md"})])
        assert [(one.call_id, one.source) for one in result.observations] == [("a", "stock"), ("b", "files:read_text")]
        assert (result.steps, result.action_calls, result.action_requests) == (2, 2, ())
        assert result.usage == Usage(total_tokens=20)
        told = [to_wire(message) for message in on.model.asked[1].messages]
        assert told[1:] == [
            {
                "role": "assistant",
                "content": "I look.",
                "metadata": {
                    "actionRequests": [
                        {"id": "a", "name": "stock", "arguments": {"item": "tea"}},
                        {"id": "b", "name": "files_read_text", "arguments": {"path": "README.md"}},
                    ]
                },
            },
            {"role": "tool", "content": "3", "metadata": {"actionRequestId": "a", "name": "stock"}},
            {"role": "tool", "content": "hello", "metadata": {"actionRequestId": "b", "name": "files_read_text"}},
        ]
        assert [to_wire(message) for message in result.messages[:-1]] == told

    run(main())


def test_an_answer_without_actions_is_a_run_too() -> None:
    async def main() -> None:
        async with stage(says("Hello.")) as on:
            result = await run_agent(on.runtime, question())
        assert (result.status, result.steps, result.action_calls, len(result.messages)) == ("completed", 1, 0, 2)

    run(main())


def test_a_failure_is_shown_to_the_model_and_the_run_goes_on() -> None:
    async def main() -> None:
        failed = ToolOutcome(status="failed", error=InteractionError(code="SOLD_OUT", message="There is none left."))
        async with stage(asks(("a", "stock", {"item": "tea"})), says("None."), answer=failed) as on:
            result = await run_agent(on.runtime, question(actions=tool_actions(on.runtime)))
        assert result.status == "completed"
        assert on.model.asked[1].messages[-1].content == "failed: SOLD_OUT: There is none left."

    run(main())


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ({}, "required"),
        ({"item": 1}, "type"),
        ({"item": ""}, "minLength"),
        ({"item": "tea", "to": "me"}, "additionalProperties"),
        ({"item": "secret"}, "not for sale"),
    ],
)
def test_refused_arguments_are_answered_and_do_not_run(arguments: dict[str, Any], word: str) -> None:
    async def main() -> None:
        turn = asks(("a", "stock", arguments), ("b", "stock", {"item": "tea"}))
        async with stage(turn, says("Sorry.")) as on:
            result = await run_agent(on.runtime, question(actions=tool_actions(on.runtime)))
        assert (result.status, result.action_calls) == ("completed", 2)
        assert on.calls == [("b", {"item": "tea"})]
        answer = result.messages[2]
        assert answer.metadata == {"actionRequestId": "a", "name": "stock"}
        assert type(answer.content) is str
        assert answer.content.startswith("failed: INVALID_ARGUMENTS: ")
        assert word in answer.content

    run(main())


def test_a_target_leads_where_the_application_says_and_not_the_model() -> None:
    async def main() -> None:
        action = Action(name="count", input_schema=ITEM, target=ToolTarget(tool_name="stock"))
        async with stage(asks(("a", "count", {"item": "tea"})), says("3")) as on:
            result = await run_agent(on.runtime, question(actions=(action,)))
        assert (result.status, on.calls) == ("completed", [("a", {"item": "tea"})])
        assert [one.source for one in result.observations] == ["stock"]

    run(main())


def test_a_narrower_sandbox_holds_for_all_of_a_run() -> None:
    async def main() -> None:
        async with stage(asks(("a", "stock", {"item": "tea"}))) as on:
            narrow = on.runtime.services.sandbox.narrow(tools=["other"])
            result = await run_agent(
                on.runtime, question(actions=tool_actions(on.runtime)), sandbox=narrow, name="per-tenant"
            )
        assert result.error
        assert (result.stop_reason, result.error.code, on.calls) == ("dependency_failed", "PERMISSION_DENIED", [])

    run(main())


def test_runs_at_once_keep_their_histories_apart() -> None:
    async def main() -> None:
        async def one(number: int) -> list[Any]:
            turn = asks(("a", "stock", {"item": str(number)}))
            async with stage(turn, says(str(number))) as on:
                await run_agent(on.runtime, question(str(number), actions=tool_actions(on.runtime)))
            return [message.content for message in on.model.asked[1].messages]

        found = await asyncio.gather(*(one(number) for number in range(5)))
        assert found == [[str(number), "", "3"] for number in range(5)]

    run(main())


@given(items=st.lists(st.text(min_size=1, max_size=5).filter(lambda item: item != "secret"), max_size=5))
def test_every_request_is_run_once_and_answered_once_in_its_order(items: list[str]) -> None:
    async def main() -> None:
        turns = [asks((f"call-{number}", "stock", {"item": item})) for number, item in enumerate(items)]
        async with stage(*turns, says("done")) as on:
            result = await run_agent(on.runtime, question(actions=tool_actions(on.runtime)))
        assert on.calls == [(f"call-{number}", {"item": item}) for number, item in enumerate(items)]
        answered = [message.metadata for message in result.messages if message.role == "tool"]
        assert answered == [{"actionRequestId": id, "name": "stock"} for id, _ in on.calls]
        assert (result.steps, result.status) == (len(items) + 1, "completed")

    run(main())


def test_what_cannot_be_run_is_refused() -> None:
    async def main() -> None:
        async with stage() as on:
            with pytest.raises(InvalidInput, match=r"must be a SampleInput"):
                await run_agent(on.runtime, {})  # type: ignore[arg-type]
            bad = Action(name="bad", input_schema={"type": "no such type"})
            with pytest.raises(InvalidSchema, match=r"Action 'bad'"):
                await run_agent(on.runtime, question(actions=(bad,)))
            with pytest.raises(InvalidName, match=r"no tool 'sock'"):
                tool_actions(on.runtime, include=["sock"])
            with pytest.raises(InvalidName, match=r"include must hold names"):
                tool_actions(on.runtime, include="stock")
            with pytest.raises(InvalidName, match=r"no tool 'write'"):
                await mcp_actions(on.runtime, "files", include={"write"})
        assert (on.model.asked, on.calls) == ([], [])

    run(main())


def test_what_the_sandbox_forbids_is_not_offered() -> None:
    async def main() -> None:
        async with stage(sandbox=Sandbox(mcp=["files"])) as on:
            assert tool_actions(on.runtime) == ()
            (action,) = await mcp_actions(on.runtime, "files", rename={"read_text": "look"}, include={"read_text"})
            assert action.name == "look"

    run(main())


def test_a_request_of_a_run_is_a_tool_call_unchanged() -> None:
    request = ToolCall(id="a", name="stock", arguments={"item": "tea"})
    assert asks(("a", "stock", {"item": "tea"})).action_requests == (request,)
    assert isinstance(question(), SampleInput)
    assert AgentLimits() == AgentLimits(max_steps=8, max_action_calls=16, max_total_tokens=None, timeout=30.0)
