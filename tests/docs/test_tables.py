"""The tables of the documentation say what the code says."""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator
from typing import get_args

import pytest

import ditto_core
from ditto_console import FAILURES
from ditto_context import ContextCode
from ditto_core import DittoError, PermissionDenied, Sandbox, errors
from ditto_core.log import EVENTS
from ditto_core.plugins.hookspecs import HOOKS
from tests.docs.pages import page, rows, section, span, spans
from tests.support.project import ROOT, files, members

ERRORS = page("errors.md")


@pytest.mark.promise("D-LOG-01")
def test_the_table_of_events_equals_the_code() -> None:
    told = {
        span(event): f"{level} ({', '.join(spans(fields))}): {when}"
        for event, level, fields, when in rows(page("logging.md"), "event", "level", "fields", "when")
    }
    assert told == EVENTS


@pytest.mark.promise("D-QUAL-07")
def test_every_hook_is_described_with_its_arguments() -> None:
    described = re.findall(r"^### `(\w+)\((.*)\)`$", section(page("registering.md"), "## The hooks"), re.MULTILINE)
    assert {name: tuple(filter(None, arguments.split(", "))) for name, arguments in described} == HOOKS


@pytest.mark.promise("D-QUAL-07")
def test_the_tree_of_exceptions_equals_the_code() -> None:
    tree = re.search(r"```text\n(.*?)```", section(ERRORS, "## The tree"), re.DOTALL)
    assert tree
    assert tree[1].splitlines() == ["DittoError", *below(DittoError)]


@pytest.mark.promise("D-QUAL-07")
def test_every_exception_that_is_public_is_in_the_tree() -> None:
    public = {name for name in ditto_core.__all__ if is_error(getattr(ditto_core, name))}
    assert public == {kind.__name__ for kind in exceptions()}


def test_every_reason_of_a_refused_file_is_listed() -> None:
    (carried,) = [what for who, what in rows(ERRORS, "error", "attributes") if "FileRefused" in who]
    assert spans(carried) == ["path", "reason", *get_args(errors.FileReason)]


@pytest.mark.promise("D-QUAL-07")
def test_the_error_codes_are_those_of_the_sources() -> None:
    listed = [span(code) for code, *_ in rows(ERRORS, "code", "from", "status", "meaning")]
    assert sorted(listed) == sorted(set(codes()))


def test_the_error_codes_of_the_console_have_the_status_of_its_receipts() -> None:
    told = {span(code): span(status) for code, _, status, _ in rows(ERRORS, "code", "from", "status", "meaning")}
    assert {failure.code: failure.status for failure in FAILURES}.items() <= told.items()


def test_the_codes_of_contexts_equal_the_code() -> None:
    assert [span(code) for code, _ in rows(page("context.md"), "`code` of a context", "why")] == [
        *get_args(ContextCode)
    ]


def test_the_codes_of_memory_are_those_of_the_table_of_all() -> None:
    listed = {
        span(code) for code, who, *_ in rows(ERRORS, "code", "from", "status", "meaning") if "ditto_memory" in who
    }
    assert {span(code) for code, _ in rows(page("memory.md"), "code", "what has happened")} == listed


def test_the_way_of_a_call_leads_through_files_and_names_that_there_are() -> None:
    steps = rows(page("concepts.md"), "file", "look at", "what happens", "what may end the call here")
    for file, names, *_ in steps:
        module = importlib.import_module(f"ditto_core.{span(file).removesuffix('.py').replace('/', '.')}")
        found: object = module
        for name in span(names).split("."):
            found = getattr(found, name)


def test_the_refusal_that_the_quickstart_shows_is_the_one_that_is_raised() -> None:
    with pytest.raises(PermissionDenied) as refusal:
        Sandbox().require("read")
    assert f"{PermissionDenied.__module__}.PermissionDenied: {refusal.value}\n" in page("quickstart.md")


def exceptions() -> list[type[DittoError]]:
    """Give every exception class in the order in which it is defined; those of tools and providers live with them."""
    return [*filter(is_error, vars(errors).values()), ditto_core.ToolFailed, ditto_core.SearchFailed]


def is_error(value: object) -> bool:
    return isinstance(value, type) and issubclass(value, DittoError)


def below(parent: type[DittoError], indent: str = "") -> Iterator[str]:
    """Draw the classes below one."""
    children = [kind for kind in exceptions() if kind.__bases__[0] is parent]
    for child in children:
        is_last = child is children[-1]
        yield f"{indent}{'└── ' if is_last else '├── '}{child.__name__}"
        yield from below(child, indent + ("    " if is_last else "│   "))


def codes() -> Iterator[str]:
    """Give the error codes that the bundled distributions write down; those of the testkit are its fakes'."""
    packages = {name: folder for name, folder in members().items() if not folder.is_relative_to(ROOT / "docs")}
    bundled = [folder for name, folder in packages.items() if name != "ditto-testkit"]
    for path in (path for folder in bundled for path in files(".py", below=folder / "src")):
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.Call):
                given = [word.value for word in node.keywords if word.arg == "code"]
                if ast.unparse(node.func) in ("ToolFailed", "MemoryFailed", "SampleFailed"):
                    given += node.args[:1]
                yield from (one.value for one in given if isinstance(one, ast.Constant) and type(one.value) is str)
