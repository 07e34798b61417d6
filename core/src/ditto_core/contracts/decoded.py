r"""The entrance for text that was decoded from somebody's JSON: half a surrogate pair there is mended, not refused.

A JSON text may spell a lone surrogate (``"\ud800"``), and Python's parser hands it on. Nothing can write it again, so
it becomes U+FFFD, as an undecodable byte does. All else is refused as everywhere.
"""

from __future__ import annotations

from typing import Any

from ..errors import InvalidValue
from .checks import check_text
from .content import JsonPart, MessageContent, check_parts, enter_content
from .json_values import MAX_DEPTH, MAX_VALUES, JsonValue, check_json, has_lone_surrogate


def replace_surrogates(text: str) -> str:
    """Return `text` with each lone surrogate, which UTF-8 cannot write, replaced by U+FFFD."""
    if not has_lone_surrogate(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def enter_decoded_text(value: str, field: str) -> str:
    """Return a text without lone surrogates; raises :class:`InvalidValue` for what is no string."""
    if type(value) is str and value.isascii():  # the short way for what texts mostly are
        return value
    mended = replace_surrogates(value) if type(value) is str else value
    check_text(mended, field)
    return mended


def enter_decoded(value: JsonValue, path: str) -> JsonValue:
    """Check JSON through and through and return it, or a copy without lone surrogates.

    Raises :class:`InvalidValue` with the path of the first value that is no JSON.
    """
    try:
        check_json(value, path)
    except InvalidValue:
        mended = _Mending().of(value)
        check_json(mended, path)
        return mended
    return value


def enter_decoded_content(content: MessageContent, field: str) -> MessageContent:
    """Check content as :func:`enter_content` does and return its normal form without lone surrogates."""
    if type(content) is tuple:
        check_parts(content, field)
    try:
        return enter_content(content, field)
    except InvalidValue:
        return enter_content(_Mending().of_content(content), field)


class _Hopeless(Exception):
    """What is to be mended is refused in any case."""


class _Mending:
    """Copies a value without lone surrogates, each container once however often it is reached."""

    def __init__(self) -> None:
        self._copies: dict[int, JsonValue] = {}

    def of(self, value: JsonValue) -> JsonValue:
        """Return a copy without lone surrogates, or the value itself when that is none that could be mended."""
        try:
            return self._copied(value, MAX_DEPTH)
        except _Hopeless:
            return value

    def of_content(self, content: MessageContent) -> MessageContent:
        """Return content whose JSON holds no lone surrogates."""
        if type(content) is tuple:
            return tuple(JsonPart(data=self.of(part.data)) if type(part) is JsonPart else part for part in content)
        return self.of(content)  # type: ignore[arg-type]

    def _copied(self, value: JsonValue, depth: int) -> JsonValue:
        if type(value) is str:
            return replace_surrogates(value)
        if type(value) is not dict and type(value) is not list:
            return value
        if id(value) not in self._copies:
            if not depth or len(value) > MAX_VALUES:  # a cycle has no end to its depth
                raise _Hopeless
            copy = self._members(value, depth) if type(value) is dict else self._items(value, depth)
            self._copies[id(value)] = copy
        return self._copies[id(value)]

    def _items(self, items: Any, depth: int) -> JsonValue:
        return [self._copied(item, depth - 1) for item in items]

    def _members(self, members: Any, depth: int) -> JsonValue:
        made: dict[str, JsonValue] = {}
        for key, item in members.items():
            mended = replace_surrogates(key) if type(key) is str else key
            if mended in made:  # two members would become one
                raise _Hopeless
            made[mended] = self._copied(item, depth - 1)
        return made
