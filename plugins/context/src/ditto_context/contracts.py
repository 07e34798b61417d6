"""The values of CONTEXT: items, the context they make, the scope it is kept under, and what comes in from a node."""

from __future__ import annotations

import attrs

from ditto_core import UNSET, InvalidValue, JsonObject, MessageContent, Reference, Unset, quote

from .checks import check_kind, check_name, check_object, check_tuple


@attrs.frozen(kw_only=True, unsafe_hash=False)
class ContextItem:
    """One piece of what a model is shown: an id, a content, and where it comes from.

    ``content`` is text, parts or any JSON value, as that of a message. ``source`` points to the whole of what
    ``content`` is an excerpt of. Raises :class:`InvalidValue`.
    """

    __hash__ = None  # type: ignore[assignment]

    id: str
    content: MessageContent
    source: Reference | Unset = UNSET
    metadata: JsonObject | Unset = UNSET

    def __attrs_post_init__(self) -> None:
        check_name(self.id, "ContextItem.id")
        if self.source is not UNSET:
            check_kind(self.source, Reference, "ContextItem.source")
        if self.metadata is not UNSET:
            check_object(self.metadata, "ContextItem.metadata")


@attrs.frozen(kw_only=True, unsafe_hash=False)
class Context:
    """Items in the order in which a model is shown them, no two with one id.

    ``version`` is there when the context is kept under a scope: it names this very state, for ``expected_version``.
    Raises :class:`InvalidValue`.
    """

    __hash__ = None  # type: ignore[assignment]

    items: tuple[ContextItem, ...]
    version: str | Unset = UNSET

    def __attrs_post_init__(self) -> None:
        check_tuple(self.items, (ContextItem,), "Context.items")
        seen: set[str] = set()
        for index, item in enumerate(self.items):
            if item.id in seen:
                raise InvalidValue(f"Context.items[{index}].id", f"is there twice: {quote(item.id)}")
            seen.add(item.id)
        if self.version is not UNSET:
            check_name(self.version, "Context.version")


@attrs.frozen(kw_only=True)
class ContextScope:
    """What a context is kept under: all three parts together are the key, and no scope is the parent of another.

    At least one part is needed. A scope is a name and no credential: whoever may call the node may name any scope.
    Raises :class:`InvalidValue`.
    """

    session_id: str | Unset = UNSET
    turn_id: str | Unset = UNSET
    invocation_id: str | Unset = UNSET

    def __attrs_post_init__(self) -> None:
        parts = {"sessionId": self.session_id, "turnId": self.turn_id, "invocationId": self.invocation_id}
        if all(part is UNSET for part in parts.values()):
            raise InvalidValue("ContextScope", "needs a sessionId, a turnId or an invocationId")
        for name, part in parts.items():
            if part is not UNSET:
                check_name(part, f"ContextScope.{name}")


@attrs.frozen(kw_only=True, unsafe_hash=False)
class Ingress:
    """What a node gave, on its way into a context: the item also says which node that was.

    ``source_node`` is the qualified name of the node, such as ``INTERACTION.OBSERVE``; it is written into the item's
    metadata as ``sourceNode``, over anything that stands there. ``reference`` becomes the item's source.
    Raises :class:`InvalidValue`.
    """

    __hash__ = None  # type: ignore[assignment]

    id: str
    source_node: str
    content: MessageContent
    reference: Reference | Unset = UNSET
    metadata: JsonObject | Unset = UNSET

    def __attrs_post_init__(self) -> None:
        check_name(self.id, "Ingress.id")
        check_name(self.source_node, "Ingress.sourceNode")
        head, dot, tail = self.source_node.partition(".")
        if not (head and dot and tail):
            raise InvalidValue(
                "Ingress.sourceNode",
                f"must be a node's name with a dot, as 'INTERACTION.OBSERVE', not {quote(self.source_node)}",
            )
        if self.reference is not UNSET:
            check_kind(self.reference, Reference, "Ingress.reference")
        if self.metadata is not UNSET:
            check_object(self.metadata, "Ingress.metadata")

    def item(self) -> ContextItem:
        """Return the item that it becomes."""
        metadata = {} if self.metadata is UNSET else self.metadata
        return ContextItem(
            id=self.id,
            content=self.content,
            source=self.reference,
            metadata={**metadata, "sourceNode": self.source_node},
        )
