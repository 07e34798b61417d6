"""JSON of strangers, read strictly."""

from __future__ import annotations

import json
import re
from typing import Any, Final, NoReturn

from ditto_core import JsonValue

_SURROGATES: Final = re.compile("[\ud800-\udfff]")


class Unreadable(Exception):
    """The text is no JSON that can be taken, or has another shape; says why, without anything of the text."""


def read(body: bytes | str) -> JsonValue:
    """Return the one JSON value that the text is; raises :class:`Unreadable`.

    Refused are what is not UTF-8, a byte order mark, a key that is twice in one object, NaN, infinities, an integer of
    more digits than Python reads, and what is nested deeper than the decoder goes. A surrogate without its other half
    becomes U+FFFD.
    """
    try:
        text = body if isinstance(body, str) else body.decode()
        value: JsonValue = json.loads(text, object_pairs_hook=_object, parse_constant=_no_number)
    except (ValueError, RecursionError):
        value, is_json = None, False
    else:
        is_json = True
    if not is_json:  # out here: what was caught holds the text
        raise Unreadable("it is no JSON, or JSON that Ditto does not take")
    return value


def read_object(body: bytes | str) -> dict[str, Any]:
    """Return the one object that the text is; raises :class:`Unreadable`."""
    value = read(body)
    if type(value) is not dict:
        raise Unreadable("it is no object")
    return value


def clean(text: str) -> str:
    """Return a text of a JSON string as UTF-8 can write it."""
    return text if text.isascii() else _SURROGATES.sub("\ufffd", text)


def write(value: JsonValue) -> str:
    """Return the value as one line of JSON."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key is there twice")
    return found


def _no_number(name: str) -> NoReturn:
    raise ValueError("NaN and infinities are no JSON")
