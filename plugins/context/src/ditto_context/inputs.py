"""The inputs of the two nodes."""

from __future__ import annotations

import attrs

from ditto_core import UNSET, InvalidValue, Message, Reference, Unset

from .checks import check_kind, check_name, check_tuple
from .contracts import Context, ContextItem, ContextScope, Ingress


@attrs.frozen(kw_only=True, unsafe_hash=False)
class ContextLoad:
    """Asks ``CONTEXT.LOAD`` for a context.

    - ``sources`` alone: the context that they make; nothing is kept.
    - ``scope`` alone: the context that is kept there.
    - both: the context that the sources make, which is kept there from now on, instead of what was; no sources clear
      it. ``expected_version`` makes that conditional: only if the version kept now is this one.

    Raises :class:`InvalidValue`.
    """

    __hash__ = None  # type: ignore[assignment]

    scope: ContextScope | Unset = UNSET
    sources: tuple[Message | Reference | ContextItem, ...] | Unset = UNSET
    expected_version: str | Unset = UNSET

    def __attrs_post_init__(self) -> None:
        if self.scope is UNSET and self.sources is UNSET:
            raise InvalidValue("ContextLoad", "needs a scope, sources or both")
        if self.scope is not UNSET:
            check_kind(self.scope, ContextScope, "ContextLoad.scope")
        if self.sources is not UNSET:
            check_tuple(self.sources, (Message, Reference, ContextItem), "ContextLoad.sources")
        if self.expected_version is not UNSET:
            check_name(self.expected_version, "ContextLoad.expectedVersion")
            if self.scope is UNSET or self.sources is UNSET:
                raise InvalidValue("ContextLoad.expectedVersion", "needs a scope and sources: nothing else is written")


@attrs.frozen(kw_only=True, unsafe_hash=False)
class ContextUpdate:
    """Asks ``CONTEXT.UPDATE`` for a changed context: items are removed, then added, then ingress is entered.

    Either ``context``, which stays as it is, or ``scope``, under which the changed one is kept; with a scope,
    ``expected_version`` refuses the change unless the version kept now is this one. Raises :class:`InvalidValue`.
    """

    __hash__ = None  # type: ignore[assignment]

    context: Context | Unset = UNSET
    scope: ContextScope | Unset = UNSET
    expected_version: str | Unset = UNSET
    remove_ids: tuple[str, ...] = ()
    add: tuple[ContextItem, ...] = ()
    ingress: tuple[Ingress, ...] = ()

    def __attrs_post_init__(self) -> None:
        if (self.context is UNSET) == (self.scope is UNSET):
            raise InvalidValue("ContextUpdate", "needs either a context or a scope, and not both")
        if self.context is not UNSET:
            check_kind(self.context, Context, "ContextUpdate.context")
        if self.scope is not UNSET:
            check_kind(self.scope, ContextScope, "ContextUpdate.scope")
        if self.expected_version is not UNSET:
            check_name(self.expected_version, "ContextUpdate.expectedVersion")
            if self.scope is UNSET:
                raise InvalidValue("ContextUpdate.expectedVersion", "needs a scope: a context passed along has none")
        check_tuple(self.remove_ids, (str,), "ContextUpdate.removeIds")
        check_tuple(self.add, (ContextItem,), "ContextUpdate.add")
        check_tuple(self.ingress, (Ingress,), "ContextUpdate.ingress")
