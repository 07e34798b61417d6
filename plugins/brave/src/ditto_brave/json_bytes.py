"""JSON of strangers, read strictly and within bounds of memory and time.

The decoder of the standard library makes Python objects of all that it meets, which for a mebibyte of brackets takes
25, and its depth is that of the interpreter's stack. This one leaves strings and numbers as the bytes that they were,
counts the values, and goes no deeper than it is allowed to.
"""

from __future__ import annotations

import codecs
import json
import re
from typing import Final, TypeAlias

import attrs

from ditto_core import replace_surrogates

MAX_DEPTH: Final = 64
"""How many containers may be inside each other."""
MAX_VALUES: Final = 20_000
"""How many values a reply may have; one with 20 results of Brave has some 3,000."""
MAX_KEY: Final = 256
"""How many bytes the key of an object may have."""

Json: TypeAlias = "bytes | list[Json] | dict[str, Json]"
"""A value; of a scalar its bytes, such as ``b'"a"'``, ``b"12"`` and ``b"null"``."""

_STRING = rb'"[^"\\\x00-\x1f]*+(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*+)*+"'
_NUMBER = rb"-?+(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?+(?:[eE][+-]?+[0-9]++)?+"
_token = re.compile(rb"[ \t\n\r]*+(" + _STRING + rb"|" + _NUMBER + rb"|true|false|null|[][{},:])").match
_end = re.compile(rb"[ \t\n\r]*+").fullmatch
_MARKS: Final = frozenset({b"]", b"}", b",", b":"})
_PIECE: Final = 65_536  # bytes that are decoded at once: a character may take four times as much as its byte


class Unreadable(Exception):
    """The reply is not what it should be."""


def read_json(body: bytes) -> Json:
    """Return the one value of the body; raises :class:`Unreadable`.

    Refused are what is not UTF-8, a byte order mark, anything that RFC 8259 does not know, a key that an object has
    twice, and what is beyond the bounds above.
    """
    _check_encoding(body)
    reader = _Reader(body)
    value = reader.value(reader.token(), 0)
    if _end(body, reader.position) is None:
        raise Unreadable("something follows the value")
    return value


def text_of(token: bytes) -> str:
    """Return the text of a string; a surrogate without its other half becomes U+FFFD."""
    if b"\\" not in token:
        return token[1:-1].decode()
    return replace_surrogates(json.loads(token.decode()))


def _check_encoding(body: bytes) -> None:
    if body.isascii():
        return
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for start in range(0, len(body), _PIECE):
            decoder.decode(body[start : start + _PIECE])
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        raise Unreadable("it is not UTF-8") from None


@attrs.define(eq=False, repr=False)
class _Reader:
    """Reads from ``position`` on; ``values`` have been met."""

    body: bytes
    position: int = 0
    values: int = 0

    def token(self) -> bytes:
        """Return the next string, number, word or mark."""
        found = _token(self.body, self.position)
        if found is None:
            raise Unreadable("it is not JSON")
        self.position = found.end()
        return found[1]

    def value(self, token: bytes, depth: int) -> Json:
        """Return the value that begins with `token`, inside of `depth` containers."""
        self.values += 1
        if self.values > MAX_VALUES:
            raise Unreadable("it has too many values")
        if token == b"{":
            return self._object(depth + 1)
        if token == b"[":
            return self._list(depth + 1)
        if token in _MARKS:
            raise Unreadable("a value is missing")
        return token

    def _object(self, depth: int) -> dict[str, Json]:
        _check_depth(depth)
        found: dict[str, Json] = {}
        token = self.token()
        while token != b"}":
            if token[:1] != b'"' or len(token) > MAX_KEY + 2 or self.token() != b":":
                raise Unreadable("a key is missing or too long")
            key = text_of(token)
            if key in found:
                raise Unreadable("an object has a key twice")
            found[key] = self.value(self.token(), depth)
            token = self._next(b"}")
        return found

    def _list(self, depth: int) -> list[Json]:
        _check_depth(depth)
        found: list[Json] = []
        token = self.token()
        while token != b"]":
            found.append(self.value(token, depth))
            token = self._next(b"]")
        return found

    def _next(self, closing: bytes) -> bytes:
        """Return the mark that closes the container, or the token behind a comma, which is not that mark."""
        token = self.token()
        if token == closing:
            return token
        following = self.token() if token == b"," else closing
        if following == closing:
            raise Unreadable("a comma stands where none may, or is missing")
        return following


def _check_depth(depth: int) -> None:
    if depth > MAX_DEPTH:
        raise Unreadable("it is nested too deep")
