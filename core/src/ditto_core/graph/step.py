"""A step: one node of a graph, and the handle by which the graph's other nodes and its outputs refer to it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

import attrs

from ..worker.node import Node

Out = TypeVar("Out", covariant=True)  # noqa: PLC0105 - a step that gives more also gives less


@attrs.frozen(kw_only=True, eq=False)
class Step(Generic[Out]):
    """A declared node of one graph, made by :meth:`Graph.node` or :meth:`Graph.add`; compares by identity.

    ``after`` are the steps whose outputs `bind` gets behind the run's input, in that order.
    """

    id: str
    node: Node[Any, Any] | str
    after: tuple[Step[Any], ...] = attrs.field(repr=lambda steps: repr([step.id for step in steps]))
    bind: Callable[..., Any] = attrs.field(repr=False)
