"""Every public exception has its causes and remedies on one page, and what the page tells to write can be written."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
from collections.abc import Iterator
from typing import Any

import pytest

from ditto_core import DittoError, PluginHost, Runtime, Sandbox, ToolContext, ToolRegistry
from tests.docs.pages import page, rows, section, spans
from tests.support.project import files, members, package

PAGE = page("remedies.md")
PUBLIC: dict[str, Any] = {
    name: getattr(module, name)
    for module in (importlib.import_module(package(folder).name) for folder in members().values())
    for name in module.__all__
}
ERRORS = {name: kind for name, kind in PUBLIC.items() if inspect.isclass(kind) and issubclass(kind, DittoError)}
RECEIVERS: dict[str, type[Any]] = {
    "host": PluginHost,
    "host.tools": ToolRegistry,
    "runtime": Runtime,
    "context": ToolContext,
    "context.sandbox": Sandbox,
}
"""What the page calls by these names is an object of these classes."""

NEVER = "nothing raises it as such"
MOST = 4
"""How many causes a section may have: more of them nobody reads."""


@pytest.mark.promise("D-QUAL-07")
def test_every_public_exception_has_a_section_and_there_is_no_other() -> None:
    assert sorted(re.findall(r"^### (.*)$", PAGE, re.MULTILINE)) == sorted(ERRORS)


@pytest.mark.parametrize("name", ERRORS)
def test_a_section_says_what_it_means_and_gives_causes_with_remedies(name: str) -> None:
    text = section(PAGE, f"### {name}")
    meaning, _, _ = text.partition("\n|")
    assert re.match(r"\n[A-Z][^|]+[.:]\n", meaning)
    if NEVER in text:
        assert "|" not in text
        return
    found = rows(text, "usual cause", "remedy")
    assert 1 <= len(found) <= MOST
    assert all(cause and remedy for cause, remedy in found)


def test_what_is_said_to_be_raised_by_nothing_is_made_nowhere() -> None:
    quiet = {name for name in ERRORS if NEVER in section(PAGE, f"### {name}")}
    bases = {name for name, kind in ERRORS.items() if (kind.__doc__ or "").startswith("Base of")}
    assert bases <= quiet
    assert quiet & set(made()) == set()


def test_every_call_that_the_page_tells_to_write_fits_what_is_called() -> None:
    calls = [call for text in spans(PAGE) for call in written(text)]
    checked = [call for call in calls if (called := callee(call.func)) and fits(called, call)]
    assert len(checked) > 50  # most of the page's code is about public names


def made() -> Iterator[str]:
    """Give the name of each thing that the sources of the distributions call, exceptions among them."""
    for folder in members().values():
        for path in files(".py", below=folder / "src"):
            for node in ast.walk(ast.parse(path.read_bytes())):
                if isinstance(node, ast.Call):
                    yield ast.unparse(node.func)


def written(text: str) -> Iterator[ast.Call]:
    """Give the calls in a code span; a span that is no Python has none."""
    try:
        tree = ast.parse(text.removeprefix("@").removeprefix("await "))
    except SyntaxError:
        return
    yield from (node for node in ast.walk(tree) if isinstance(node, ast.Call))


def callee(function: ast.expr) -> Any:
    """Give the public thing that is called, or None for what is somebody else's."""
    if isinstance(function, ast.Attribute):
        receiver = RECEIVERS.get(ast.unparse(function.value))
        return receiver and getattr(receiver, function.attr)
    return PUBLIC.get(ast.unparse(function))


def fits(called: Any, call: ast.Call) -> bool:
    """Whether the arguments are those of the signature; raises ``TypeError`` with the reason if they are not."""
    given = [None] * (len(call.args) + (not inspect.isclass(called) and "." in called.__qualname__))
    inspect.signature(called).bind(*given, **{word.arg: None for word in call.keywords if word.arg})
    return True
