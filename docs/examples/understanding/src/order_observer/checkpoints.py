"""What is kept of a task in MEMORY, stage by stage, so that a further run does nothing twice."""

from __future__ import annotations

from typing import Final

import attrs

from ditto_core import ExternalResult, InvalidValue, JsonObject, JsonValue, Observation, from_wire
from ditto_memory import MemoryItem, MemoryResult, MemoryWrite, NewMemory

from .errors import CheckpointConflict, MemoryUnavailable, RequestChanged
from .request import Request
from .steps import Steps

STAGES: Final = ("input", "observed-0", "decision-0", "observed-1", "decision-1", "report")
"""The stages in their order; the second round and the report are not always there."""


@attrs.frozen(kw_only=True)
class Evidence:
    """The result of a round and its observation, as they are kept together."""

    __hash__ = None  # type: ignore[assignment]

    result: ExternalResult
    observation: Observation


class Checkpoints:
    """The stages of one task; every one of them carries the fingerprint of its request.

    Raises :class:`MemoryUnavailable`; :class:`RequestChanged` when the task's id was another request's;
    :class:`CheckpointConflict` for what no run of this request has written, and when another run was quicker.
    """

    def __init__(self, steps: Steps, request: Request) -> None:
        self._steps = steps
        self._request = request
        self._fingerprint = request.fingerprint()
        self._kept: dict[str, JsonValue] = {}

    async def begin(self) -> None:
        """Read all stages, and write the first one unless it is there."""
        keys = {self._key(stage): stage for stage in STAGES}
        for item in _settled(await self._steps.recall(*keys)):
            stage = keys[item.key or ""]
            self._kept[stage] = self._value(stage, item.content)
        if "input" not in self._kept:
            await self.keep("input", self._request.canonical())

    async def keep(self, stage: str, value: JsonValue) -> None:
        """Write a stage; once this returns, it is there whatever happens."""
        content: JsonObject = {"fingerprint": self._fingerprint, "value": value}
        memory = NewMemory(key=self._key(stage), content=content, metadata={"kind": "task-checkpoint"})
        _settled(await self._steps.remember(MemoryWrite(memories=(memory,))))
        self._kept[stage] = value

    def kept(self, stage: str) -> JsonValue:
        """Return what is kept of a stage, None if nothing is."""
        return self._kept.get(stage)

    def evidence(self, round: int) -> Evidence | None:
        """Return the evidence of a round as it is kept, None if there is none."""
        kept = self.kept(f"observed-{round}")
        if kept is None:
            return None
        try:
            return from_wire(Evidence, kept)
        except InvalidValue as error:
            raise CheckpointConflict(f"What is kept as observed-{round} is no evidence: {error}.") from error

    def _key(self, stage: str) -> str:
        return f"observation:{self._request.tenant}:{self._request.id}:{stage}"

    def _value(self, stage: str, content: object) -> JsonValue:
        if type(content) is not dict or content.keys() != {"fingerprint", "value"}:
            raise CheckpointConflict(f"What is kept as {stage} is no checkpoint.")
        if content["fingerprint"] != self._fingerprint:
            raise RequestChanged(
                f"The task {self._request.id} was begun with another request. A changed request needs a new id."
            )
        value: JsonValue = content["value"]
        return value


def _settled(result: MemoryResult) -> tuple[MemoryItem, ...]:
    """Return what a call of MEMORY gave: only a success with an output counts."""
    if result.status == "success" and isinstance(result.output, tuple):
        return result.output
    if result.error and result.error.code == "KEY_CONFLICT":
        raise CheckpointConflict("Another run has kept something else for this stage. Run again to go on from there.")
    code, message = (result.error.code, result.error.message) if result.error else ("?", "")
    raise MemoryUnavailable(f"The memory failed: {code}: {message}")
