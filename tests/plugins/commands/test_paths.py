"""Which texts are paths, for every tool alike: the rule in Python beside the pattern that tools and schemas use."""

from __future__ import annotations

import string
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ditto_core import InvalidArguments
from tests.support.arguments import oracle
from tests.support.commands import TOOLS, WITH_PATH, FakeExecutor, call, on

REFUSED = (
    "",
    "/",
    "/etc/hostname",
    "//x",
    "..",
    "../x",
    "a/../b",
    "a/..",
    "a/../../x",
    "./..",
    "a//b",
    "a/",
    "./",
    "a\\b",
    "..\\x",
    "\\\\host\\share",
    "C:\\x",
    "C:/x",
    "c:x",
    "a\0b",
    "\0",
    "a\nb",
    "a\n",
    "\ta",
    "a\x1b[31m",
    "a\x7f",
    "a\x85",
    "a\u2028b",
    "a" * 1_025,
)
TAKEN = (
    ".",
    "a",
    "./a",
    "a/.",
    "a/./b",
    "...",
    "..a",
    "a..",
    "a../b",
    ".a",
    ".a/..b",
    "-",
    "--",
    "-rf",
    "~",
    "~root",
    "$HOME",
    "*",
    " ",
    " a ",
    "ab:c",
    "é/日本",
    "./C:x",
    "a" * 1_024,
)
_FORBIDDEN = frozenset(map(chr, (*range(32), *range(127, 160), 0x2028, 0x2029))) | {"\\"}


def stays(path: str) -> bool:
    """Tell whether a text is a path that stays in the workspace: the rule of the specification, step by step."""
    if not 1 <= len(path) <= 1_024 or _FORBIDDEN & set(path):
        return False
    if path[0] in string.ascii_letters and path[1:2] == ":":
        return False
    return all(segment not in ("", "..") for segment in path.split("/"))


def test_the_rule_of_the_tests_knows_the_examples() -> None:
    assert [path for path in REFUSED if stays(path)] == []
    assert [path for path in TAKEN if not stays(path)] == []


@pytest.mark.promise("CMD-04")
@pytest.mark.case("ARG-13", "ARG-15")
@pytest.mark.parametrize("name", WITH_PATH)
def test_every_path_of_every_tool_is_held_to_the_rule(name: str) -> None:
    executor = FakeExecutor()
    for path in REFUSED:
        with pytest.raises(InvalidArguments) as caught:
            call(name, on(name, path), executor)
        assert path in ("a" * 1_025, "") or "must be a relative path in the workspace: no leading" in str(caught.value)
    assert executor.asked == []
    for path in TAKEN:
        call(name, on(name, path), executor)
    assert len(executor.asked) == len(TAKEN)


@pytest.mark.promise("CMD-04")
@pytest.mark.case("ARG-13", "ARG-15")
@pytest.mark.parametrize("position", [0, 1, 15])
def test_one_bad_path_among_good_ones_refuses_the_call(position: int) -> None:
    executor = FakeExecutor()
    for bad in REFUSED:
        paths = ["good"] * 16
        paths[position] = bad
        with pytest.raises(InvalidArguments, match=rf"paths\[{position}\]"):
            call("grep", {"pattern": "a", "paths": paths}, executor)
    assert executor.asked == []


@pytest.mark.case("ARG-15")
@pytest.mark.parametrize("name", ["ls", "find"])
def test_without_a_path_the_workspace_is_meant(name: str) -> None:
    executor = FakeExecutor()
    call(name, {}, executor)
    call(name, {"path": "."}, executor)
    assert executor.asked[0] == executor.asked[1]


FITS = {name: oracle(TOOLS[name].input_schema) for name in ("cat", "grep")}

_nasty = st.text(st.sampled_from("/.ab-:C \\\n\0\x1f\x7f\x85\u2028é~*"), max_size=12)
_segments = st.lists(
    st.sampled_from([".", "..", "", "a", "..a", "a..", ".a", "...", "-", "C:", "a\\", "\n"]), max_size=5
)
_texts = st.one_of(_nasty, _segments.map("/".join), st.text(st.characters(exclude_categories=("Cs",)), max_size=12))


@pytest.mark.promise("CMD-04")
@pytest.mark.case("ARG-15")
@given(path=_texts)
@example("a" * 1_024)
@example("a" * 1_025)
def test_the_pattern_is_the_rule_for_tool_and_schema(path: str) -> None:
    for name, fits in FITS.items():
        arguments = on(name, path)
        assert _accepts(name, arguments) == stays(path) == fits(arguments)


def _accepts(name: str, arguments: Any) -> bool:
    try:
        TOOLS[name].validate(arguments)
    except ValueError:
        return False
    return True
