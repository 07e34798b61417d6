"""What a run has to know of a graph, worked out once and not for every run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .step import Step


class Plan:
    """Some steps by their position: whom each of them waits for, and who waits for it.

    Each of the steps stands behind those that it waits for.
    """

    def __init__(self, steps: Sequence[Step[Any]]) -> None:
        position = {step: index for index, step in enumerate(steps)}
        awaited = [{position[one] for one in step.after} for step in steps]
        self.steps = tuple(steps)
        self.by_id = {step.id: step for step in steps}
        self.missing = tuple(map(len, awaited))
        """How many other steps each step waits for."""
        self.first = tuple(index for index, count in enumerate(self.missing) if not count)
        """The positions of the steps that wait for nothing."""
        self.dependents: tuple[list[int], ...] = tuple([] for _ in steps)
        """The positions of the steps that wait for each step."""
        for index, others in enumerate(awaited):
            for one in others:
                self.dependents[one].append(index)
        self.calls = tuple({step.node: step for step in reversed(steps)}.values())
        """One step for each node that is called."""
