"""Routing, inputs and the sandbox of a call."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from ditto_core import (
    ACT_TOOL,
    OBSERVE,
    OUTPUT,
    ContextClosed,
    EventEmitted,
    ExternalResult,
    InvalidInput,
    Node,
    NodeUnavailable,
    ObserveInput,
    PermissionDenied,
    Runtime,
    RuntimeClosed,
    Sandbox,
    ToolCall,
    ToolContext,
    ToolInput,
    ToolOutcome,
    ToolRegistry,
    Worker,
    WrongEventLoop,
    interaction_worker,
    observe,
)
from tests.support import run
from tests.support.tools import Gate, make_tool, settle

ALL = Sandbox(tools=["*"])
ADD: Node[ToolInput, str] = Node("ACME.ADD", ToolInput, str)


def _runtime(*tools: Any, sandbox: Sandbox = ALL, **options: Any) -> Runtime:
    return Runtime(workers=[interaction_worker(tools=tools, **options)], sandbox=sandbox)


def _input(name: str = "echo", id: str = "1", **arguments: Any) -> ToolInput:
    return ToolInput(call=ToolCall(id=id, name=name, arguments=arguments))


@pytest.mark.promise("COMP-12", "RUN-06", "D-WRK-01", "D-WRK-17")
def test_a_node_or_its_name_takes_an_object_or_the_same_as_json() -> None:
    async def scenario() -> None:
        async with _runtime(make_tool()) as runtime:
            expected = ExternalResult(call_id="1", source="echo", status="success", structured_content={"a": 1})
            wire = {"call": {"id": "1", "name": "echo", "arguments": {"a": 1}}}
            for node in (ACT_TOOL, "INTERACTION.ACT.TOOL"):
                assert await runtime.invoke(node, _input(a=1)) == expected
                assert await runtime.invoke(node, wire) == expected
            observed = await runtime.invoke(
                OBSERVE, {"result": {"callId": "1", "source": "a", "status": "success", "content": "x"}}
            )
            assert observed == observe(
                ObserveInput(result=ExternalResult(call_id="1", source="a", status="success", content="x"))
            )
            assert runtime.services.sandbox is ALL

    run(scenario())


@pytest.mark.parametrize(
    "bad",
    [None, [], "text", 5, {}, {"call": None}, {"call": {"id": "", "name": "a", "arguments": {}}}, ObserveInput],
    ids=repr,
)
@pytest.mark.promise("D-WRK-01", "ERR-10")
@pytest.mark.case("TOOL-04")
def test_a_bad_input_is_refused_before_the_handler(bad: Any) -> None:
    def validate(arguments: Any) -> Any:
        raise AssertionError("must not run")

    async def scenario() -> None:
        with pytest.raises(InvalidInput, match=r"^Node 'INTERACTION\.ACT\.TOOL'"):
            await _runtime(make_tool(validate=validate)).invoke(ACT_TOOL, bad)

    run(scenario())


@pytest.mark.parametrize(
    "node", [OUTPUT, "INTERACTION.OUTPUT", "INTERACTION.ACT.MCP", "NO.SUCH", "", None, 5], ids=repr
)
@pytest.mark.promise("COMP-02", "COMP-03", "D-WRK-07")
def test_a_node_that_nobody_exposes_is_unavailable(node: Any) -> None:
    async def scenario() -> None:
        with pytest.raises(NodeUnavailable, match=r"Exposed nodes: INTERACTION\.ACT\.TOOL, INTERACTION\.OBSERVE\."):
            await _runtime().invoke(node, {})

    run(scenario())


@pytest.mark.promise("D-WRK-02")
def test_a_plain_call_runs_in_the_callers_task_and_makes_none() -> None:
    async def scenario() -> None:
        async def execute(arguments: Any, context: ToolContext) -> ToolOutcome:
            assert asyncio.current_task() is caller
            assert asyncio.all_tasks() == tasks
            return ToolOutcome(content="")

        caller, tasks = asyncio.current_task(), asyncio.all_tasks()
        await _runtime(make_tool("t", execute), concurrency=2).invoke(ACT_TOOL, _input("t"))

    run(scenario())


@pytest.mark.promise("D-WRK-08", "D-WRK-09", "LIFE-03")
def test_replicas_share_tools_and_the_least_busy_is_chosen_or_the_pinned_one() -> None:
    async def scenario() -> None:
        gate = Gate()
        seen = []

        async def execute(arguments: Any, context: ToolContext) -> ToolOutcome:
            assert context.worker is not None
            seen.append(context.worker.id)
            return await gate(arguments, context)

        worker = interaction_worker(tools=[make_tool("t", execute)], concurrency=1)
        runtime = Runtime(sandbox=ALL)
        first, second = runtime.register(worker), runtime.register(worker)
        calls = []
        for pin in (None, None, second, None):
            calls.append(asyncio.create_task(runtime.invoke(ACT_TOOL, _input("t"), worker=pin)))
            await settle()
        assert seen == [first.address.id, second.address.id]
        assert (len(first.calls), len(second.calls)) == (2, 2)
        assert (second.unregister(), second.unregister()) == (True, False)
        with pytest.raises(NodeUnavailable, match="pinned to is unregistered"):
            await runtime.invoke(ACT_TOOL, _input("t"), worker=second)
        gate.open.set()
        await asyncio.gather(*calls)
        assert sorted(seen) == sorted([first.address.id, second.address.id] * 2)

    run(scenario())


@pytest.mark.promise("D-SBX-09")
def test_a_call_may_carry_less_permission_and_never_more() -> None:
    async def scenario() -> None:
        sandbox = Sandbox(tools=["outer", "inner"], read=True)

        async def outer(arguments: Any, context: ToolContext) -> ToolOutcome:
            assert not context.sandbox.allows("read")
            with pytest.raises(PermissionDenied):
                await context.invoke(ACT_TOOL, _input("inner"))
            with pytest.raises(PermissionDenied):
                await runtime.invoke(ACT_TOOL, _input("inner"))
            with pytest.raises(PermissionDenied, match="permits more"):
                await runtime.invoke(ACT_TOOL, _input("inner"), sandbox=sandbox)
            return ToolOutcome(content="")

        runtime = _runtime(make_tool("outer", outer), make_tool("inner"), sandbox=sandbox)
        narrow = sandbox.narrow(tools=["outer"], read=False)
        await runtime.invoke(ACT_TOOL, _input("outer"), sandbox=narrow)
        with pytest.raises(PermissionDenied):
            await runtime.invoke(ACT_TOOL, _input("inner"), sandbox=narrow)
        for wider in (ALL, Sandbox(tools=["outer"], write=True), Sandbox("/", tools=["outer"])):
            with pytest.raises(PermissionDenied, match="permits more than the one around it"):
                await runtime.invoke(ACT_TOOL, _input("outer"), sandbox=wider)
        with pytest.raises(InvalidInput, match="must be a Sandbox"):
            await runtime.invoke(ACT_TOOL, _input("outer"), sandbox={"tools": []})  # type: ignore[call-overload]

    run(scenario())


@pytest.mark.promise("D-TOOL-22")
def test_the_permitted_definitions_are_listed_once_each() -> None:
    tools = ToolRegistry()
    tools.register(make_tool("a"))
    runtime = Runtime(sandbox=Sandbox(tools=["a", "b"]))
    worker = interaction_worker(tools=tools)
    runtime.register(worker)
    runtime.register(worker)
    tools.register(make_tool("b"))
    tools.register(make_tool("c"))
    assert [definition.name for definition in runtime.tools()] == ["a", "b"]
    assert Runtime().tools() == ()


@pytest.mark.promise("D-WRK-04", "TOOL-06")
def test_a_context_is_of_no_use_once_its_handler_has_returned() -> None:
    async def scenario() -> None:
        kept: list[ToolContext] = []

        async def execute(arguments: Any, context: ToolContext) -> ToolOutcome:
            kept.append(context)
            context.emit({"percent": 5})
            return ToolOutcome(content="")

        heard: list[EventEmitted] = []
        runtime = Runtime(
            workers=[interaction_worker(tools=[make_tool("t", execute)])], sandbox=ALL, on_event=heard.append
        )
        await runtime.invoke(ACT_TOOL, _input("t"))
        assert heard == [EventEmitted(call_id="1", worker="INTERACTION", event={"percent": 5})]
        with pytest.raises(ContextClosed, match="its handler has returned"):
            await kept[0].invoke(ACT_TOOL, _input("t"))
        with pytest.raises(ContextClosed):
            kept[0].emit("late")
        with pytest.raises(ContextClosed):
            await kept[0].in_thread(print)

    run(scenario())


def test_a_listener_that_fails_changes_no_call(caplog: pytest.LogCaptureFixture) -> None:
    async def scenario() -> None:
        async def execute(arguments: Any, context: ToolContext) -> ToolOutcome:
            context.emit("a")
            await context.in_thread(context.emit, "b")
            return ToolOutcome(content="")

        def listener(event: EventEmitted) -> None:
            heard.append(event.event)
            raise RuntimeError("listener")

        heard: list[Any] = []
        worker = interaction_worker(tools=[make_tool("t", execute)])
        runtime = Runtime(workers=[worker], sandbox=ALL, on_event=listener)
        assert (await runtime.invoke(ACT_TOOL, _input("t"))).status == "success"
        assert heard == ["a", "b"]

    run(scenario())
    assert [record.getMessage().count("event_listener_failed") for record in caplog.records] == [1, 1]


@pytest.mark.promise("D-WRK-16")
def test_a_runtime_belongs_to_the_loop_of_its_first_use() -> None:
    runtime = _runtime(make_tool())
    run(runtime.invoke(ACT_TOOL, _input()))
    with pytest.raises(WrongEventLoop, match="first use"):
        run(runtime.invoke(ACT_TOOL, _input()))


@pytest.mark.promise("COMP-11")
def test_a_node_of_ones_own_owns_its_whole_contract() -> None:
    async def add(input: ToolInput, context: ToolContext) -> str:
        return f"{input.call.id} in {context.worker.type if context.worker else None}"

    async def scenario() -> None:
        worker = Worker("ACME", [ADD.define("ACME", add)])
        async with Runtime(workers=[worker]) as runtime:
            assert await runtime.invoke(ADD, _input(id="7")) == "7 in ACME"

    run(scenario())


@pytest.mark.promise("D-WRK-11")
def test_nothing_can_be_called_or_registered_after_closing() -> None:
    async def scenario() -> None:
        runtime = _runtime(make_tool())
        await runtime.aclose()
        with pytest.raises(RuntimeClosed) as caught:
            await runtime.invoke(ACT_TOOL, _input())
        assert caught.value.started is False
        with pytest.raises(RuntimeClosed):
            runtime.register(interaction_worker())

    run(scenario())


@pytest.mark.promise("D-WRK-04")
def test_a_further_call_stays_on_its_own_registration_and_reaches_private_nodes() -> None:
    outer: Node[ToolInput, str] = Node("ACME.OUTER", ToolInput, str)
    inner: Node[ToolInput, str] = Node("ACME.INNER", ToolInput, str)

    async def handle_outer(input: ToolInput, context: ToolContext) -> str:
        return await context.invoke(inner, input)

    async def handle_inner(input: ToolInput, context: ToolContext) -> str:
        assert context.worker is not None
        return f"{context.worker.id} {context.resources}"

    async def scenario() -> None:
        made = iter("ab")
        worker = Worker(
            "ACME",
            [outer.define("ACME", handle_outer), inner.define("ACME", handle_inner)],
            expose=[outer],
            resources=lambda: next(made),
        )
        runtime = Runtime()
        first, second = runtime.register(worker), runtime.register(worker)
        assert await runtime.invoke(outer, _input(), worker=first) == f"{first.address.id} a"
        assert await runtime.invoke(outer, _input(), worker=second) == f"{second.address.id} b"
        with pytest.raises(NodeUnavailable):
            await runtime.invoke(inner, _input())

    run(scenario())
