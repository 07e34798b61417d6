"""Servers that others have written, as they are: the reference servers on Node, and one on version 1 of the SDK."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ditto_core import (
    UNSET,
    McpDiscover,
    McpInvoke,
    McpRegistry,
    McpToolResult,
    Reference,
    ReferencePart,
    Sandbox,
    TextPart,
    ToolCall,
)
from ditto_mcp import McpConnection, McpNotAllowed, connect_stdio, read_only
from tests.support.mcp_peers import run_alone
from tests.support.peers import node_server, old_python
from tests.support.project import ROOT


def started(words: list[str], **options: Any) -> McpConnection:
    return connect_stdio(words[0], words[1:], stderr="discard", **options)


async def invoked(connection: McpConnection, name: str, arguments: dict[str, Any]) -> Any:
    """Call a tool through a registry, as a graph does."""
    registry = McpRegistry()
    registry.register("files", connection.client())
    call = ToolCall(id="c1", name=name, arguments=arguments)
    return (await registry.execute(McpInvoke(server="files", call=call), Sandbox(mcp=["files"]))).result


@pytest.mark.promise("SDK-04", "SDK-11", "SDK-12")
@pytest.mark.case("CALL-01", "CALL-06")
def test_the_filesystem_server_reads_guards_its_root_and_is_not_written_through_such_a_view(
    tmp_path: Path,
) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (root / "hello.txt").write_text("Hello from MCP\n")
    (root / "pixel.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    (tmp_path / "outside.txt").write_text("secret")

    async def scenario() -> None:
        async with started(node_server("filesystem", str(root))) as connection:
            read = await invoked(connection, "read_text_file", {"path": str(root / "hello.txt")})
            assert (read.status, read.source, read.content) == ("success", "files:read_text_file", "Hello from MCP\n")
            assert read.structured_content == {"content": "Hello from MCP\n"}
            for path in (root / "missing.txt", tmp_path / "outside.txt", Path("/etc/passwd")):
                failed = await invoked(connection, "read_text_file", {"path": str(path)})
                assert (failed.status, failed.error.code) == ("failed", "MCP_TOOL_ERROR")
                assert str(tmp_path) not in failed.error.message
                assert "secret" not in str(failed.content)
            image = await invoked(connection, "read_media_file", {"path": str(root / "pixel.png")})
            assert image.content[0].reference.uri == "data:image/png;base64,iVBORw0KGgo="

            reading = connection.client(allow=read_only)
            listed = {tool.name for tool in (await reading.list_tools()).tools}
            assert listed >= {"read_text_file", "list_directory"}
            assert listed.isdisjoint({"write_file", "edit_file", "move_file"})
            with pytest.raises(McpNotAllowed):
                await reading.call_tool("write_file", {"path": str(root / "new"), "content": "x"})
            assert not (root / "new").exists()

    run_alone(scenario())


@pytest.mark.promise("SDK-10", "D-MCP-06")
@pytest.mark.case("CALL-08")
def test_the_everything_server_gives_each_kind_of_block() -> None:
    async def scenario() -> None:
        async with started(node_server("everything", "stdio")) as connection:
            view = connection.client()
            assert (await view.call_tool("echo", {"message": "ä\u2028"})).content == "Echo: ä\u2028"
            links = await view.call_tool("get-resource-links", {"count": 1})
            (link,) = links.references  # type: ignore[misc]
            assert link.uri.startswith("demo://resource/")
            blob = await view.call_tool("get-resource-reference", {"resourceType": "Blob", "resourceId": 1})
            assert [type(part) for part in blob.content] == [TextPart, ReferencePart, ReferencePart, TextPart]  # type: ignore[union-attr]
            text = await view.call_tool("get-resource-reference", {"resourceType": "Text", "resourceId": 1})
            assert [type(part) for part in text.content] == [TextPart, TextPart, TextPart]  # type: ignore[union-attr]
            image = await view.call_tool("get-tiny-image", {})
            assert image.content[1].reference.media_type == "image/png"  # type: ignore[index, union-attr]
            weather = await view.call_tool("get-structured-content", {"location": "New York"})
            assert json.loads(str(weather.content)) == weather.structured_content
            assert (await view.call_tool("get-sum", {"a": "x"})).is_error

    run_alone(scenario())


def test_the_memory_server_keeps_what_it_is_told(tmp_path: Path) -> None:
    entity = {"name": "Emma", "entityType": "book", "observations": ["handsome, clever, and rich"]}

    async def scenario() -> None:
        memory = started(node_server("memory"), env={"MEMORY_FILE_PATH": str(tmp_path / "memory.jsonl")})
        async with memory as connection:
            made = await invoked(connection, "create_entities", {"entities": [entity]})
            assert made.status == "success"
            read = await invoked(connection, "read_graph", {})
            assert read.structured_content == {"entities": [entity], "relations": []}

    run_alone(scenario())


@pytest.mark.case("DISC-11")
def test_a_server_of_the_old_sdk_is_understood_whole() -> None:
    script = str(ROOT / "tests/support/mcp_servers/old_kitchen.py")

    async def scenario() -> None:
        async with started([old_python(), script]) as connection:
            registry = McpRegistry()
            registry.register("old", connection.client())
            found = await registry.execute(McpDiscover(server="old"), Sandbox(mcp=["old"]))
            assert [tool.name for tool in found.capabilities] == ["add", "fail", "blocks"]
            assert found.capabilities[0].input_schema["required"] == ["a", "b"]
            assert found.capabilities[0].output_schema["required"] == ["result"]  # type: ignore[index]

            view = connection.client()
            added = await view.call_tool("add", {"a": 1, "b": 2})
            assert added == McpToolResult(content="3", structured_content={"result": 3})
            failed = await view.call_tool("fail", {})
            assert (failed.is_error, failed.structured_content) == (True, UNSET)
            first, image = (await view.call_tool("blocks", {})).content  # type: ignore[misc]
            assert first == TextPart(text="first")
            assert isinstance(image.reference, Reference)

    run_alone(scenario())
