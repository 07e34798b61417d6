"""The bounded reader takes what the standard library takes when it is strict, and nothing else."""

from __future__ import annotations

import json
import re
import tracemalloc
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ditto_brave.json_bytes import MAX_DEPTH, MAX_KEY, MAX_VALUES, Json, Unreadable, read_json, text_of

# Lone surrogates too; as a key, the longest has fewer bytes than a key may have.
TEXTS = st.text(st.characters(exclude_categories=()), max_size=12)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4))
DOCUMENTS = st.builds(
    lambda value, ascii_only, indent: json.dumps(value, ensure_ascii=ascii_only, indent=indent).encode(
        "utf-8", "surrogatepass"
    ),
    VALUES,
    st.booleans(),
    st.sampled_from([None, 1]),
)
PIECES = st.sampled_from(
    [
        *(bytes((byte,)) for byte in b'{}[],:-0\\"/ \n\0\x0b\xff'),
        *(b'"a"', b'"\\u0061"', b'"\\ud800"', b"1", b"1e5", b".5", b"NaN", b"true", b"null", b"tru"),
        *(b"\xef\xbb\xbf", b"\xc3\xa9"),
    ]
)
MIB = 1 << 20


@given(body=DOCUMENTS)
@pytest.mark.promise("D-WEB-03")
def test_what_json_writes_is_read(body: bytes) -> None:
    assert judged(body) == strictly(body)


@given(body=st.lists(PIECES, max_size=12).map(b"".join) | st.binary(max_size=20))
@example(body=b"")
@example(body=b"[1,]")
@example(body=b'{"a":1,}')
@example(body=b'{"a":1,"\\u0061":2}')
@example(body=b"[,1]")
@example(body=b"01")
@example(body=b"[1 2]")
@pytest.mark.promise("D-WEB-03")
def test_anything_else_is_judged_like_the_strict_standard_library(body: bytes) -> None:
    assert judged(body) == strictly(body)


@given(body=DOCUMENTS, data=st.data())
@pytest.mark.promise("D-WEB-03")
def test_a_spoilt_document_is_judged_alike_too(body: bytes, data: st.DataObject) -> None:
    where = data.draw(st.integers(0, len(body)))
    spoilt = body[:where] + data.draw(PIECES | st.just(b"")) + body[where + data.draw(st.integers(0, 2)) :]
    assert judged(spoilt) == strictly(spoilt)


@given(text=TEXTS)
@pytest.mark.promise("D-WEB-08")
def test_lone_surrogates_become_the_replacement_character(text: str) -> None:
    assert text_of(json.dumps(text).encode()) == whole(json.loads(json.dumps(text)))
    assert text_of(b'"\\ud800\\ud83d\\ude00\\udc00"') == "\ufffd😀\ufffd"


@pytest.mark.parametrize(
    ("body", "too_much"),
    [
        (b"[" * MAX_DEPTH + b"]" * MAX_DEPTH, b"[" * (MAX_DEPTH + 1) + b"]" * (MAX_DEPTH + 1)),
        (b'{"a":' * MAX_DEPTH + b"1" + b"}" * MAX_DEPTH, b'{"a":' * (MAX_DEPTH + 1) + b"1" + b"}" * (MAX_DEPTH + 1)),
        (b"[" + b"0," * (MAX_VALUES - 2) + b"0]", b"[" + b"0," * (MAX_VALUES - 1) + b"0]"),
        (b'{"%s":1}' % (b"k" * MAX_KEY), b'{"%s":1}' % (b"k" * (MAX_KEY + 1))),
    ],
    ids=["lists", "objects", "values", "key"],
)
@pytest.mark.promise("D-WEB-03")
def test_bounds_are_met_and_not_exceeded(body: bytes, too_much: bytes) -> None:
    read_json(body)
    with pytest.raises(Unreadable):
        read_json(too_much)


@pytest.mark.parametrize("unit", [b"[]", b'{"k":0}', '"😀"'.encode(), b'"\\u0041"', b"1"])
@pytest.mark.case("WEB-03")
def test_a_mebibyte_of_anything_takes_little_more_than_itself(unit: bytes) -> None:
    body = b"[" + b",".join([unit] * (MIB // (len(unit) + 1))) + b"]"
    assert growth(body) < 4 * MIB
    at_most = b"[" + b",".join([unit] * (MAX_VALUES // 6)) + b"]"
    assert growth(at_most) < 4 * MIB


@pytest.mark.parametrize("unit", ["x", "é", "😀", "x" * 999 + "😀", "\\n", "\\u0041"])
@pytest.mark.case("WEB-03")
def test_a_string_of_a_mebibyte_takes_little_more_than_itself(unit: str) -> None:
    assert growth(b'"' + unit.encode() * (MIB // len(unit.encode())) + b'"') < 4 * MIB


REFUSED: Any = object()


def judged(body: bytes) -> Any:
    """Give what is read, or that it is refused."""
    try:
        return meaning(read_json(body))
    except Unreadable:
        return REFUSED


def strictly(body: bytes) -> Any:
    """Give what the standard library reads, without what it is lenient about."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = {whole(key): value for key, value in pairs}
        if len(found) < len(pairs):
            raise ValueError
        return found

    def no_constant(name: str) -> Any:
        raise ValueError

    try:
        return plain(
            json.loads(
                body.decode(), object_pairs_hook=once, parse_constant=no_constant, parse_int=str, parse_float=str
            )
        )
    except ValueError:
        return REFUSED


def plain(value: Any) -> Any:
    """Give every scalar as text, as :func:`meaning` does."""
    if isinstance(value, dict):
        return {key: plain(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [plain(inner) for inner in value]
    return whole(value) if isinstance(value, str) else {None: "null", True: "true", False: "false"}[value]


def meaning(value: Json) -> Any:
    """Give every scalar as text: a string's, or the bytes of what is none."""
    if isinstance(value, dict):
        return {key: meaning(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [meaning(inner) for inner in value]
    return text_of(value) if value[:1] == b'"' else value.decode()


def whole(text: str) -> str:
    """Give the text without lone surrogates."""
    return re.sub("[\ud800-\udfff]", "\ufffd", text)


def growth(body: bytes) -> int:
    """Give the most memory that reading takes beside the body, in bytes."""
    tracemalloc.start()
    try:
        read_json(body)
    except Unreadable:
        pass
    finally:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    return peak
