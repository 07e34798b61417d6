"""Which registrations offer which nodes, and which of them a call goes to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from ..errors import NodeUnavailable
from ..text import quote
from ..worker.node import Handler, Node

if TYPE_CHECKING:
    from .registration import Registration

Route: TypeAlias = "tuple[Registration, Node[Any, Any], Handler[Any, Any]]"


class Routes:
    """The routes to each exposed node, in the order of registration."""

    def __init__(self) -> None:
        self._by_node: dict[str, tuple[Route, ...]] = {}

    def add(self, registration: Registration) -> None:
        """Send calls of the nodes that a worker exposes to this registration too."""
        for name in registration.worker.exposed:
            node, handler = registration.worker.handlers[name]
            self._by_node[name] = (*self._by_node.get(name, ()), (registration, node, handler))

    def withdraw(self, registration: Registration) -> bool:
        """Send no further call to a registration; True once, then False."""
        found = False
        for name, routes in list(self._by_node.items()):
            left = tuple(route for route in routes if route[0] is not registration)
            if len(left) != len(routes):
                found = True
                self._by_node[name] = left
        return found

    def to(self, node: Node[Any, Any]) -> tuple[Route, ...]:
        """Return all routes to a node."""
        return self._by_node.get(node.type, ())

    def find(self, node: Any, pinned: Registration | None = None) -> Route:
        """Return the route of the least busy registration, or of the one that a call is pinned to."""
        name = node.type if type(node) is Node else node
        routes = self._by_node.get(name) if type(name) is str else None
        if pinned is not None:
            routes = tuple(route for route in routes or () if route[0] is pinned)
        if not routes:
            raise NodeUnavailable(self._unavailable(name, pinned))
        if len(routes) == 1:
            return routes[0]
        return min(routes, key=_load)

    def find_within(self, registration: Registration, node: Any) -> Route:
        """Stay on a caller's own registration for its worker's nodes, the private ones too; else find as usual."""
        name = node.type if type(node) is Node else node
        own = registration.worker.handlers.get(name) if type(name) is str else None
        return (registration, *own) if own is not None else self.find(node)

    def _unavailable(self, name: object, pinned: Registration | None) -> str:
        offered = ", ".join(sorted(name for name, routes in self._by_node.items() if routes)) or "none"
        where = "the worker it was pinned to is unregistered or" if pinned is not None else "no registered worker"
        verb = "does not expose it" if pinned is not None else "exposes it"
        return f"Node {quote(name)}: {where} {verb}. Exposed nodes: {offered}."


def _load(route: Route) -> int:
    return len(route[0].calls)
