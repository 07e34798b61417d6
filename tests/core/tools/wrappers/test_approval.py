"""`with_approval`: asked after `validate`, before `execute`, and only True lets the tool run."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

import pytest
from attrs import validators

from ditto_core import (
    InvalidArguments,
    InvalidTool,
    PermissionDenied,
    RefusedCall,
    Sandbox,
    ToolCall,
    ToolContext,
    ToolDefinition,
    ToolRegistry,
    tool,
    with_approval,
)
from tests.support import run


class Asked:
    """An approver that answers what it is told, and a tool that notes when it runs."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer
        self.seen: list[tuple[ToolDefinition, Any]] = []
        self.ran: list[int] = []
        self.registry = ToolRegistry()

        @tool(effects={"write"}, title="Delete", requires_approval=True)
        async def delete(row: Annotated[int, validators.ge(1)]) -> int:
            """Delete a row."""
            self.ran.append(row)
            return row

        self.tool = delete
        self.registry.register(with_approval(delete, self.approve))

    def approve(self, definition: ToolDefinition, arguments: Any) -> Any:
        self.seen.append((definition, arguments))
        return self.answer

    def call(self, row: int) -> Any:
        call = ToolCall(id="c1", name="delete", arguments={"row": row})
        context = ToolContext(sandbox=Sandbox(tools=["delete"]))
        return run(self.registry.call(call, context)).structured_content


@pytest.mark.promise("TOOL-10", "D-TOOL-19")
def test_an_approved_call_runs_with_what_was_approved() -> None:
    asked = Asked(answer=True)
    assert asked.call(3) == 3
    ((definition, arguments),) = asked.seen
    assert definition == ToolDefinition(
        name="delete",
        title="Delete",
        description="Delete a row.",
        input_schema=asked.tool.input_schema,
        output_schema=asked.tool.output_schema,
        effects=("write",),
        requires_approval=True,
    )
    assert arguments == asked.tool.validate({"row": 3})


@pytest.mark.promise("TOOL-10", "D-TOOL-19")
def test_a_refused_call_has_not_run() -> None:
    asked = Asked(answer=False)
    with pytest.raises(PermissionDenied, match=r"^Tool 'delete' \(call 'c1'\): was not approved\. Nothing has run\.$"):
        asked.call(3)
    assert asked.ran == []


@pytest.mark.promise("D-TOOL-19")
def test_nobody_is_asked_of_arguments_that_are_refused() -> None:
    asked = Asked(answer=True)
    with pytest.raises(InvalidArguments):
        asked.call(0)
    assert asked.seen == []


@pytest.mark.parametrize("answer", [None, 1, 0, "yes", "", [True]])
def test_an_answer_that_is_no_bool_is_an_error_and_nothing_runs(answer: Any) -> None:
    asked = Asked(answer)
    with pytest.raises(RefusedCall, match="approve must answer True or False, not "):
        asked.call(3)
    assert asked.ran == []


def test_an_async_approver_is_awaited() -> None:
    async def later(answer: Any) -> Any:
        await asyncio.sleep(0)
        return answer

    asked = Asked(answer=None)
    for answer, ran in ((True, [3]), (False, [3]), (None, [3])):
        asked.answer = later(answer)
        if answer is True:
            assert asked.call(3) == 3
        else:
            with pytest.raises(PermissionDenied):
                asked.call(3)
        assert asked.ran == ran


def test_what_the_approver_raises_propagates() -> None:
    @tool
    def made() -> None:
        raise AssertionError

    def approve(definition: ToolDefinition, arguments: Any) -> bool:
        raise OSError("no approver there")

    with pytest.raises(OSError, match="no approver there"):
        run(with_approval(made, approve).execute(made.validate({}), ToolContext()))


def test_a_plain_tool_still_runs_in_a_thread() -> None:
    @tool
    def made(context: ToolContext) -> int:
        return context.wait(asyncio.sleep(0, 7))

    registry = ToolRegistry()
    registry.register(with_approval(made, lambda definition, arguments: True))
    call = ToolCall(id="c1", name="made", arguments={})
    assert run(registry.call(call, ToolContext(sandbox=Sandbox(tools=["made"])))).structured_content == 7


@pytest.mark.parametrize("approve", [None, True, "yes"])
def test_an_approver_is_a_function(approve: Any) -> None:
    with pytest.raises(InvalidTool, match=r"^with_approval\('delete'\): approve must be a function, not "):
        with_approval(Asked(answer=True).tool, approve)
