"""JSON of strangers, read strictly."""

from __future__ import annotations

import json
import re
from typing import Any, Final

from ditto_core import JsonValue, parse_json

_SURROGATES: Final = re.compile("[\ud800-\udfff]")


class Unreadable(Exception):
    """The text is no JSON that can be taken, or has another shape; says why, without anything of the text."""


def read(body: bytes | str) -> JsonValue:
    """Return the one JSON value that the text is; raises :class:`Unreadable`.

    Refused are what is not UTF-8, a byte order mark, and what :func:`ditto_core.parse_json` refuses. A surrogate
    without its other half stays, for :func:`clean`.
    """
    try:
        text = body if isinstance(body, str) else body.decode()
        return parse_json(text, max_characters=len(text))  # it is bounded where it comes from
    except ValueError:  # of the bytes, or of the text
        pass
    raise Unreadable("it is no JSON, or JSON that Ditto does not take")  # out here: what was caught holds the text


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
