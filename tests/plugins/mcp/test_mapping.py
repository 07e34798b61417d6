"""Results of the SDK in the neutral form: every block in order, none dropped, no base64 in a text."""

from __future__ import annotations

import base64
import hashlib
import json
from pathlib import Path
from typing import Any, ClassVar

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from mcp.types import (
    AudioContent,
    BlobResourceContents,
    CallToolResult,
    ContentBlock,
    EmbeddedResource,
    ImageContent,
    ResourceLink,
    TextContent,
    TextResourceContents,
)

import ditto_mcp
from ditto_core import UNSET, ExternalResult, InteractionError, JsonPart, Reference, ReferencePart, TextPart, to_wire
from ditto_mcp.mapping.results import tool_result

WORDS = st.text(st.characters(exclude_categories=()), max_size=20)  # lone surrogates, too
RAW = st.binary(max_size=40).map(lambda raw: base64.b64encode(raw).decode())
DATA = RAW | WORDS
MIME = st.sampled_from(["image/png", "", "text/plain; charset=utf-8", "x", "text/html,<b>", "ä/b", "a/b\n"]) | WORDS
URI = st.sampled_from(["", "file:///a", "rel/path", "javascript:x"]) | WORDS
BLOCKS: st.SearchStrategy[ContentBlock] = st.one_of(
    st.builds(TextContent, text=WORDS),
    st.builds(ImageContent, data=DATA, mime_type=MIME),
    st.builds(AudioContent, data=DATA, mime_type=MIME),
    st.builds(ResourceLink, uri=URI, name=WORDS, mime_type=st.none() | MIME),
    st.builds(
        EmbeddedResource,
        resource=st.builds(TextResourceContents, uri=URI, mime_type=st.none() | MIME, text=WORDS)
        | st.builds(BlobResourceContents, uri=URI, mime_type=st.none() | MIME, blob=DATA),
    ),
)
SCALARS = st.none() | st.booleans() | st.integers() | st.text()
JSON = st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner))
RESULTS = st.builds(CallToolResult, content=st.lists(BLOCKS, max_size=6), is_error=st.booleans()) | st.builds(
    CallToolResult, content=st.lists(BLOCKS, max_size=3), structured_content=JSON, is_error=st.booleans()
)


@pytest.mark.promise("SDK-10", "D-MCP-06")
@pytest.mark.case("CALL-01", "CALL-05", "CALL-06", "CALL-08")
@given(RESULTS, st.integers(0, 60))
@example(CallToolResult(content=[]), 0)
@example(CallToolResult(content=[], structured_content=None), 0)
def test_every_result_has_a_form_that_the_core_takes_and_loses_no_block(answer: CallToolResult, room: int) -> None:
    result = tool_result(answer, max_inline_bytes=room)
    error = InteractionError(code="X", message="x") if answer.is_error else UNSET
    entered = ExternalResult(
        call_id="c",
        source="a:b",
        status="failed" if answer.is_error else "success",
        content=result.content,
        structured_content=result.structured_content,
        references=result.references,
        error=error,
    )
    to_wire(entered)  # looks all through it: JSON that UTF-8 can write
    assert result.is_error is answer.is_error
    assert result.error is UNSET
    assert (result.structured_content is UNSET) == ("structured_content" not in answer.model_fields_set)

    parts = parts_of(result.content) if answer.content else []
    assert [part.text for part in parts if isinstance(part, TextPart)] == [
        clean(text) for block in answer.content for text in texts_of(block)
    ]
    told = [part.data["kind"] for part in parts if isinstance(part, JsonPart)]  # type: ignore[index, call-overload]
    linked = [part.reference.uri for part in parts if isinstance(part, ReferencePart)]
    for block in answer.content:
        if isinstance(block, ResourceLink):
            assert clean(block.uri) in linked if block.uri else "resource_link" in told
        elif isinstance(block, ImageContent | AudioContent):
            assert block.type in told or any(uri.startswith("data:") for uri in linked)
    assert len(parts) >= len(answer.content)
    assert sum(map(inline_bytes, parts)) <= room


def parts_of(content: Any) -> list[Any]:
    return [TextPart(text=content)] if isinstance(content, str) else list(content)


def texts_of(block: ContentBlock) -> list[str]:
    if isinstance(block, TextContent):
        return [block.text]
    if isinstance(block, EmbeddedResource) and isinstance(block.resource, TextResourceContents):
        return [block.resource.text]
    return []


def inline_bytes(part: Any) -> int:
    if isinstance(part, ReferencePart) and part.reference.digest is not UNSET and ";base64," in part.reference.uri:
        return len(base64.b64decode(part.reference.uri.rpartition(";base64,")[2]))
    return 0


def clean(text: str) -> str:
    letters = json.loads(json.dumps(text))  # in which two halves are one letter
    return "".join("\N{REPLACEMENT CHARACTER}" if "\ud800" <= letter <= "\udfff" else letter for letter in letters)


def mapped(*blocks: ContentBlock, room: int = 65_536) -> Any:
    return tool_result(CallToolResult(content=list(blocks)), max_inline_bytes=room).content


def test_one_text_is_a_text_and_several_blocks_are_parts() -> None:
    assert mapped(TextContent(text="a")) == "a"
    assert mapped(TextContent(text="")) == ""
    assert mapped() == ""
    assert mapped(TextContent(text="a"), TextContent(text="b")) == (TextPart(text="a"), TextPart(text="b"))
    assert mapped(ResourceLink(uri="u", name="n")) == (ReferencePart(reference=Reference(uri="u")),)


@pytest.mark.promise("D-MCP-06")
def test_binary_data_over_the_limit_is_told_by_kind_size_and_digest() -> None:
    raw = b"x" * 100
    image = ImageContent(data=base64.b64encode(raw).decode(), mime_type="image/png")
    digest = f"sha256:{hashlib.sha256(raw).hexdigest()}"
    facts = {"kind": "image", "mediaType": "image/png", "bytes": 100, "digest": digest, "omitted": True}
    assert mapped(image, room=99) == (JsonPart(data=facts),)
    carried, told = mapped(image, image, room=150)
    assert carried.reference.uri.startswith("data:image/png;base64,")
    assert told == JsonPart(data=facts)


def test_data_that_is_no_base64_is_told_and_not_carried() -> None:
    facts = {"kind": "audio", "mediaType": "audio/wav", "invalidBase64": True, "omitted": True}
    assert mapped(AudioContent(data="not base64!", mime_type="audio/wav")) == (JsonPart(data=facts),)


def test_a_media_type_that_is_none_is_left_out() -> None:
    (part,) = mapped(ImageContent(data="AAEC", mime_type="text/html,<script>"))
    assert part.reference.uri == "data:application/octet-stream;base64,AAEC"
    assert part.reference.media_type is UNSET


def test_a_block_of_a_kind_that_nobody_knows_is_named() -> None:
    block = TextContent.model_construct(type="hologram", text="x")  # type: ignore[arg-type]
    assert mapped(block) == (JsonPart(data={"kind": "hologram", "unsupported": True}),)


@pytest.mark.promise("D-MCP-05")
@pytest.mark.case("DISC-11")
def test_a_field_that_the_sdk_renames_is_an_error_and_no_default() -> None:
    class Renamed:
        content: ClassVar[list[ContentBlock]] = []
        structuredContent: ClassVar[dict[str, int]] = {"a": 1}  # noqa: N815 - as version 1 calls it
        isError = True  # noqa: N815
        model_fields_set: ClassVar[set[str]] = {"structured_content"}

    with pytest.raises(AttributeError, match="structured_content"):
        tool_result(Renamed(), max_inline_bytes=0)  # type: ignore[arg-type]


@pytest.mark.promise("D-MCP-05")
def test_no_attribute_is_read_with_a_default() -> None:
    sources = {path: path.read_text() for path in Path(ditto_mcp.__file__).parent.rglob("*.py")}
    assert [path.name for path, source in sources.items() if "getattr(" in source] == []
