"""The tables of limits: each number is the one in the code, and every number in the code is in a table."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ditto_core import InvalidName
from ditto_core.contracts.safety import is_error_code
from ditto_core.plugins.selection import Selection
from ditto_core.tools.tool import check_tool_name
from tests.docs.pages import page, rows, span
from tests.support.project import ROOT, files

TABLE = [
    (what, value, span(where))
    for what, value, _, _, where in rows(page("limits.md"), "what", "value", "unit", "changed by", "in the code")
]
NO_LIMITS = {
    "ditto_core.contracts.json_values._MIN_INTEGER",  # the other end of MAX_INTEGER
    "ditto_core.plugins.hookspecs.API_VERSION",  # a version
    "ditto_core.sandbox.reading._CHUNK",  # how much is read at a time, which nobody notices
    "ditto_core.sandbox.sandbox.MIB",  # a unit
    "ditto_brave.json_bytes._PIECE",  # how much is decoded at a time
    "ditto_http.exchanging._PIECES",  # how many pieces are read before others get their turn
    "ditto_memory.schema.VERSION",  # a version, too
    "ditto_memory.transactions.PAUSE",  # how long between two tries, which is part of a time that is bounded
    "ditto_openai.reply._MOST",  # what a counter may be, or else it is none
    "ditto_local.process._READ_BYTES",  # how much is read at a time, again
    "ditto_local_search.addresses._MAX_PORT",  # what TCP has
    "ditto_local_search.guarded._PAUSE",  # how often somebody is told to stop
    "ditto_local_search.folder._FLAGS",  # how a file is opened
    "ditto_local_search.folder._FOLDER",  # how a folder is opened
    "ditto_local_search.store.APPLICATION_ID",  # a mark
    "ditto_local_search.store._HEADER",  # where that mark is
    "ditto_local.process._WIDE_BYTES",  # how much lies in a pipe meanwhile
}
TRIALS: dict[str, Callable[[str], object]] = {
    "ditto_core.contracts.safety.is_error_code": is_error_code,
    "ditto_core.tools.tool.check_tool_name": lambda text: accepted(lambda: check_tool_name(text)),
    "ditto_core.plugins.selection.Selection": lambda text: accepted(lambda: Selection.of(text, None, ())),
}
"""Limits that are part of a pattern: a text of that length passes, a longer one does not."""


@pytest.mark.promise("D-QUAL-07")
@pytest.mark.parametrize(("what", "value", "where"), TABLE, ids=[where for *_, where in TABLE])
def test_a_limit_equals_the_code(what: str, value: str, where: str) -> None:
    if where in TRIALS:
        assert TRIALS[where]("x" * number(value))
        assert not TRIALS[where]("x" * (number(value) + 1))
    else:
        assert number(value) == coded(where)


@pytest.mark.promise("D-QUAL-07")
def test_every_number_of_the_code_is_in_the_table() -> None:
    assert constants() - NO_LIMITS <= {where for *_, where in TABLE}
    assert constants() >= NO_LIMITS


def number(text: str) -> Any:
    """Read ``1,000``, ``0.5``, ``none`` or ``10**4300 - 1``."""
    if text == "none":
        return None
    power = re.fullmatch(r"(\d+)\*\*(\d+) - 1", text)
    if power:
        return int(power[1]) ** int(power[2]) - 1
    digits = text.replace(",", "")
    return float(digits) if "." in digits else int(digits)


def coded(where: str) -> Any:
    """Give the constant, or the default of the argument, ``package.Class.method(argument)``."""
    path, _, argument = where.removesuffix(")").partition("(")
    found: Any = importlib.import_module(path.partition(".")[0])
    for name in path.split(".")[1:]:
        if not hasattr(found, name):  # a module that is imported when it is needed
            importlib.import_module(f"{found.__name__}.{name}")
        found = getattr(found, name)
    return inspect.signature(found).parameters[argument].default if argument else found


def constants() -> set[str]:
    """Give every number that has a name of its own in a module of the packages that an application installs."""
    found = set()
    names = (
        "local",
        "commands",
        "console",
        "http",
        "brave",
        "local_search",
        "formats",
        "infer",
        "openai",
        "agent",
        "context",
        "memory",
    )
    packages = ("core", *(f"plugins/{name}" for name in names))
    for source in (ROOT / folder / "src" for folder in packages):
        for path in files(".py", below=source):
            module = ".".join(path.relative_to(source).with_suffix("").parts).removesuffix(".__init__")
            values = vars(importlib.import_module(module))
            found |= {f"{module}.{name}" for name in assigned(path) if type(values.get(name)) in (int, float)}
    return found


def assigned(path: Path) -> Iterator[str]:
    """Give the names that a module assigns in capitals."""
    for node in ast.parse(path.read_bytes()).body:
        if isinstance(node, ast.Assign | ast.AnnAssign):
            target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
            if isinstance(target, ast.Name) and target.id.isupper():
                yield target.id


def accepted(call: Callable[[], object]) -> bool:
    try:
        call()
    except InvalidName:
        return False
    return True
