"""What the nodes of a run gave, by step or by id."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeVar, overload

from ..errors import InvalidValue
from ..text import describe, quote
from .step import Step

Out = TypeVar("Out")


class Outputs(Mapping[str, Any]):
    """The outputs of a run by the ids of its nodes, in the order in which the nodes ended.

    ``outputs[step]`` has the type of the step's output, ``outputs["id"]`` has none; both raise :class:`KeyError` for
    a node that has none. An empty ``Outputs()`` that is given to a run as ``into=`` is filled while the nodes end,
    and so tells what a run that failed has done; ``errors`` then holds what its nodes raised, by id. It serves one
    run.
    """

    def __init__(self) -> None:
        self.errors: dict[str, BaseException] = {}
        self._values: dict[str, Any] = {}
        self._steps: Mapping[str, Step[Any]] | None = None

    def begin(self, steps: Mapping[str, Step[Any]]) -> dict[str, Any]:
        """Take the outputs of a run of these steps, and return where they go; raises :class:`InvalidValue`."""
        if self._steps is not None:
            raise InvalidValue("into", "has been given to a run before; give each run an Outputs() of its own")
        self._steps = steps
        return self._values

    @overload
    def __getitem__(self, step: Step[Out], /) -> Out: ...
    @overload
    def __getitem__(self, step: str, /) -> Any: ...
    def __getitem__(self, step: Step[Any] | str, /) -> Any:
        id = step.id if type(step) is Step else step
        if type(id) is not str:
            raise KeyError(f"Outputs are found by a step or by its id, not by {describe(step)}.")
        known = self._steps or {}
        if id not in known:
            raise KeyError(f"The graph has no node {quote(id)}. It has {', '.join(map(quote, known)) or 'none'}.")
        if step is not id and step is not known[id]:
            raise KeyError(f"This step {quote(id)} belongs to another graph than the one that ran.")
        if id not in self._values:
            fate = "raised an error, see errors" if id in self.errors else "has not ended"
            raise KeyError(f"Node {quote(id)} has no output: it {fate}.")
        return self._values[id]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return f"Outputs({', '.join(map(quote, self._values))})"
