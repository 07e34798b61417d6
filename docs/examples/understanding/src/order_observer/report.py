"""What a finished task leaves: every round with its evidence, and the state that follows from them."""

from __future__ import annotations

from typing import Literal

import attrs

from ditto_core import ExternalResult, JsonObject, Observation

from .decision import Decision
from .json_text import written
from .request import Mode, Request
from .states import TaskState, state_for


@attrs.frozen(kw_only=True)
class Round:
    """One result, what was observed of it, and what was decided."""

    __hash__ = None  # type: ignore[assignment]

    result: ExternalResult
    observation: Observation
    decision: Decision


@attrs.frozen(kw_only=True)
class Report:
    """The outcome of a task. Every decision in it was held against its result, which is what ``verified`` says.

    ``needs_review`` and ``stopped`` are outcomes that were verified, and no successes. Nobody is notified.
    """

    __hash__ = None  # type: ignore[assignment]

    task_id: str
    mode: Mode
    state: TaskState
    rounds: tuple[Round, ...]
    verified: Literal[True] = True

    @classmethod
    def of(cls, request: Request, rounds: tuple[Round, ...]) -> Report:
        """Return the report of these rounds, of which there is at least one."""
        state = state_for(rounds[-1].decision.next_action)
        return cls(task_id=request.id, mode=request.mode, state=state, rounds=rounds)

    def to_json(self) -> JsonObject:
        """Return the report as it is kept and published."""
        return written(self)


@attrs.frozen(kw_only=True)
class Checkpoint:
    """A run that was told to stop, and did: what was found so far is kept, and a further run goes on from there."""

    stage: Literal["observed", "decision"]
    status: Literal["checkpoint"] = "checkpoint"
