"""What a context may hold, and what an update may do to it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, get_args

import attrs

from ditto_core import UNSET, InvalidValue, ReferencePart, describe, quote

from .contracts import ContextItem
from .errors import ContextError
from .json_text import size_of

Duplicate = Literal["replace", "keep-first", "reject"]
MissingRemoval = Literal["ignore", "reject"]

MAX_POLICY = 1_000_000
"""The largest number that a policy may say."""


@attrs.frozen(kw_only=True)
class ContextPolicy:
    """The rules of a worker for all contexts that it makes.

    - ``max_inline_bytes``: how large one item's content may be as JSON in UTF-8. An item that has a source, or a part
      that is a reference, is exempt: it is meant to stand for something larger.
    - ``max_items``: how many items a context may have.
    - ``duplicate``: what an item does whose id is there: it takes the other's place, gives way to it, or is refused.
    - ``missing_removal``: whether removing an id that is not there is refused.

    Raises :class:`InvalidValue`.
    """

    max_inline_bytes: int = 65_536
    max_items: int = 256
    duplicate: Duplicate = "replace"
    missing_removal: MissingRemoval = "ignore"

    def __attrs_post_init__(self) -> None:
        for name, number in (("max_inline_bytes", self.max_inline_bytes), ("max_items", self.max_items)):
            if type(number) is not int or not 1 <= number <= MAX_POLICY:
                raise InvalidValue(f"ContextPolicy.{name}", f"must be an integer from 1 to {MAX_POLICY:,}")
        for name, word, kind in (
            ("duplicate", self.duplicate, Duplicate),
            ("missing_removal", self.missing_removal, MissingRemoval),
        ):
            if type(word) is not str or word not in get_args(kind):
                shown = quote(word) if type(word) is str else describe(word)
                raise InvalidValue(f"ContextPolicy.{name}", f"must be {' or '.join(get_args(kind))}, not {shown}")

    def changed(
        self, items: Iterable[ContextItem], removed: Iterable[str], added: Iterable[ContextItem]
    ) -> tuple[ContextItem, ...]:
        """Return the items without those removed and with those added; raises :class:`ContextError`."""
        found = {item.id: item for item in items}
        for id in removed:
            if found.pop(id, None) is None and self.missing_removal == "reject":
                raise ContextError("MISSING_ITEM", f"Context: there is no item {quote(id)} to remove.")
        for item in added:
            if item.id in found and self.duplicate != "replace":
                if self.duplicate == "keep-first":
                    continue
                raise ContextError(
                    "DUPLICATE_ITEM", f"Context: there is an item {quote(item.id)} already; remove it first."
                )
            self._check_size(item)
            found[item.id] = item  # one that is there keeps its place
        if len(found) > self.max_items:
            raise ContextError(
                "ITEM_LIMIT_EXCEEDED",
                f"Context: it would have {len(found):,} items, and may have {self.max_items:,}. Remove some.",
            )
        return tuple(found.values())

    def _check_size(self, item: ContextItem) -> None:
        if item.source is not UNSET:
            return
        if type(item.content) is tuple and any(type(part) is ReferencePart for part in item.content):
            return
        size = size_of(item)
        if size > self.max_inline_bytes:
            raise ContextError(
                "INLINE_LIMIT_EXCEEDED",
                f"Context: the content of item {quote(item.id)} has {size:,} bytes as JSON, and may have "
                f"{self.max_inline_bytes:,}. Keep an excerpt, and give the item the source of the whole.",
            )
