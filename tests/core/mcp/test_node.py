"""The node ACT.MCP: in a worker, through a runtime, in a graph, and as observers see it."""

from __future__ import annotations

from typing import Any

import pytest

from ditto_core import (
    ACT_MCP,
    ACT_TOOL,
    OBSERVE,
    CallFinished,
    CallStarted,
    DiscoveryError,
    Graph,
    InvalidArguments,
    InvalidClient,
    InvalidInput,
    InvalidName,
    InvalidResult,
    McpDiscover,
    McpDiscovered,
    McpInvoke,
    McpInvoked,
    McpOutput,
    McpRegistry,
    McpToolResult,
    NodeUnavailable,
    ObserveInput,
    PermissionDenied,
    PluginHost,
    Runtime,
    Sandbox,
    ToolCall,
    ToolContext,
    UnknownServer,
    Worker,
    hookimpl,
    interaction_nodes,
    interaction_worker,
    mcp_handler,
)
from tests.support import run
from tests.support.mcp_memory import ALL, Server, invoke, page, registry
from tests.support.plugins import Secretive
from tests.support.strategies import NOT_JSON


def _invoke(mcp: Any, input: Any, sandbox: Sandbox = ALL) -> Any:
    async def scenario() -> Any:
        async with Runtime(workers=[interaction_worker(mcp=mcp)], sandbox=sandbox) as runtime:
            return await runtime.invoke(ACT_MCP, input)

    return run(scenario())


@pytest.mark.promise("COMP-03b")
def test_the_node_is_there_only_with_clients() -> None:
    assert "INTERACTION.ACT.MCP" not in interaction_worker().exposed
    with pytest.raises(NodeUnavailable):
        run(Runtime(workers=[interaction_worker()]).invoke(ACT_MCP, McpDiscover()))
    assert "INTERACTION.ACT.MCP" in interaction_worker(mcp={}).exposed
    assert _invoke({}, McpDiscover()) == McpDiscovered(capabilities=())


@pytest.mark.promise("COMP-04b", "COMP-05b")
def test_a_mapping_is_registered_while_the_worker_is_built_and_a_registry_stays_itself() -> None:
    clients = {"files": Server({None: page("a")})}
    worker = interaction_worker(mcp=clients)
    clients["more"] = Server()
    mcp = registry({})
    live = interaction_worker(mcp=mcp)

    async def servers(runtime: Runtime) -> list[str]:
        output = await runtime.invoke(ACT_MCP, McpDiscover())
        assert output.operation == "discover"
        return [capability.server for capability in output.capabilities]

    async def scenario() -> None:
        async with Runtime(workers=[worker], sandbox=ALL) as runtime:
            assert await servers(runtime) == ["files"]
        async with Runtime(workers=[live], sandbox=ALL) as runtime:
            assert await servers(runtime) == []
            undo = mcp.register("late", Server({None: page("b")}))
            assert await servers(runtime) == ["late"]
            undo()
            assert await servers(runtime) == []
            with pytest.raises(UnknownServer):
                await runtime.invoke(ACT_MCP, invoke("late"))

    run(scenario())
    with pytest.raises(InvalidName):
        interaction_worker(mcp={"a:b": Server()})
    with pytest.raises(InvalidClient):
        interaction_worker(mcp={"a": object()})  # type: ignore[dict-item]


@pytest.mark.parametrize("mcp", [[("a", Server())], "files", Server(), McpRegistry])
@pytest.mark.promise("COMP-04b")
def test_what_is_neither_is_refused(mcp: Any) -> None:
    with pytest.raises(InvalidClient, match="mcp must be a registry or a mapping of clients by name, not a"):
        interaction_worker(mcp=mcp)


@pytest.mark.parametrize("mcp", [{}, {"files": Server()}, Server(), "a"], ids=lambda mcp: type(mcp).__name__)
@pytest.mark.promise("COMP-09b", "COMP-10b")
def test_nodes_and_handler_take_a_registry_only(mcp: Any) -> None:
    for make in (mcp_handler, lambda mcp: interaction_nodes(mcp=mcp)):
        with pytest.raises(InvalidClient, match="mcp_handler: needs an McpRegistry, not a"):
            make(mcp)


@pytest.mark.promise("COMP-09b")
def test_the_nodes_of_a_registry_fit_into_a_worker_of_ones_own() -> None:
    nodes = interaction_nodes(mcp=registry(Server({None: page("a")})))
    worker = Worker("INTERACTION", nodes, expose=[ACT_MCP])
    found = run(Runtime(workers=[worker], sandbox=ALL).invoke(ACT_MCP, McpDiscover()))
    assert found.operation == "discover"
    assert [one.name for one in found.capabilities] == ["a"]


@pytest.mark.promise("COMP-10b")
def test_the_handler_alone_makes_every_check() -> None:
    client = Server(answer=McpToolResult(is_error="no"))  # type: ignore[arg-type]
    handler = mcp_handler(registry(client))
    with pytest.raises(PermissionDenied):
        run(handler(invoke(), ToolContext()))
    with pytest.raises(UnknownServer):
        run(handler(invoke("others"), ToolContext(sandbox=ALL)))
    with pytest.raises(InvalidArguments):
        run(handler(invoke(arguments={"x": b""}), ToolContext(sandbox=ALL)))
    assert client.untouched
    with pytest.raises(InvalidResult, match="isError"):
        run(handler(invoke(), ToolContext(sandbox=ALL)))
    client.answer = McpToolResult(content="done")
    output = run(handler(invoke(), ToolContext(sandbox=ALL)))
    assert output.operation == "invoke"
    assert output.result.source == "files:read"
    worker = Worker("MINE", [ACT_MCP.define("MINE", handler)])
    assert run(Runtime(workers=[worker], sandbox=ALL).invoke(ACT_MCP, McpDiscover())).operation == "discover"


NO_ARGUMENTS: list[Any] = [None, "abc", "{}", [], 1, False]
WIRE: list[Any] = [
    None,
    [],
    {},
    {"operation": "invalid"},
    {"operation": None},
    {"operation": "discover", "server": ""},
    {"operation": "discover", "server": None},
    {"operation": "discover", "server": "a:b"},
    {"operation": "discover", "server": ["files"]},
    {"operation": "discover", "servers": ["files"]},
    {"operation": "discover", "call": {"id": "1", "name": "a", "arguments": {}}},
    {"operation": "invoke", "server": "files"},
    {"operation": "invoke", "call": {"id": "1", "name": "a", "arguments": {}}},
    {"operation": "invoke", "server": " ", "call": {"id": "1", "name": "a", "arguments": {}}},
    {"operation": "invoke", "server": "files", "call": None},
    {"operation": "invoke", "server": "files", "call": {"name": "a", "arguments": {}}},
    {"operation": "invoke", "server": "files", "call": {"id": "", "name": "a", "arguments": {}}},
    {"operation": "invoke", "server": "files", "call": {"id": "1", "name": "", "arguments": {}}},
    {"operation": "invoke", "server": "files", "call": {"id": "1", "name": "a\n", "arguments": {}}},
    {"operation": "invoke", "server": "files", "call": {"id": "1", "name": "a"}},
    *(
        {"operation": "invoke", "server": "files", "call": {"id": "1", "name": "a", "arguments": arguments}}
        for arguments in NO_ARGUMENTS
    ),
]


@pytest.mark.parametrize("input", WIRE, ids=str)
@pytest.mark.promise("MCP-01")
def test_every_other_shape_on_the_wire_is_refused_before_a_client_is_asked(input: Any) -> None:
    client = Server()
    with pytest.raises(InvalidInput, match=r"^Node 'INTERACTION\.ACT\.MCP': "):
        _invoke({"files": client}, input)
    assert client.untouched


@pytest.mark.parametrize("bad", NOT_JSON)
@pytest.mark.promise("MCP-01")
@pytest.mark.case("JSON-08b")
def test_arguments_on_the_wire_that_are_no_json_are_refused(bad: str) -> None:
    client = Server()
    call = {"id": "1", "name": "a", "arguments": {"x": NOT_JSON[bad]}}
    with pytest.raises(InvalidInput):
        _invoke({"files": client}, {"operation": "invoke", "server": "files", "call": call})
    assert client.untouched


@pytest.mark.promise("MCP-01", "MCP-02")
def test_the_input_may_be_wire_json() -> None:
    clients = {"files": Server({None: page("a")})}
    assert _invoke(clients, {"operation": "discover"}) == _invoke(clients, McpDiscover())
    assert _invoke(clients, {"operation": "discover", "server": "files"}) == _invoke(clients, McpDiscover())
    call = {"id": "c1", "name": "read", "arguments": {}}
    assert _invoke(clients, {"operation": "invoke", "server": "files", "call": call}) == _invoke(clients, invoke())


@pytest.mark.promise("MCP-02", "MCP-05", "COMP-12b")
@pytest.mark.case("CALL-01")
def test_one_graph_discovers_reads_and_observes() -> None:
    flow = Graph("read", str)

    @flow.node(ACT_MCP)
    def discovery(path: str) -> McpDiscover:
        return McpDiscover(server="files")

    @flow.node(ACT_MCP, discovery)
    def read(path: str, found: McpOutput) -> McpInvoke:
        assert isinstance(found, McpDiscovered)
        name = next(one.name for one in found.capabilities)
        return McpInvoke(server="files", call=ToolCall(id="read-1", name=name, arguments={"path": path}))

    @flow.node(OBSERVE, read)
    def observation(path: str, done: McpOutput) -> ObserveInput:
        assert isinstance(done, McpInvoked)
        return ObserveInput(result=done.result)

    async def scenario() -> None:
        client = Server({None: page("read_text_file")}, McpToolResult(content="Hello"))
        async with Runtime(workers=[interaction_worker(mcp={"files": client})], sandbox=ALL) as runtime:
            outputs = await runtime.run(flow, "hello.txt")
            seen = outputs[observation]
            assert (seen.status, seen.call_id, seen.source) == ("success", "read-1", "files:read_text_file")
            assert seen.message.content == "Hello"
            client.answer = McpToolResult(content="no such file", is_error=True)
            failed = (await runtime.run(flow, "missing.txt"))[observation]
            assert (failed.status, failed.call_id, failed.source) == ("failed", "read-1", "files:read_text_file")

    run(scenario())


class Watcher(Secretive):
    def __init__(self) -> None:
        self.told: list[Any] = []

    @hookimpl
    def ditto_call_started(self, event: CallStarted) -> None:
        self.told.append((event.node.removeprefix("INTERACTION."), event.name, event.call_id, event.origin))

    @hookimpl
    def ditto_call_finished(self, event: CallFinished) -> None:
        self.told.append((event.outcome, event.error))


@pytest.mark.promise("D-PLUG-17")
def test_observers_are_told_of_the_server_the_tool_and_the_outcome() -> None:
    watcher, host = Watcher(), PluginHost()
    host.register(watcher)
    client = Server({None: page("a")}, McpToolResult(is_error=True))

    async def scenario() -> None:
        worker = interaction_worker(tools=host.tools, mcp={"files": client})
        async with Runtime(workers=[worker], sandbox=ALL) as runtime:
            await runtime.invoke(ACT_MCP, McpDiscover())
            await runtime.invoke(ACT_MCP, McpDiscover(server="files"))
            await runtime.invoke(ACT_MCP, invoke())
            with pytest.raises(PermissionDenied):
                await runtime.invoke(ACT_MCP, invoke(), sandbox=Sandbox())
            client.pages = {None: page("a", "a")}
            with pytest.raises(DiscoveryError):
                await runtime.invoke(ACT_MCP, McpDiscover())

    run(scenario())
    started, finished = watcher.told[::2], watcher.told[1::2]
    assert started == [
        ("ACT.MCP", None, "", None),
        ("ACT.MCP", "files", "", None),
        ("ACT.MCP", "files:read", "c1", None),
        ("ACT.MCP", "files:read", "c1", None),
        ("ACT.MCP", None, "", None),
    ]
    assert finished == [
        ("success", None),
        ("success", None),
        ("failed", "MCP_TOOL_ERROR"),
        ("refused", "PermissionDenied"),
        ("raised", "DiscoveryError"),
    ]


@pytest.mark.promise("COMP-11b")
def test_the_descriptor_tells_its_name_and_defines_without_running_anything() -> None:
    async def handler(input: Any, context: ToolContext) -> Any:
        raise AssertionError("nobody called it")

    assert ACT_MCP.type == "INTERACTION.ACT.MCP"
    definition = ACT_MCP.define("INTERACTION", handler)
    assert (definition.node, definition.worker_type, definition.handler) == (ACT_MCP, "INTERACTION", handler)


@pytest.mark.promise("LIFE-02b")
def test_closing_the_runtime_leaves_the_clients_to_the_application() -> None:
    class Closable(Server):
        closed = False

        async def aclose(self) -> None:
            self.closed = True

        close = __aexit__ = aclose

    async def scenario() -> None:
        client, mcp = Closable(), registry({})
        mcp.register("files", client)
        for given in (mcp, {"files": client}):
            runtime = Runtime(workers=[interaction_worker(mcp=given)], sandbox=ALL)
            await runtime.invoke(ACT_MCP, invoke())
            await runtime.aclose()
            assert not client.closed
        assert mcp.servers() == ("files",)
        assert (await mcp.execute(invoke(), ALL)).result.content == "done"
        await client.aclose()
        assert client.closed

    run(scenario())


def test_the_other_nodes_are_as_they_were() -> None:
    names = [definition.node.type for definition in interaction_nodes(mcp=registry({}))]
    assert names == [ACT_TOOL.type, OBSERVE.type, ACT_MCP.type]
