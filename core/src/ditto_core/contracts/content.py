"""References, message parts, content and its normal form.

Content is a string, a tuple of parts, or a JSON value. On the wire a tuple of parts is a list, so one rule tells
the two apart, there and wherever a value enters: a nonempty list whose items all are exactly parts *is* parts;
every other list is one JSON value and is never spliced into a message.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

import attrs

from ..errors import InvalidValue
from ..text import describe, quote
from .checks import check_exact, check_name, check_optional_text, check_text
from .json_values import JsonValue, check_json
from .unset import UNSET, Unset


@attrs.frozen(kw_only=True, unsafe_hash=False, init=False, slots=False)
class Reference:
    """A pointer to data that is kept elsewhere; nothing resolves, copies or uploads it.

    ``uri`` is nonempty; ``media_type`` and ``digest`` are optional.
    Raises :class:`InvalidValue`.
    """

    __hash__ = None  # type: ignore[assignment]

    uri: str
    media_type: str | Unset = UNSET
    digest: str | Unset = UNSET

    def __init__(
        self,
        *,
        uri: str,
        media_type: str | Unset = UNSET,
        digest: str | Unset = UNSET,
    ) -> None:
        check_name(uri, "Reference.uri")
        check_optional_text(media_type, "Reference.mediaType")
        check_optional_text(digest, "Reference.digest")
        values = self.__dict__
        values["uri"] = uri
        values["media_type"] = media_type
        values["digest"] = digest


@attrs.frozen(kw_only=True, unsafe_hash=False)
class TextPart:
    """A part of a message that is text."""

    __hash__ = None  # type: ignore[assignment]

    text: str

    def __attrs_post_init__(self) -> None:
        check_text(self.text, "TextPart.text")


@attrs.frozen(kw_only=True, unsafe_hash=False, init=False, slots=False)
class JsonPart:
    """A part of a message that is one JSON value, ``None`` (null) included."""

    __hash__ = None  # type: ignore[assignment]

    data: JsonValue

    def __init__(
        self,
        *,
        data: JsonValue,
    ) -> None:
        values = self.__dict__
        values["data"] = data


@attrs.frozen(kw_only=True, unsafe_hash=False)
class ReferencePart:
    """A part of a message that points to data elsewhere."""

    __hash__ = None  # type: ignore[assignment]

    reference: Reference

    def __attrs_post_init__(self) -> None:
        check_exact(self.reference, Reference, "ReferencePart.reference")


Part: TypeAlias = TextPart | JsonPart | ReferencePart
"""Any part of a message."""
if TYPE_CHECKING:
    MessageContent: TypeAlias = "str | tuple[Part, ...] | JsonValue"
else:
    MessageContent = Annotated[object, "text, parts or any JSON value"]  # as JsonValue, for readers of annotations

_PARTS = frozenset({TextPart, JsonPart, ReferencePart})


@attrs.frozen(kw_only=True, unsafe_hash=False, init=False, slots=False)
class Message:
    """One message: a role, a content and an optional name.

    Raises :class:`InvalidValue` for another role, a tuple that does not hold parts only, or a name that is no
    string. Content that is JSON is looked into where the message enters, not here.
    """

    __hash__ = None  # type: ignore[assignment]

    role: Literal["system", "user", "assistant", "tool"]
    content: MessageContent
    name: str | Unset = UNSET

    def __init__(
        self,
        *,
        role: Literal["system", "user", "assistant", "tool"],
        content: MessageContent,
        name: str | Unset = UNSET,
    ) -> None:
        if type(role) is not str or role not in _ROLES:
            raise InvalidValue("Message.role", f"must be system, user, assistant or tool, not {quote(role)}")
        if name is not UNSET:
            check_text(name, "Message.name")
        if type(content) is tuple:
            check_parts(content, "Message.content")
        values = self.__dict__
        values["role"] = role
        values["content"] = content
        values["name"] = name


_ROLES = frozenset({"system", "user", "assistant", "tool"})


def check_parts(content: tuple[object, ...], field: str) -> None:
    """Refuse a tuple that holds anything but parts."""
    for index, item in enumerate(content):
        if type(item) not in _PARTS:
            raise InvalidValue(
                f"{field}[{index}]", f"must be a TextPart, JsonPart or ReferencePart, not {describe(item)}"
            )


def enter_content(content: MessageContent, field: str) -> MessageContent:
    """Check content through and through and return it in its normal form.

    Raises :class:`InvalidValue` with the path of the first value that is no JSON.
    """
    kind = type(content)
    if kind is list:
        parts = parts_of_list(content)
        if parts is None:
            check_json(content, field)
            return content
        content, kind = parts, tuple
    if kind is tuple:
        if not content:
            return []
        for index, part in enumerate(content):  # type: ignore[arg-type]
            if type(part) is JsonPart:
                check_json(part.data, f"{field}[{index}].data")
        return content
    check_json(content, field)
    return content


def parts_of_list(items: object) -> tuple[Part, ...] | None:
    """Return the parts that a nonempty list of exactly parts stands for, else None."""
    if type(items) is not list or not items:
        return None
    parts = []
    for item in items:
        part = _part_of(item)
        if part is None:
            return None
        parts.append(part)
    return tuple(parts)


def _part_of(item: object) -> Part | None:
    """Return the part that `item` is exactly, in Python or on the wire: the right keys, no other, right types."""
    if type(item) in _PARTS:
        return item  # type: ignore[return-value]
    if type(item) is not dict or len(item) != 2:
        return None
    kind = item.get("type")
    if type(kind) is not str:
        return None
    try:
        if kind == "text" and type(item.get("text")) is str:
            return TextPart(text=item["text"])
        if kind == "json" and "data" in item:
            return JsonPart(data=item["data"])
        if kind == "reference":
            return _reference_part(item.get("reference"))
    except InvalidValue:
        return None
    return None


def _reference_part(fields: object) -> ReferencePart | None:
    if type(fields) is not dict or not fields.keys() <= {"uri", "mediaType", "digest"} or "uri" not in fields:
        return None
    return ReferencePart(
        reference=Reference(
            uri=fields["uri"], media_type=fields.get("mediaType", UNSET), digest=fields.get("digest", UNSET)
        )
    )
