"""The answer to a call: a result as content blocks, or why there is none."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

from mcp.types import AudioContent, CallToolResult, ContentBlock, ImageContent, ResourceLink, TextContent

from ditto_core import (
    UNSET,
    CallTimeout,
    DittoError,
    ExternalResult,
    InteractionError,
    InvalidResult,
    JsonPart,
    JsonValue,
    Reference,
    ReferencePart,
    TextPart,
    ToolDefinition,
    safe_message,
)

from .offering import RESULT, is_wrapped

_HELD: Final = re.compile(r"data:(?P<kind>image|audio)/(?P<subtype>[\w.+-]+);base64,(?P<data>[A-Za-z0-9+/]*={0,2})")
"""A reference that holds what it refers to."""

_MAYBE: Final = "It may have had its effect; check before you repeat it."


def answer(result: ExternalResult, definition: ToolDefinition, *, max_bytes: int) -> CallToolResult:
    """Return a result as the protocol has it.

    Anything but a success is an error whose first block is ``status: CODE: message``, then what the tool gave all the
    same. Structured content that is no object stands in an object, as :func:`output_schema` says; without other
    content it is written as text too, for clients that know no other. References become links, and those that hold
    an image or sound themselves become that.
    """
    structured = _structured(result, definition)
    content = [*_failure(result), *_content(result), *_links(result)]
    made = CallToolResult(content=content, is_error=result.status != "success", **structured)
    size = len(made.model_dump_json(by_alias=True).encode("utf-8", "surrogatepass"))
    if size <= max_bytes:
        return made
    return _error(
        f"failed: OUTPUT_TOO_LARGE: The result has {size:,} bytes, and {max_bytes:,} are allowed. "
        "The tool has run and had its effect. Ask for less."
    )


def refusal(error: DittoError | None) -> CallToolResult:
    """Return the answer to a call that gave no result, with a text that helps a model and tells nothing else.

    None stands for an exception of the tool's own.
    """
    if error is None:
        return _error(f"failed: TOOL_RAISED: The tool failed unexpectedly. {_MAYBE}")
    if isinstance(error, CallTimeout):
        return _error(
            f"timeout: CALL_TIMEOUT: The tool did not end in time. {_MAYBE if error.started else ''}".rstrip()
        )
    if isinstance(error, InvalidResult):
        return _error(f"failed: INVALID_RESULT: The tool gave an answer that cannot be used. {_MAYBE}")
    text = safe_message(str(error)[:512], "It was refused, for a reason that is not shown.")
    return _error(f"failed: {_code(error)}: {text}")


def _code(error: DittoError) -> str:
    """Return ``INVALID_ARGUMENTS`` for an ``InvalidArguments``."""
    name = type(error).__name__
    return "".join(f"_{letter}" if letter.isupper() and index else letter for index, letter in enumerate(name)).upper()


def _error(text: str) -> CallToolResult:
    return CallToolResult(content=[TextContent(text=text)], is_error=True)


def _failure(result: ExternalResult) -> Iterator[ContentBlock]:
    if result.status != "success":
        error = result.error
        told = f": {error.code}: {error.message}" if isinstance(error, InteractionError) else ""
        yield TextContent(text=f"{result.status}{told}")


def _structured(result: ExternalResult, definition: ToolDefinition) -> dict[str, Any]:
    value = result.structured_content
    if value is UNSET:
        return {}
    wrapped = is_wrapped(definition) or type(value) is not dict
    return {"structured_content": {RESULT: value} if wrapped else value}


def _content(result: ExternalResult) -> Iterable[ContentBlock]:
    content: Any = result.content
    if content is UNSET:
        value: Any = result.structured_content
        return [] if value is UNSET else [_text(value)]
    if type(content) is str:
        return [TextContent(text=content)]
    if type(content) is tuple:
        return [_block(part) for part in content]
    return [_text(content)]


def _block(part: TextPart | JsonPart | ReferencePart) -> ContentBlock:
    if isinstance(part, TextPart):
        return TextContent(text=part.text)
    if isinstance(part, JsonPart):
        return _text(part.data)
    return _link(part.reference)


def _text(value: JsonValue) -> TextContent:
    return TextContent(text=json.dumps(value, ensure_ascii=False))


def _links(result: ExternalResult) -> Iterator[ContentBlock]:
    """Give the references that the content does not hold already."""
    content: Any = result.content
    held = (
        {part.reference.uri for part in content if isinstance(part, ReferencePart)} if type(content) is tuple else ()
    )
    references = () if result.references is UNSET else result.references
    return (_link(one) for one in references if one.uri not in held)


def _link(reference: Reference) -> ContentBlock:
    held = _HELD.fullmatch(reference.uri)
    if held is not None:
        kind = ImageContent if held["kind"] == "image" else AudioContent
        return kind(data=held["data"], mime_type=f"{held['kind']}/{held['subtype']}")
    media_type = None if reference.media_type is UNSET else reference.media_type
    return ResourceLink(uri=reference.uri, name=reference.uri[:200], mime_type=media_type)
