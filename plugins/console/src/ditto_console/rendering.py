"""How a delivery looks: one line of JSON for programs, or text for people."""

from __future__ import annotations

import json
from typing import Any

from ditto_core import (
    UNSET,
    Artifact,
    JsonPart,
    MessageContent,
    OutputRequest,
    Reference,
    ReferencePart,
    TextPart,
    to_wire,
)

# C0, DEL, C1 and the two Unicode line ends: a terminal obeys them, or a reader of lines ends a line there.
_CONTROLS = (*range(0x20), *range(0x7F, 0xA0), 0x2028, 0x2029)
_NAMED = {ord("\t"): "\\t", ord("\n"): "\\n", ord("\r"): "\\r"}
_ON_ONE_LINE = {code: _NAMED.get(code, f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}") for code in _CONTROLS}
_IN_TEXT = {code: shown for code, shown in _ON_ONE_LINE.items() if chr(code) not in "\n\t"}
_IN_JSON = {code: f"\\u{code:04x}" for code in _CONTROLS if chr(code) != "\n"}  # the encoder's own line ends stay


def as_json(request: OutputRequest) -> str:
    """Return the delivery as one line of ASCII: ``id``, ``message`` and, if they were given, ``artifacts``.

    Raises ``TypeError``, ``ValueError`` or ``RecursionError`` for content that is no JSON.
    """
    line: dict[str, Any] = {"id": request.delivery_id, "message": to_wire(request.message)}
    if request.artifacts is not UNSET:
        line["artifacts"] = [to_wire(artifact) for artifact in request.artifacts]
    text = json.dumps(line, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return text.replace("\x7f", "\\u007f") + "\n"  # the one control that the encoder leaves as it is


def as_text(request: OutputRequest) -> str:
    """Return the message's content for people, then a line with name and URI for each artifact.

    Text keeps its lines; other controls are escaped. JSON is indented, a reference is its URI and media type.
    Raises as :func:`as_json` does.
    """
    lines = [_content(request.message.content)]
    if request.artifacts is not UNSET:
        lines += [_artifact(artifact) for artifact in request.artifacts]
    return "".join(line if line.endswith("\n") else f"{line}\n" for line in lines)


def _content(content: MessageContent) -> str:
    if isinstance(content, str):
        return content.translate(_IN_TEXT)
    if isinstance(content, tuple):
        return "\n".join(map(_part, content))
    return _json(content)


def _part(part: TextPart | JsonPart | ReferencePart) -> str:
    if isinstance(part, TextPart):
        return part.text.translate(_IN_TEXT)
    if isinstance(part, JsonPart):
        return _json(part.data)
    return _reference(part.reference)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, indent=2).translate(_IN_JSON)


def _artifact(artifact: Artifact) -> str:
    return f"{artifact.name.translate(_ON_ONE_LINE)}: {_reference(artifact.reference)}"


def _reference(reference: Reference) -> str:
    kind = "" if reference.media_type is UNSET else f" ({reference.media_type})"
    return f"{reference.uri}{kind}".translate(_ON_ONE_LINE)
