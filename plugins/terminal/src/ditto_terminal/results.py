"""The result of a call, for people and for programs."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

from ditto_core import UNSET, ExternalResult, JsonPart, ReferencePart, TextPart, to_wire

from .printing import shown, shown_on_one_line, write, write_json


def write_result(
    result: ExternalResult, *, as_json: bool, write_body: Callable[[ExternalResult], None] | None = None
) -> None:
    """Write a result: what it holds to standard output, and a failure to standard error."""
    if as_json:
        write_json(to_wire(result))
        return
    (write_body or write_content)(result)
    if result.status != "success":
        error = result.error
        sys.stderr.write(f"ditto: {result.status}: {error.code}: {error.message}\n" if error else f"{result.status}\n")


def write_content(result: ExternalResult) -> None:
    """Write the content, or the structured content of a result without one, and the references."""
    body = _body(result)
    if body:
        write(shown(body.removesuffix("\n")))
    for reference in result.references or ():
        write(shown_on_one_line(f"-> {reference.uri}"))


def write_hits(result: ExternalResult) -> None:
    """Write the hits of a search, each as its title, its URL and its snippet."""
    found: Any = result.structured_content
    if found is UNSET:
        return
    for hit in found["results"]:
        write(shown_on_one_line(hit["title"]))
        write(shown_on_one_line(f"  {hit['url']}"))
        if hit.get("snippet"):
            write(shown_on_one_line(f"  {hit['snippet']}"))


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
