"""The result of a call, for people and for programs."""

from __future__ import annotations

import json
import sys
from typing import Any

from ditto_core import UNSET, ExternalResult, JsonPart, ReferencePart, TextPart, to_wire

from .printing import shown, write, write_json


def write_result(result: ExternalResult, *, as_json: bool) -> None:
    """Write a result: the content, or the structured content without one; its failure to standard error."""
    if as_json:
        write_json(to_wire(result))
        return
    body = _body(result)
    if body:
        write(shown(body.removesuffix("\n")))
    for reference in result.references or ():
        write(shown(f"-> {reference.uri}"))
    if result.status != "success":
        error = result.error
        sys.stderr.write(f"ditto: {result.status}: {error.code}: {error.message}\n" if error else f"{result.status}\n")


def _body(result: ExternalResult) -> str:
    content: Any = result.content
    if type(content) is str:
        return content
    if isinstance(content, tuple):
        return "\n".join(_part(part) for part in content)
    value = result.structured_content if content is UNSET else content
    return "" if value is UNSET else json.dumps(value, indent=2, ensure_ascii=False)


def _part(part: TextPart | JsonPart | ReferencePart) -> str:
    if isinstance(part, TextPart):
        return part.text
    if isinstance(part, JsonPart):
        return json.dumps(part.data, indent=2, ensure_ascii=False)
    return f"-> {part.reference.uri}"
