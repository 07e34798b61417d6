"""Which tests show which entry, read from the sources: ``@pytest.mark.promise("TOOL-03")``, ``@pytest.mark.case(…)``.

Nothing is imported or collected, so the answer is the same whatever subset of the tests is run. The price is that a
mark must stand where a reader can see it: as a decorator of a test or of a class of tests, inside a ``parametrize``
there, or in ``pytestmark``, with its ids as plain strings. Any other mark is reported as a mistake.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Literal

import attrs

Kind = Literal["promise", "case"]
KINDS: tuple[Kind, ...] = ("promise", "case")
Mark = tuple[Kind, ast.Call]


@attrs.frozen
class Marks:
    """For each kind and id the tests that carry it, as ``file::name``, and what is wrong with other marks."""

    tests: Mapping[Kind, Mapping[str, tuple[str, ...]]]
    mistakes: tuple[str, ...]


def collect(folder: Path) -> Marks:
    """Read all Python files below the folder."""
    found: dict[Kind, dict[str, tuple[str, ...]]] = {kind: {} for kind in KINDS}
    mistakes: list[str] = []
    for path in sorted(folder.rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        if not any(f"mark.{kind}" in source for kind in KINDS):
            continue
        where = path.relative_to(folder.parent).as_posix()
        module = ast.parse(source)
        carried: set[int] = set()
        if path.name.startswith("test_"):
            for test, marks in _tests(module.body, where, ()):
                carried |= {id(mark) for _, mark in marks}
                for kind, name in dict.fromkeys((kind, name) for kind, mark in marks for name in _ids(mark)):
                    found[kind][name] = (*found[kind].get(name, ()), test)
        mistakes += _mistakes(module, where, carried)
    return Marks(found, tuple(mistakes))


def _marks(tree: ast.AST) -> Iterator[Mark]:
    """Give every call of a mark of ours in the tree."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            for kind in KINDS:
                if node.func.attr == kind and ast.unparse(node.func.value) in {"pytest.mark", "mark"}:
                    yield kind, node


def _tests(
    body: Iterable[ast.stmt], where: str, inherited: tuple[Mark, ...]
) -> Iterator[tuple[str, tuple[Mark, ...]]]:
    """Give the tests of a module's or class's body, each with the marks that it carries."""
    body = tuple(body)
    for node in body:
        if isinstance(node, ast.Assign) and _names(node) == ["pytestmark"]:
            inherited += tuple(_marks(node.value))
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test"):
            yield f"{where}::{node.name}", inherited + _decorating(node)
        elif isinstance(node, ast.ClassDef) and node.name.startswith("Test"):
            yield from _tests(node.body, f"{where}::{node.name}", inherited + _decorating(node))
        elif isinstance(node, ast.Assign) and any(name.startswith("Test") for name in _names(node)):
            yield f"{where}::{_names(node)[0]}", inherited  # a state machine's TestCase


def _names(node: ast.Assign) -> list[str]:
    return [target.id for target in node.targets if isinstance(target, ast.Name)]


def _decorating(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> tuple[Mark, ...]:
    return tuple(mark for decorator in node.decorator_list for mark in _marks(decorator))


def _ids(mark: ast.Call) -> Iterator[str]:
    for argument in mark.args:
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
            yield argument.value


def _mistakes(module: ast.Module, where: str, carried: set[int]) -> Iterator[str]:
    for kind, mark in _marks(module):
        place = f"{where}:{mark.lineno}: mark.{kind}"
        if id(mark) not in carried:
            yield f"{place} belongs to no test"
        if mark.keywords or not mark.args or len(list(_ids(mark))) != len(mark.args):
            yield f"{place} must be given ids as plain strings, at least one"
