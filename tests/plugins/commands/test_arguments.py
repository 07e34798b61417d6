"""The arguments of each tool: what is taken, what is refused before anything runs."""

from __future__ import annotations

from typing import Any

import pytest

from ditto_core import InvalidArguments, JsonObject
from tests.support.commands import PROGRAMS, WITH_PATH, FakeExecutor, call, on

NUMBERS = (0, -1, True, False, "5", 5.5, 5.0, None, float("nan"), float("inf"), [5], {}, 10**30)
"""No numbers of lines, none of them."""
FLAGS = {
    "grep": ("recursive", "ignoreCase", "fixedStrings"),
    "ls": ("all",),
    "sort": ("reverse", "numeric", "unique"),
    "uniq": ("count", "ignoreCase"),
}

TAKEN: list[tuple[str, JsonObject]] = [
    ("grep", {"pattern": "a", "paths": ["a"]}),
    ("grep", {"pattern": " ", "paths": ["a", "b"]}),
    ("grep", {"pattern": "a" * 1_024, "paths": ["a"] * 16}),
    ("ls", {}),
    ("ls", {"path": "."}),
    ("find", {}),
    ("find", {"type": "file", "name": "*.py", "maxDepth": 0}),
    ("find", {"type": "directory", "maxDepth": 32}),
    ("head", {"path": "a", "lines": 1}),
    ("head", {"path": "a", "lines": 1_000}),
    ("tail", {"path": "a", "lines": 1}),
    ("tail", {"path": "a", "lines": 1_000}),
    *(("wc", {"path": "a", "metric": metric}) for metric in ("lines", "words", "bytes")),
    *((name, on(name, "a", **{flag: value})) for name in FLAGS for flag in FLAGS[name] for value in (True, False)),
    *(("cut", {"path": "a", "fields": fields}) for fields in ("1", "1,3", "2-", "1-3,5-", "999999999", "5-3")),
    *(("cut", {"path": "a", "fields": "1", "delimiter": one}) for one in (",", "\t", " ", "-", "é", "\U0001f600")),
    ("du", {"path": "a", "maxDepth": 0}),
    ("du", {"path": "a", "maxDepth": 32}),
    ("pwd", {}),
]
REFUSED: list[tuple[str, Any]] = [
    *(("head", {"path": "a", "lines": number}) for number in (*NUMBERS, 1_001)),
    *(("tail", {"path": "a", "lines": number}) for number in (*NUMBERS, 1_001)),
    *(("du", {"path": "a", "maxDepth": number}) for number in (*NUMBERS[1:], 33)),
    *(("find", {"path": "a", "maxDepth": number}) for number in (*NUMBERS[1:], 33)),
    *((name, on(name, "a", **{flag: no})) for name in FLAGS for flag in FLAGS[name] for no in ("no", 1, 0, None, [])),
    *(("wc", {"path": "a", "metric": metric}) for metric in ("chars", "l", "-l", "Lines", "", None, 1, ["lines"])),
    *(("find", {"type": kind}) for kind in ("f", "d", "link", "", None, 1)),
    *(("find", {"name": name}) for name in ("", "a\nb", "a\rb", "a\0b", None, 5, ["*"], "a" * 1_025)),
    *(
        ("grep", {"pattern": text, "paths": ["a"]})
        for text in ("", "a\nb", "a\r", "a\0b", None, 5, ["a"], "a" * 1_025)
    ),
    *(
        ("cut", {"path": "a", "fields": fields})
        for fields in (
            "",
            "0",
            "-3",
            "1;rm",
            "1,",
            ",1",
            "1 2",
            "1-2-3",
            "a",
            "1\n",
            "1\0",
            "01",
            "1" * 10,
            None,
            1,
            [1],
        )
    ),
    *(("cut", {"path": "a", "fields": "1", "delimiter": one}) for one in ("", "ab", "\n", "\r", "\0", None, 5, [","])),
    ("cut", {"path": "a"}),
    ("grep", {"pattern": "a"}),
    ("grep", {"paths": ["a"]}),
    ("grep", {"pattern": "a", "paths": ["a"] * 17}),
    *((name, {}) for name in WITH_PATH if name not in ("ls", "find")),
    ("pwd", {"path": "."}),
]


@pytest.mark.promise("CMD-09", "CMD-10", "CMD-11", "CMD-12", "CMD-13")
@pytest.mark.case("TOOL-05")
@pytest.mark.parametrize(("name", "arguments"), TAKEN, ids=repr)
def test_what_is_taken_runs_once(name: str, arguments: JsonObject) -> None:
    executor = FakeExecutor()
    assert call(name, arguments, executor).status == "success"
    assert [one.program for one in executor.asked] == [name]


@pytest.mark.promise("CMD-03", "CMD-09", "CMD-10", "CMD-11", "CMD-12", "CMD-13")
@pytest.mark.case("TOOL-05", "ARG-13", "ARG-19")
@pytest.mark.parametrize(("name", "arguments"), REFUSED, ids=lambda one: repr(one)[:80])
def test_what_is_refused_does_not_run(name: str, arguments: Any) -> None:
    executor = FakeExecutor()
    with pytest.raises(InvalidArguments, match=f"^Tool '{name}' "):
        call(name, arguments, executor)
    assert executor.asked == []


@pytest.mark.promise("CMD-03")
@pytest.mark.case("TOOL-05")
@pytest.mark.parametrize("name", PROGRAMS)
def test_an_argument_that_is_not_in_the_tools_list_is_refused(name: str) -> None:
    executor = FakeExecutor()
    for unknown in (
        "args",
        "flags",
        "options",
        "expression",
        "command",
        "-exec",
        "-o",
        "--output",
        "Path",
        "path ",
        "",
    ):
        with pytest.raises(InvalidArguments, match="has the unknown property"):
            call(name, on(name, "a", **{unknown: "x"}), executor)
    assert executor.asked == []


@pytest.mark.case("ARG-19")
@pytest.mark.parametrize(
    "paths", ["src", ["a", 1], [["a"]], None, {"0": "a"}, [None], [True], [], 5, [b"a"]], ids=repr
)
def test_nothing_is_taken_apart_or_converted_to_a_list_of_paths(paths: Any) -> None:
    executor = FakeExecutor()
    with pytest.raises(InvalidArguments):
        call("grep", {"pattern": "a", "paths": paths}, executor)
    assert executor.asked == []


@pytest.mark.case("ARG-19")
@pytest.mark.parametrize("name", WITH_PATH)
def test_a_path_is_a_string(name: str) -> None:
    executor = FakeExecutor()
    for path in (["a"], 7, 7.0, True, None, {}, b"a"):
        with pytest.raises(InvalidArguments):
            call(name, on(name, path), executor)
    assert executor.asked == []
