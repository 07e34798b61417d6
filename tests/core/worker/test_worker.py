"""Nodes, definitions and workers."""

from __future__ import annotations

from typing import Any

import pytest

from ditto_core import (
    ACT_TOOL,
    OBSERVE,
    OUTPUT,
    InvalidInput,
    InvalidName,
    InvalidTool,
    InvalidValue,
    Node,
    NodeUnavailable,
    Observation,
    ObserveInput,
    OutputReceipt,
    OutputRequest,
    Runtime,
    Sandbox,
    ToolCall,
    ToolContext,
    ToolInput,
    ToolRegistry,
    Worker,
    interaction_nodes,
    interaction_worker,
    tool_handler,
)
from tests.support import run
from tests.support.tools import make_tool


class Sink:
    async def deliver(self, request: OutputRequest) -> OutputReceipt:
        return OutputReceipt(delivery_id=request.delivery_id, status="accepted")


async def _handler(input: Any, context: ToolContext) -> Any:
    return None


@pytest.mark.promise("COMP-02", "COMP-03")
def test_the_standard_worker_exposes_what_its_parts_allow() -> None:
    assert interaction_worker().exposed == {"INTERACTION.ACT.TOOL", "INTERACTION.OBSERVE"}
    assert interaction_worker(output=Sink()).exposed == {
        "INTERACTION.ACT.TOOL",
        "INTERACTION.OBSERVE",
        "INTERACTION.OUTPUT",
    }


@pytest.mark.promise("COMP-04", "COMP-05")
def test_tools_given_one_by_one_are_registered_now_and_a_registry_keeps_its_identity() -> None:
    from ditto_core import DuplicateName, UnknownTool

    async def scenario() -> None:
        tools = [make_tool("a")]
        fixed = Runtime(workers=[interaction_worker(tools=tools)], sandbox=Sandbox(tools=["*"]))
        tools.append(make_tool("b"))
        registry = ToolRegistry()
        live = Runtime(workers=[interaction_worker(tools=registry)], sandbox=Sandbox(tools=["*"]))
        undo = registry.register(make_tool("b"))
        call = ToolInput(call=ToolCall(id="1", name="b", arguments={}))
        assert (await live.invoke(ACT_TOOL, call)).status == "success"
        with pytest.raises(UnknownTool):
            await fixed.invoke(ACT_TOOL, call)
        undo()
        with pytest.raises(UnknownTool):
            await live.invoke(ACT_TOOL, call)

    run(scenario())
    with pytest.raises(DuplicateName):
        interaction_worker(tools=[make_tool("a"), make_tool("a")])


@pytest.mark.promise("COMP-06", "COMP-01", "SBX-01")
def test_nothing_is_granted_and_nothing_is_found() -> None:
    async def scenario() -> None:
        from ditto_core import PermissionDenied

        runtime = Runtime(workers=[interaction_worker(tools=[make_tool("a")])])
        assert runtime.tools() == ()
        with pytest.raises(PermissionDenied):
            await runtime.invoke(ACT_TOOL, ToolInput(call=ToolCall(id="1", name="a", arguments={})))
        with pytest.raises(NodeUnavailable):
            await Runtime().invoke(ACT_TOOL, {})

    run(scenario())


@pytest.mark.parametrize("tools", [[make_tool()], (), type, {"a": 1}], ids=["list", "tuple", "class", "dict"])
@pytest.mark.promise("COMP-09", "COMP-10")
def test_nodes_and_handlers_take_registries_and_sinks_only(tools: Any) -> None:
    with pytest.raises(InvalidTool, match="needs a ToolRegistry"):
        interaction_nodes(tools=tools)
    with pytest.raises(InvalidTool, match="needs a ToolRegistry"):
        tool_handler(tools)


@pytest.mark.parametrize("one", [make_tool(), "tool", None], ids=["tool", "name", "none"])
def test_one_object_is_no_list(one: Any) -> None:
    with pytest.raises(InvalidTool, match=r"^interaction_worker: tools must be .* Give host.tools, or \[tool\]\.$"):
        interaction_worker(tools=one)
    with pytest.raises(InvalidValue, match=r"^workers: must be a list of Worker objects, not "):
        Runtime(workers=one)


@pytest.mark.parametrize("sink", [[], "console", object()], ids=["list", "name", "object"])
def test_a_sink_has_to_deliver(sink: Any) -> None:
    with pytest.raises(InvalidInput, match=r"needs an OutputSink with an async deliver\(\)"):
        interaction_nodes(output=sink)


@pytest.mark.promise("COMP-11")
def test_descriptors_tell_their_name_and_define_without_running_anything() -> None:
    for node, name in (
        (ACT_TOOL, "INTERACTION.ACT.TOOL"),
        (OBSERVE, "INTERACTION.OBSERVE"),
        (OUTPUT, "INTERACTION.OUTPUT"),
    ):
        assert node.type == name
        definition = node.define("INTERACTION", _handler)  # type: ignore[attr-defined]
        assert (definition.node, definition.worker_type, definition.handler) == (node, "INTERACTION", _handler)


@pytest.mark.parametrize("name", ["", "A", ".A", "A.", "A\n.B", None, 5], ids=repr)
def test_a_nodes_name_has_two_parts(name: Any) -> None:
    with pytest.raises(InvalidName, match="two parts with a dot between"):
        Node(name, ToolInput, str)


def test_a_handler_is_a_function() -> None:
    with pytest.raises(InvalidTool, match="the handler must be an async function"):
        OBSERVE.define("INTERACTION", None)  # type: ignore[arg-type]


@pytest.mark.promise("COMP-09")
def test_a_worker_of_ones_own_chooses_what_it_exposes() -> None:
    async def scenario() -> None:
        for expose in ([OBSERVE], ["INTERACTION.OBSERVE"]):
            worker = Worker("INTERACTION", interaction_nodes(output=Sink()), expose=expose)
            assert worker.exposed == {"INTERACTION.OBSERVE"}
            with pytest.raises(NodeUnavailable):
                await Runtime(workers=[worker]).invoke(ACT_TOOL, {})

    run(scenario())


@pytest.mark.parametrize(
    ("build", "error"),
    [
        (lambda: Worker("", interaction_nodes()), InvalidName),
        (lambda: Worker("A\nB", interaction_nodes()), InvalidName),
        (lambda: Worker("OTHER", interaction_nodes()), InvalidName),
        (lambda: Worker("INTERACTION", []), InvalidValue),
        (lambda: Worker("INTERACTION", [ACT_TOOL]), InvalidValue),  # type: ignore[list-item]
        (lambda: Worker("INTERACTION", [*interaction_nodes(), *interaction_nodes()]), InvalidName),
        (lambda: Worker("INTERACTION", interaction_nodes(), expose=["INTERACTION.OUTPUT"]), InvalidName),
        (lambda: Worker("INTERACTION", interaction_nodes(), expose=[]), InvalidName),
        (lambda: Worker("INTERACTION", interaction_nodes(), expose="INTERACTION.OBSERVE"), InvalidValue),
        (lambda: Runtime(workers=[None]), InvalidValue),  # type: ignore[list-item]
    ],
)
def test_a_wrong_definition_is_refused_when_built(build: Any, error: Any) -> None:
    with pytest.raises(error):
        build()


def test_a_worker_shows_its_nodes() -> None:
    assert repr(interaction_worker()) == (
        "Worker('INTERACTION', nodes=['INTERACTION.ACT.TOOL', 'INTERACTION.OBSERVE'])"
    )


@pytest.mark.promise("COMP-11")
def test_a_replacement_handler_owns_the_whole_contract() -> None:
    async def anything(input: ObserveInput, context: ToolContext) -> Observation:
        return "not checked"  # type: ignore[return-value]

    async def scenario() -> None:
        worker = Worker("INTERACTION", [OBSERVE.define("INTERACTION", anything)])
        wire = {"result": {"callId": "1", "source": "a", "status": "success", "content": ""}}
        assert await Runtime(workers=[worker]).invoke(OBSERVE, wire) == "not checked"  # type: ignore[comparison-overlap]

    run(scenario())
