"""The path of one tool call: each step and its error."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given

from ditto_core import (
    ACT_TOOL,
    ExternalResult,
    InteractionError,
    InvalidArguments,
    InvalidInput,
    InvalidResult,
    InvalidTool,
    JsonPart,
    PermissionDenied,
    Reference,
    Runtime,
    Sandbox,
    TextPart,
    ToolCall,
    ToolContext,
    ToolFailed,
    ToolInput,
    ToolOutcome,
    ToolRegistry,
    UnknownTool,
    interaction_worker,
)
from tests.support import run
from tests.support.strategies import NOT_JSON, json_objects, outcomes
from tests.support.tools import echo, make_tool

ALL = Sandbox(tools=["*"])


def _call(tool: Any, arguments: Any = None, *, name: str | None = None, sandbox: Sandbox = ALL, id: str = "c1") -> Any:
    registry = ToolRegistry()
    registry.register(tool)
    call = ToolCall(id=id, name=name or tool.name, arguments={} if arguments is None else arguments)
    return run(registry.call(call, ToolContext(sandbox=sandbox)))


@pytest.mark.promise("TOOL-01", "TOOL-04", "TOOL-05")
def test_a_call_runs_one_tool_once_under_its_own_identity() -> None:
    seen = []

    async def execute(arguments: Any, context: ToolContext) -> ToolOutcome:
        seen.append((arguments, context.call_id))
        return ToolOutcome(content="a")

    result = _call(make_tool("t", execute), {"x": 1}, id="call-7")
    assert result == ExternalResult(call_id="call-7", source="t", status="success", content="a")
    assert seen == [({"x": 1}, "call-7")]


@given(outcomes, json_objects)
@pytest.mark.promise("TOOL-04", "TOOL-11")
def test_a_good_outcome_comes_through_unchanged(outcome: ToolOutcome, arguments: Any) -> None:
    async def execute(_: Any, context: ToolContext) -> ToolOutcome:
        return outcome

    result = _call(make_tool("t", execute), arguments)
    assert (result.call_id, result.source) == ("c1", "t")
    for field in ("status", "structured_content", "references", "error", "metadata"):
        assert getattr(result, field) is getattr(outcome, field)


@pytest.mark.promise("TOOL-03", "TOOL-07", "D-TOOL-01", "D-TOOL-05")
def test_checks_run_in_order_and_the_first_failure_decides() -> None:
    ran = []

    def validate(arguments: Any) -> Any:
        ran.append("validate")
        raise ValueError("limit must be at most 20")

    async def execute(arguments: Any, context: ToolContext) -> ToolOutcome:
        ran.append("execute")
        return ToolOutcome(content="")

    tool = make_tool("t", execute, validate)
    with pytest.raises(PermissionDenied):
        _call(tool, name="unknown", sandbox=Sandbox())
    with pytest.raises(PermissionDenied):
        _call(tool, sandbox=Sandbox(tools=["other"]))
    with pytest.raises(UnknownTool, match="Tool 'unknown'"):
        _call(tool, name="unknown")
    with pytest.raises(InvalidArguments, match="is NaN"):
        _call(tool, {"x": float("nan")})
    assert ran == []
    with pytest.raises(InvalidArguments, match="limit must be at most 20") as caught:
        _call(tool, {"x": 1})
    assert isinstance(caught.value.__cause__, ValueError)
    assert ran == ["validate"]


def test_a_near_name_is_suggested_only_if_the_sandbox_permits_it() -> None:
    async def execute(arguments: Any, context: ToolContext) -> ToolOutcome:
        return ToolOutcome(content="")

    tool = make_tool("read_text", execute)
    with pytest.raises(UnknownTool, match=r"Did you mean 'read_text'\?"):
        _call(tool, name="raed_text")
    with pytest.raises(UnknownTool) as caught:
        _call(tool, name="raed_text", sandbox=Sandbox(tools=["raed_text"]))
    assert "read_text" not in str(caught.value)


def test_the_text_of_a_refusal_is_quoted_only_when_it_is_safe() -> None:
    def validate(arguments: Any) -> Any:
        raise ValueError("password=hunter2 in /home/u/a")

    with pytest.raises(InvalidArguments) as caught:
        _call(make_tool("t", validate=validate))
    assert "hunter2" not in str(caught.value)
    assert "break the tool's rules" in str(caught.value)


@pytest.mark.promise("TOOL-07", "D-TOOL-04")
def test_a_coroutine_from_validate_is_closed_and_refused() -> None:
    async def later() -> None:
        raise AssertionError("never awaited")

    with pytest.raises(InvalidArguments, match="returned a coroutine"):
        _call(make_tool("t", validate=lambda arguments: later()))
    with pytest.raises(InvalidTool, match="validate is an async function"):
        make_tool("t", validate=echo)  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", NOT_JSON)
@pytest.mark.promise("TOOL-02")
@pytest.mark.case("JSON-08")
def test_arguments_that_are_no_json_never_reach_validate(kind: str) -> None:
    def validate(arguments: Any) -> Any:
        raise AssertionError("must not run")

    with pytest.raises(InvalidArguments, match=r"^Tool 't' \(call 'c1'\): arguments"):
        _call(make_tool("t", validate=validate), {"x": NOT_JSON[kind]})


@given(json_objects)
@pytest.mark.promise("D-VAL-08")
def test_arguments_are_copied(arguments: Any) -> None:
    def validate(got: Any) -> Any:
        assert got == arguments
        assert got is not arguments
        got.clear()
        return got

    kept = dict(arguments)
    _call(make_tool("t", validate=validate), arguments)
    assert arguments == kept


@pytest.mark.promise("TOOL-08", "D-TOOL-03")
def test_what_validate_returns_is_passed_as_it_is_and_the_schema_is_no_policy() -> None:
    seen = []

    async def execute(arguments: Any, context: ToolContext) -> ToolOutcome:
        seen.append(arguments)
        return ToolOutcome(content="")

    _call(make_tool("t", execute, validate=lambda arguments: None), {"breaks": "the schema"})
    assert seen == [None]


def _bad_outcomes() -> dict[str, Any]:
    return {
        "none": lambda: None,
        "text": lambda: "done",
        "empty dict": dict,
        "dict": lambda: {"status": "success", "content": "a"},
        "result": lambda: ExternalResult(call_id="other", source="other", status="success", content="a"),
        "success alone": lambda: ToolOutcome(status="success"),
        "failed without error": lambda: ToolOutcome(status="failed"),
        "unknown status": lambda: ToolOutcome(status="done", content="a"),  # type: ignore[arg-type]
        "long code": lambda: ToolOutcome(status="failed", error=InteractionError(code="a" * 65, message="a")),
        "long message": lambda: ToolOutcome(status="failed", error=InteractionError(code="a", message="a" * 513)),
        "newline": lambda: ToolOutcome(status="failed", error=InteractionError(code="a", message="a\nb")),
        "empty uri": lambda: ToolOutcome(references=(Reference(uri=""),)),
        "own call id": lambda: ToolOutcome(call_id="x", content="a"),  # type: ignore[call-arg]
    }


@pytest.mark.parametrize("kind", _bad_outcomes())
@pytest.mark.parametrize("threaded", [False, True])
@pytest.mark.promise("TOOL-14", "ERR-09", "D-TOOL-02", "D-TOOL-06")
@pytest.mark.case("TOOL-09")
def test_a_malformed_outcome_is_refused_and_tool_and_call_are_named(kind: str, threaded: bool) -> None:
    make = _bad_outcomes()[kind]

    async def execute(arguments: Any, context: ToolContext) -> ToolOutcome:
        return make()

    if kind == "own call id":
        with pytest.raises(TypeError):
            _call(make_tool("t", execute))
        return
    with pytest.raises(InvalidResult, match=r"^Tool 't' \(call 'c1'\): the result is invalid: .*may have happened"):
        _call(make_tool("t", (lambda arguments, context: make()) if threaded else execute))


@pytest.mark.parametrize("kind", NOT_JSON)
@pytest.mark.parametrize("field", ["structured_content", "metadata", "content", "part"])
@pytest.mark.promise("VAL-03", "TOOL-14")
@pytest.mark.case("JSON-08", "JSON-01", "JSON-03", "JSON-04", "JSON-05")
def test_an_outcome_that_is_no_json_is_refused_with_its_field(kind: str, field: str) -> None:
    bad = NOT_JSON[kind]
    fields: dict[str, Any] = {"content": "a"}
    if field == "part":
        fields["content"] = (TextPart(text="a"), JsonPart(data=bad))
    else:
        fields[field] = {"x": bad}

    async def execute(arguments: Any, context: ToolContext) -> ToolOutcome:
        return ToolOutcome(**fields)

    name = {"structured_content": "structuredContent", "part": "content"}.get(field, field)
    with pytest.raises(InvalidResult, match=f"invalid: {name}"):
        _call(make_tool("t", execute))


@pytest.mark.promise("VAL-06", "D-VAL-09")
def test_a_list_of_exactly_parts_enters_as_parts() -> None:
    async def execute(arguments: Any, context: ToolContext) -> ToolOutcome:
        return ToolOutcome(content=[{"type": "text", "text": "a"}])

    assert _call(make_tool("t", execute)).content == (TextPart(text="a"),)


@pytest.mark.promise("TOOL-11", "D-ERR-10")
def test_tool_failed_becomes_the_outcome() -> None:
    async def execute(arguments: Any, context: ToolContext) -> ToolOutcome:
        raise ToolFailed("NOT_FOUND", "No matching record", status="unknown", retryable=True)

    result = _call(make_tool("t", execute))
    assert (result.status, result.error) == (
        "unknown",
        InteractionError(code="NOT_FOUND", message="No matching record", retryable=True),
    )


def test_tool_failed_checks_its_own_words() -> None:
    for status in ("success", "done", None):
        with pytest.raises(ValueError, match="status"):
            ToolFailed("A", "a", status=status)  # type: ignore[arg-type]


@pytest.mark.parametrize("error", [RuntimeError("password=hunter2"), KeyError("a"), asyncio.CancelledError()])
@pytest.mark.promise("TOOL-12", "ERR-10")
@pytest.mark.case("ASYNC-01")
def test_what_a_tool_raises_propagates_unchanged_and_it_runs_once(error: BaseException) -> None:
    ran = []

    async def execute(arguments: Any, context: ToolContext) -> ToolOutcome:
        ran.append(1)
        raise error

    with pytest.raises(type(error)) as caught:
        _call(make_tool("t", execute))
    assert caught.value is error or isinstance(error, asyncio.CancelledError)
    assert ran == [1]


@pytest.mark.promise("TOOL-13")
def test_the_same_id_twice_runs_twice() -> None:
    registry, gate = ToolRegistry(), []

    async def execute(arguments: Any, context: ToolContext) -> ToolOutcome:
        gate.append(context.call_id)
        return ToolOutcome(content="")

    registry.register(make_tool("t", execute))
    call = ToolCall(id="c1", name="t", arguments={})

    async def twice() -> None:
        await registry.call(call, ToolContext(sandbox=ALL))
        await registry.call(call, ToolContext(sandbox=ALL))

    run(twice())
    assert gate == ["c1", "c1"]


def test_a_call_that_is_no_tool_call_is_refused() -> None:
    with pytest.raises(InvalidInput, match="must be a ToolCall"):
        run(ToolRegistry().call({"id": "1"}, ToolContext()))  # type: ignore[arg-type]


@given(json_objects)
@pytest.mark.promise("REG-07")
def test_a_call_through_a_running_context_gives_what_the_node_gives(arguments: Any) -> None:
    async def scenario() -> None:
        registry = ToolRegistry()
        call = ToolCall(id="c1", name="echo", arguments=arguments)

        async def execute(_: Any, context: ToolContext) -> ToolOutcome:
            seen.append(await registry.call(call, context))
            return ToolOutcome(content="")

        seen: list[Any] = []
        registry.register_all([make_tool("outer", execute), make_tool()])
        runtime = Runtime(workers=[interaction_worker(tools=registry)], sandbox=ALL)
        await runtime.invoke(ACT_TOOL, ToolInput(call=ToolCall(id="o", name="outer", arguments={})))
        assert seen == [await runtime.invoke(ACT_TOOL, ToolInput(call=call))]

    run(scenario())


@pytest.mark.promise("D-LOG-04")
def test_a_call_logs_nothing_of_its_own(caplog: pytest.LogCaptureFixture) -> None:
    async def scenario() -> None:
        async with Runtime(workers=[interaction_worker(tools=[make_tool()])], sandbox=ALL) as runtime:
            await runtime.invoke(ACT_TOOL, ToolInput(call=ToolCall(id="1", name="echo", arguments={})))

    with caplog.at_level("DEBUG", logger="ditto"):
        run(scenario())
    assert [record for record in caplog.records if record.name.startswith("ditto")] == []
