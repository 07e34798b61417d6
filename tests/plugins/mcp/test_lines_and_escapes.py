"""What comes in pieces says the same as what comes whole."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from ditto_mcp.routes.escapes import Repairer, repair
from ditto_mcp.routes.lines import EDGE, Line, LineSplitter

ANY_TEXT = st.text(st.characters(exclude_categories=()) | st.sampled_from('\\u"d8ud83d\ud800\udfff'), max_size=30)
ANY_JSON = st.recursive(ANY_TEXT, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(ANY_TEXT, inner))
LINES = st.lists(st.binary(max_size=40).map(lambda line: line.replace(b"\n", b"")), max_size=8)


def pieces(data: bytes, cuts: Iterable[int]) -> list[bytes]:
    places = sorted({cut % (len(data) + 1) for cut in cuts})
    return [data[start:end] for start, end in zip([0, *places], [*places, len(data)], strict=True)]


def clean(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, dict):
        return {clean(key): clean(item) for key, item in value.items()}
    return [clean(item) for item in value]


@given(ANY_JSON, st.lists(st.integers(0, 10_000), max_size=5))
@example(["\ud800", "\\ud800", "\ud83d\ude00", "\udfff\ud800"], [3, 5, 7, 9])
def test_lone_surrogates_alone_are_replaced_wherever_the_bytes_are_cut(value: Any, cuts: list[int]) -> None:
    data = json.dumps(value).encode()
    whole = repair(data)
    repairer = Repairer()
    assert b"".join([*map(repairer.feed, pieces(data, cuts)), repairer.end()]) == whole
    assert json.loads(whole) == clean(value)
    assert repair(whole) == whole


@given(st.binary(max_size=60), st.lists(st.integers(0, 60), max_size=5))
@example(b"\\ud8", [])
@example(b"\\ud800\\u", [7])
def test_bytes_that_are_no_json_are_repaired_alike_in_pieces(data: bytes, cuts: list[int]) -> None:
    repairer = Repairer()
    assert b"".join([*map(repairer.feed, pieces(data, cuts)), repairer.end()]) == repair(data)


@given(LINES, st.lists(st.integers(0, 400)))
def test_lines_are_the_same_wherever_the_bytes_are_cut(lines: list[bytes], cuts: list[int]) -> None:
    splitter = LineSplitter(40)
    data = b"".join(line + b"\n" for line in lines)
    assert [line for piece in pieces(data, cuts) for line in splitter.feed(piece)] == [Line(line) for line in lines]


@given(st.integers(1, 4 * EDGE), st.integers(0, 4 * EDGE), st.lists(st.integers(0, 8 * EDGE), max_size=5))
def test_a_line_that_is_too_long_keeps_its_ends_and_the_next_one_is_whole(
    limit: int, more: int, cuts: list[int]
) -> None:
    long = bytes(number % 9 + 48 for number in range(limit + 1 + more))
    splitter = LineSplitter(limit)
    data = long + (b"\nnext\n" if limit >= 4 else b"\n")
    taken = [line for piece in pieces(data, cuts) for line in splitter.feed(piece)]
    whole = [line for line in taken if line.rest is None]
    assert taken == [Line(long[:EDGE], long[-EDGE:]), *whole]
    assert whole == ([Line(b"next")] if limit >= 4 else [])
