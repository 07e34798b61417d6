"""The page for newcomers from elsewhere: each tool beside ours is the same tool, and what is said of ours is so."""

from __future__ import annotations

import ast
import asyncio
import runpy
from pathlib import Path
from typing import Any

import pytest

from ditto_core import InvalidArguments, Sandbox, Tool, ToolCall, ToolContext, ToolRegistry
from tests.docs.pages import DOCS, page, rows
from tests.support.project import ROOT

PAGE = page("coming-from.md")
THEIRS = sorted((DOCS / "examples/coming_from").glob("*.py.txt"))
OURS: Tool[Any] = runpy.run_path(str(ROOT / "docs/examples/own_tool.py"))["reserve"]


@pytest.mark.parametrize("path", THEIRS, ids=lambda path: path.name.partition(".")[0])
def test_the_tool_of_others_has_the_arguments_of_ours(path: Path) -> None:
    functions = [node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if is_function(node)]
    (reserve,) = (node for node in functions if node.name == OURS.name)
    properties: Any = OURS.input_schema["properties"]
    assert [argument.arg for argument in reserve.args.args] == list(properties)
    assert ast.get_docstring(reserve) == OURS.description


def test_every_tool_of_others_is_shown() -> None:
    files = (DOCS / "examples/coming_from").iterdir()
    assert [path.name for path in files if f"examples/coming_from/{path.name}" not in PAGE] == []


def test_what_is_said_of_our_arguments_and_failures_is_so() -> None:
    header = ("", '`"2"` for an integer', "an unknown argument", "the tool says no", "the tool raises something else")
    (ours,) = (row for row in rows(PAGE, *header) if row[0] == "Ditto")
    assert ours[1:4] == ("refused", "refused", "a result: status, code, message")
    for arguments in ({"article": "apple", "count": "2"}, {"article": "apple", "color": "red"}):
        with pytest.raises(InvalidArguments):
            call(arguments)
    result = call({"article": "pear"})
    assert (result.status, result.error.code, result.error.message) == ("failed", "OUT_OF_STOCK", "0 are left.")


def call(arguments: Any) -> Any:
    registry = ToolRegistry()
    registry.register(OURS)
    context = ToolContext(sandbox=Sandbox(tools=[OURS.name]))
    return asyncio.run(registry.call(ToolCall(id="c1", name=OURS.name, arguments=arguments), context))


def is_function(node: ast.AST) -> Any:
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
