"""The blocks of a result's content as parts of a message; each kind has its form, and none is left out in silence.

Binary data never gets into text. What is small enough becomes a reference with a ``data:`` address, of the rest kind,
size and digest are told.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from typing import TYPE_CHECKING, Any, Final

from ditto_core import UNSET, JsonPart, Part, Reference, ReferencePart, TextPart, Unset, replace_surrogates

if TYPE_CHECKING:
    from mcp.types import ContentBlock, EmbeddedResource, ResourceLink

MAX_INLINE_BYTES: Final = 65_536
"""How many bytes of binary data one result carries, unless the application says otherwise."""

_MEDIA_TYPE: Final = re.compile(
    r"[\w!#$&^.+-]{1,100}/[\w!#$&^.+-]{1,100}(?:; ?[\w-]{1,50}=[\w.+-]{1,100}){0,5}", re.ASCII
)


class Parts:
    """Collects the parts and the references of one result."""

    def __init__(self, max_inline_bytes: int) -> None:
        """Carry so many bytes of binary data, all blocks together."""
        self._room = max_inline_bytes
        self.parts: list[Part] = []
        self.references: list[Reference] = []

    def add(self, block: ContentBlock) -> None:
        """Add what a block says."""
        if block.type == "text":
            self.parts.append(TextPart(text=replace_surrogates(block.text)))
        elif block.type in ("image", "audio"):
            self._add_binary(block.type, block.data, block.mime_type)
        elif block.type == "resource_link":
            self._add_link(block)
        elif block.type == "resource":
            self._add_resource(block)
        else:
            self._add_fact(kind=str(block.type), unsupported=True)

    def _add_link(self, link: ResourceLink) -> None:
        if link.uri:
            self._refer(link.uri, link.mime_type)
        else:
            self._add_fact(kind=link.type, name=link.name, omitted=True)

    def _add_resource(self, block: EmbeddedResource) -> None:
        from mcp.types import TextResourceContents

        resource = block.resource
        if isinstance(resource, TextResourceContents):
            text = replace_surrogates(resource.text)
            self.parts.append(TextPart(text=text))
            if resource.uri:
                self.references.append(_reference(resource.uri, resource.mime_type, _digest(text.encode())))
        else:
            self._add_binary(block.type, resource.blob, resource.mime_type or "", uri=resource.uri)

    def _add_binary(self, kind: str, data: str, media_type: str, uri: str = "") -> None:
        try:
            raw = base64.b64decode(data, validate=True)
        except (binascii.Error, ValueError):
            if uri:
                self._refer(uri, media_type)
            self._add_fact(kind=kind, mediaType=media_type, invalidBase64=True, omitted=True)
            return
        digest = _digest(raw)
        if uri:
            self._refer(uri, media_type, digest)
        if len(raw) <= self._room:
            self._room -= len(raw)
            known = _media_type(media_type)
            address = f"data:{known or 'application/octet-stream'};base64,{base64.b64encode(raw).decode()}"
            self.parts.append(ReferencePart(reference=_reference(address, media_type, digest)))
        else:
            self._add_fact(kind=kind, mediaType=media_type, bytes=len(raw), digest=digest, omitted=True)

    def _refer(self, uri: str, media_type: str | None, digest: str | Unset = UNSET) -> None:
        reference = _reference(uri, media_type, digest)
        self.parts.append(ReferencePart(reference=reference))
        self.references.append(reference)

    def _add_fact(self, **facts: Any) -> None:
        """Say something about a block that is not carried itself."""
        self.parts.append(
            JsonPart(
                data={name: replace_surrogates(fact) if type(fact) is str else fact for name, fact in facts.items()}
            )
        )


def _reference(uri: str, media_type: str | None, digest: str | Unset) -> Reference:
    return Reference(uri=replace_surrogates(uri), media_type=_media_type(media_type) or UNSET, digest=digest)


def _media_type(text: str | None) -> str:
    """Return a media type that is one, else nothing."""
    return text if text and _MEDIA_TYPE.fullmatch(text) else ""


def _digest(data: bytes) -> str:
    return f"sha256:{hashlib.sha256(data).hexdigest()}"
