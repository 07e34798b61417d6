"""The tool of the specification that reads a text of the workspace."""

from __future__ import annotations

from pathlib import Path

import pytest

from ditto_core import (
    InvalidArguments,
    JsonObject,
    PermissionDenied,
    Sandbox,
    Tool,
    ToolCall,
    ToolContext,
    ToolOutcome,
    ToolRegistry,
)
from tests.support import run


def path_of(arguments: JsonObject) -> str:
    path = arguments.get("path")
    if type(path) is not str or not path.strip():
        raise ValueError("path must be a nonempty string")
    return path


async def read_text(path: str, context: ToolContext) -> ToolOutcome:
    seen.append(path)
    return ToolOutcome(content=await context.sandbox.read_text(path))


seen: list[str] = []
TOOL = Tool(
    name="read_text",
    input_schema={"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]},
    effects=frozenset({"read"}),
    validate=path_of,
    execute=read_text,
)


@pytest.mark.promise("TOOL-15")
def test_it_gives_the_text_under_both_permissions_and_refuses_without(place: Path) -> None:
    (place / "a.txt").write_text("file text", encoding="utf-8")
    registry = ToolRegistry()
    registry.register(TOOL)

    def call(arguments: JsonObject, *, read: bool = False) -> object:
        context = ToolContext(sandbox=Sandbox(place, tools=["read_text"], read=read))
        return run(registry.call(ToolCall(id="c1", name="read_text", arguments=arguments), context)).content

    seen.clear()
    assert call({"path": "a.txt"}, read=True) == "file text"
    with pytest.raises(PermissionDenied, match=r"^Reading files: "):
        call({"path": "a.txt"})
    assert seen == ["a.txt", "a.txt"]
    refused: list[JsonObject] = [{}, {"path": ""}, {"path": " "}, {"path": None}]
    for arguments in refused:
        with pytest.raises(InvalidArguments):
            call(arguments, read=True)
    assert seen == ["a.txt", "a.txt"]
