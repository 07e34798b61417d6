"""A worker definition: the nodes it has, the ones it exposes, its resources and how many calls it takes at once."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from typing import Any

from ..errors import InvalidName, InvalidValue
from ..text import describe, quote
from ..tools.registry import ToolRegistry
from .handlers import ToolHandler
from .node import Handler, Node, NodeDefinition

MAX_WAITING = 10_000
"""How many calls may wait for a slot of one registration unless the worker says otherwise."""


class Worker:
    """What a runtime registers; registering it again makes a replica that shares what the handlers hold.

    - ``nodes``: definitions made by :meth:`Node.define` for this worker's ``type``.
    - ``expose``: the nodes (or their names) that may be called from outside; all when omitted.
    - ``resources()``, a plain function, is called once per registration; handlers find what it returns as
      ``context.resources``. ``dispose(resources)``, plain or async, is called once when that registration closes.
    - ``concurrency``: how many calls one registration runs at once, unlimited when None; further ones wait in the
      order they came, at most ``max_waiting`` of them.

    Raises :class:`InvalidName` and :class:`InvalidValue`.
    """

    def __init__(
        self,
        type: str,
        nodes: Iterable[NodeDefinition],
        *,
        expose: Iterable[Node[Any, Any] | str] | None = None,
        resources: Callable[[], Any] | None = None,
        dispose: Callable[[Any], Awaitable[None] | None] | None = None,
        concurrency: int | None = None,
        max_waiting: int = MAX_WAITING,
    ) -> None:
        if not isinstance(type, str) or not type or not type.isprintable():
            raise InvalidName(f"Worker {quote(type)}: the type must be a nonempty name such as 'INTERACTION'.")
        self.type = type
        self.handlers = _handlers(type, nodes)
        registries = [handler.registry for _, handler in self.handlers.values() if isinstance(handler, ToolHandler)]
        self.tools = registries[0] if registries else ToolRegistry()
        """The registry of its ``ACT.TOOL``, whose observers are told of all its calls; an empty one without that."""
        self.exposed = _exposed(type, self.handlers, expose)
        for field, function in (("resources", resources), ("dispose", dispose)):
            if function is not None and not callable(function):
                raise InvalidValue(field, f"of worker {type!r} must be a function, not {describe(function)}")
        self.resources = resources
        self.dispose = dispose
        self.concurrency = _positive(type, "concurrency", concurrency)
        self.max_waiting = _count(type, "max_waiting", max_waiting)

    def __repr__(self) -> str:
        return f"Worker({self.type!r}, nodes={sorted(self.exposed)})"


def _handlers(worker: str, nodes: Iterable[NodeDefinition]) -> dict[str, tuple[Node[Any, Any], Handler[Any, Any]]]:
    handlers: dict[str, tuple[Node[Any, Any], Handler[Any, Any]]] = {}
    for definition in nodes:
        if not isinstance(definition, NodeDefinition):
            raise InvalidValue(
                "nodes", f"hold {describe(definition)}; make definitions with NODE.define({worker!r}, handler)"
            )
        name = definition.node.type
        if definition.worker_type != worker:
            raise InvalidName(
                f"Worker {worker!r}: node {name!r} was defined for a worker of type {quote(definition.worker_type)}. "
                f"Define it with define({worker!r}, handler)."
            )
        if name in handlers:
            raise InvalidName(f"Worker {worker!r}: node {name!r} is defined twice. Leave one out.")
        handlers[name] = (definition.node, definition.handler)
    if not handlers:
        raise InvalidValue("nodes", f"of worker {worker!r} are empty; a worker needs at least one")
    return handlers


def _exposed(worker: str, handlers: dict[str, Any], expose: Iterable[Node[Any, Any] | str] | None) -> frozenset[str]:
    if expose is None:
        return frozenset(handlers)
    if isinstance(expose, str):
        raise InvalidValue("expose", f"of worker {worker!r} must be a list of nodes, not a string")
    names = frozenset(node if isinstance(node, str) else node.type for node in expose)
    unknown = names - handlers.keys()
    if unknown or not names:
        what = quote(min(unknown)) if unknown else "no node at all"
        raise InvalidName(f"Worker {worker!r}: exposes {what}, which it does not have. It has {sorted(handlers)}.")
    return names


def _positive(worker: str, field: str, number: int | None) -> int | None:
    if number is not None and (type(number) is not int or number < 1):
        raise InvalidValue(field, f"of worker {worker!r} must be a positive integer or None, not {_shown(number)}")
    return number


def _count(worker: str, field: str, number: int) -> int:
    if type(number) is not int or number < 0:
        raise InvalidValue(field, f"of worker {worker!r} must be an integer of at least 0, not {_shown(number)}")
    return number


def _shown(value: object) -> str:
    return str(value) if type(value) in (int, float, bool) else describe(value)
