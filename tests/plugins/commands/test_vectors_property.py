"""No arguments whatever make an option that is not in the table, or an operand outside the workspace."""

from __future__ import annotations

import posixpath
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ditto_core import Command, InvalidArguments
from tests.support.commands import PROGRAMS, FakeExecutor, call

OPTIONS = {
    "grep": r"-n( -r)?( -i)?( -F)?",
    "ls": r"-1( -a)?",
    "cat": "",
    "head": r"-n \d{1,4}",
    "tail": r"-n \d{1,4}",
    "wc": "-[lwc]",
    "sort": r"(-r)?( ?-n)?( ?-u)?",
    "uniq": r"(-c)?( ?-i)?",
    "cut": r"(-d . )?-f [\d,-]+",
    "stat": "",
    "file": "",
    "du": r"-k --max-depth=\d{1,2}",
}
"""What may stand before the ``--``, as the specification's table of commands names it."""
FIND = r"-maxdepth \d{1,2}( -type [fd])?( -name NAME)? -print"

TRICKS = (
    "-",
    "--",
    "-delete",
    "-exec",
    "-rf",
    "-oX",
    "-f/etc/hostname",
    "-R",
    "--help",
    "--output=X",
    "--files0-from=/etc/hostname",
    "--compress-program=sh",
    "--include=x",
    "--follow",
    "(",
    ")",
    "!",
    ",",
    ";",
    "$(id)",
    "`id`",
    "a;id",
    "a|b",
    ">x",
    "*",
    "{}",
    "+",
    ".",
    "./-",
    "..",
    "../x",
    "/etc/passwd",
    "a/../../x",
    "~",
    "C:x",
    "a b",
    " ",
    "é",
)
_texts = st.one_of(
    st.sampled_from(TRICKS),
    st.lists(st.sampled_from(TRICKS), min_size=1, max_size=3).map("/".join),
    st.text(st.characters(exclude_categories=("Cs",)), max_size=8),
)
_numbers = st.one_of(st.integers(-1, 33), st.sampled_from([1_000, 1_001, True, "-1", 2.0]))
_flags = st.one_of(st.booleans(), st.sampled_from(["-R", 1]))
_VALUES: dict[str, st.SearchStrategy[Any]] = {
    "path": _texts,
    "paths": st.lists(_texts, min_size=1, max_size=3),
    "pattern": _texts,
    "name": _texts,
    "fields": st.sampled_from(["1", "1,3-", "-1", "--output-delimiter=x"]) | _texts,
    "delimiter": st.sampled_from(["-", ",", " ", "--", "-n"]) | _texts,
    "metric": st.sampled_from(["lines", "words", "bytes", "-L"]),
    "type": st.sampled_from(["file", "directory", "f -delete"]),
    "lines": _numbers,
    "maxDepth": _numbers,
}
_ALLOWED: dict[str, tuple[str, ...]] = {
    "grep": ("pattern", "paths", "recursive", "ignoreCase", "fixedStrings"),
    "ls": ("path", "all"),
    "find": ("path", "name", "type", "maxDepth"),
    "head": ("path", "lines"),
    "tail": ("path", "lines"),
    "wc": ("path", "metric"),
    "sort": ("path", "reverse", "numeric", "unique"),
    "uniq": ("path", "count", "ignoreCase"),
    "cut": ("path", "fields", "delimiter"),
    "du": ("path", "maxDepth"),
    "pwd": (),
}
_NEEDED = {"pattern", "paths", "path", "fields"}


def _arguments(name: str) -> st.SearchStrategy[dict[str, Any]]:
    known = _ALLOWED.get(name, ("path",))
    values = {key: _VALUES.get(key, _flags) for key in known}
    return st.fixed_dictionaries(
        {key: values[key] for key in known if key in _NEEDED},
        optional={key: values[key] for key in known if key not in _NEEDED},
    )


@pytest.mark.promise("CMD-03", "CMD-04", "CMD-05", "CMD-14", "CMD-18")
@pytest.mark.case("ARG-01", "ARG-03", "ARG-08", "ARG-17")
@pytest.mark.parametrize("name", PROGRAMS)
@given(data=st.data())
def test_whatever_is_asked_only_what_the_table_names_is_run(name: str, data: st.DataObject) -> None:
    arguments = data.draw(_arguments(name))
    executor = FakeExecutor()
    try:
        call(name, arguments, executor)
    except InvalidArguments:
        assert executor.asked == []
        return
    (command,) = executor.asked
    assert command.program == name
    assert (command.max_stdout, command.max_stderr, command.max_lines) == (65_536, 8_192, 1_000)
    _check_vector(command, arguments)


def _check_vector(command: Command, arguments: dict[str, Any]) -> None:
    if command.program == "pwd":
        assert command.args == ()
        return
    if command.program == "find":
        start, *rest = command.args
        assert re.fullmatch(r"\.(/.*)?", start)
        _check_operands([start], [arguments.get("path", ".")])
        if "name" in arguments:
            position = rest.index("-name") + 1
            assert rest[position] == arguments["name"]
            rest[position] = "NAME"
        assert re.fullmatch(FIND, " ".join(rest))
        return
    first = command.args.index("--")
    before, after = command.args[:first], list(command.args[first + 1 :])
    assert re.fullmatch(OPTIONS[command.program], " ".join(before), re.DOTALL)
    if command.program == "grep":
        assert after.pop(0) == arguments["pattern"]
        _check_operands(after, arguments["paths"])
    else:
        _check_operands(after, [arguments.get("path", ".")])


def _check_operands(operands: list[str], paths: list[str]) -> None:
    """Each operand is the caller's path, is not standard input, and stays below the folder it is started in."""
    assert list(map(posixpath.normpath, operands)) == list(map(posixpath.normpath, paths))
    for one in operands:
        assert one != "-"
        assert posixpath.commonpath(["/work", posixpath.normpath(posixpath.join("/work", one))]) == "/work"
        assert posixpath.normpath(one).split("/")[0] not in ("", "..")
