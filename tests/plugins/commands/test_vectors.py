"""The exact argument vector that each tool makes of its arguments."""

from __future__ import annotations

import pytest

from ditto_core import Command, JsonObject
from tests.support.commands import WITH_PATH, FakeExecutor, call, on, words


@pytest.mark.promise("CMD-05")
@pytest.mark.case("ARG-04", "ARG-08")
@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({}, "-n -- needle a"),
        ({"recursive": True}, "-n -r -- needle a"),
        ({"ignoreCase": True}, "-n -i -- needle a"),
        ({"fixedStrings": True}, "-n -F -- needle a"),
        ({"fixedStrings": True, "ignoreCase": True, "recursive": True}, "-n -r -i -F -- needle a"),
        ({"recursive": False, "paths": ["a", "-b", "c/d"]}, "-n -- needle a -b c/d"),
        ({"pattern": "-r"}, "-n -- -r a"),
        ({"pattern": "--"}, "-n -- -- a"),
        ({"pattern": "-f/etc/hostname", "paths": ["--include=x"]}, "-n -- -f/etc/hostname --include=x"),
    ],
)
def test_grep(more: JsonObject, expected: str) -> None:
    assert words("grep", on("grep", "a", **more)) == tuple(expected.split())


@pytest.mark.promise("CMD-06")
@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({}, "-1 -- ."),
        ({"path": "a"}, "-1 -- a"),
        ({"path": "a", "all": True}, "-1 -a -- a"),
        ({"all": True}, "-1 -a -- ."),
        ({"path": "-a", "all": False}, "-1 -- -a"),
    ],
)
def test_ls(arguments: JsonObject, expected: str) -> None:
    assert words("ls", arguments) == tuple(expected.split())


@pytest.mark.promise("CMD-07")
@pytest.mark.parametrize("name", ["cat", "stat", "file"])
def test_cat_stat_and_file(name: str) -> None:
    assert words(name, {"path": "a/b"}) == ("--", "a/b")


@pytest.mark.promise("CMD-07")
def test_pwd() -> None:
    assert words("pwd", {}) == ()


@pytest.mark.promise("CMD-08")
@pytest.mark.case("ARG-01", "ARG-03")
@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({}, ". -maxdepth 8 -print"),
        ({"path": "."}, ". -maxdepth 8 -print"),
        ({"path": "a/b"}, "./a/b -maxdepth 8 -print"),
        ({"path": "./a"}, "./a -maxdepth 8 -print"),
        ({"path": ".a"}, "./.a -maxdepth 8 -print"),
        ({"path": "-delete"}, "./-delete -maxdepth 8 -print"),
        ({"path": "-delete", "maxDepth": 1}, "./-delete -maxdepth 1 -print"),
        ({"path": "("}, "./( -maxdepth 8 -print"),
        ({"path": "!"}, "./! -maxdepth 8 -print"),
        ({"path": "-"}, "./- -maxdepth 8 -print"),
        ({"type": "file"}, ". -maxdepth 8 -type f -print"),
        ({"type": "directory", "name": "*.py"}, ". -maxdepth 8 -type d -name *.py -print"),
        ({"name": "-delete", "maxDepth": 0}, ". -maxdepth 0 -name -delete -print"),
    ],
)
def test_find(arguments: JsonObject, expected: str) -> None:
    assert words("find", arguments) == tuple(expected.split())


@pytest.mark.promise("CMD-09")
@pytest.mark.parametrize("name", ["head", "tail"])
def test_head_and_tail(name: str) -> None:
    assert words(name, {"path": "a"}) == ("-n", "20", "--", "a")
    assert words(name, {"path": "a", "lines": 1_000}) == ("-n", "1000", "--", "a")


@pytest.mark.promise("CMD-10")
def test_wc() -> None:
    assert words("wc", {"path": "a"}) == ("-l", "--", "a")
    letters = {"lines": "-l", "words": "-w", "bytes": "-c"}
    assert {metric: words("wc", {"path": "a", "metric": metric}) for metric in letters} == {
        metric: (letter, "--", "a") for metric, letter in letters.items()
    }


@pytest.mark.promise("CMD-11")
def test_sort_and_uniq() -> None:
    assert words("sort", {"path": "a"}) == ("--", "a")
    assert words("sort", {"path": "a", "unique": True}) == ("-u", "--", "a")
    assert words("sort", {"path": "a", "unique": True, "numeric": True, "reverse": True}) == (
        "-r",
        "-n",
        "-u",
        "--",
        "a",
    )
    assert words("uniq", {"path": "a"}) == ("--", "a")
    assert words("uniq", {"path": "a", "ignoreCase": True, "count": True}) == ("-c", "-i", "--", "a")


@pytest.mark.promise("CMD-12")
def test_cut() -> None:
    assert words("cut", {"path": "a", "fields": "1,3-"}) == ("-f", "1,3-", "--", "a")
    assert words("cut", {"path": "a", "fields": "2", "delimiter": "-"}) == ("-d", "-", "-f", "2", "--", "a")


@pytest.mark.promise("CMD-13")
def test_du() -> None:
    assert words("du", {"path": "a"}) == ("-k", "--max-depth=1", "--", "a")
    assert words("du", {"path": "a", "maxDepth": 0}) == ("-k", "--max-depth=0", "--", "a")


@pytest.mark.promise("CMD-14")
@pytest.mark.case("ARG-07")
@pytest.mark.parametrize("name", WITH_PATH)
def test_a_lone_dash_is_a_file_of_that_name(name: str) -> None:
    made = words(name, on(name, "-"))
    assert "./-" in made
    assert "-" not in made


@pytest.mark.promise("CMD-18")
@pytest.mark.parametrize("name", WITH_PATH)
def test_what_runs_is_the_program_with_that_vector_and_the_tools_limits(name: str) -> None:
    executor = FakeExecutor()
    call(name, on(name, "a b"), executor)
    vector = words(name, on(name, "a b"))
    assert executor.asked == [Command(name, vector, max_stdout=65_536, max_stderr=8_192, max_lines=1_000)]
