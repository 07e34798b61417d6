"""What a run has done so far, for those who want it also when the run is cancelled."""

from __future__ import annotations

from collections.abc import Iterable

import attrs

from ditto_core import UNSET, InteractionError, Observation, ToolCall, Unset
from ditto_infer import ModelMessage, Sample, Usage, assistant_message, tool_message

from .result import AgentResult, StopReason

_COUNTERS = ("input_tokens", "output_tokens", "total_tokens", "cached_tokens", "reasoning_tokens")


@attrs.define(kw_only=True, eq=False)
class Transcript:
    """Filled while a run goes on, and left as it was when it ended, however it ended.

    Give it as ``into=``. A run that is cancelled raises and returns nothing; what it had done stands here. The fields
    are those of :class:`AgentResult`; ``raised`` is the exception behind an ending, if there was one.
    """

    messages: list[ModelMessage] = attrs.field(factory=list)
    message: ModelMessage | Unset = UNSET
    observations: list[Observation] = attrs.field(factory=list)
    action_requests: list[ToolCall] = attrs.field(factory=list)
    in_doubt: str | Unset = UNSET
    steps: int = 0
    samples: int = 0
    action_calls: int = 0
    raised: Exception | None = None
    _usage: list[Usage] = attrs.field(factory=list, init=False)
    _used_ids: set[str] = attrs.field(factory=set, init=False)

    @property
    def usage(self) -> Usage:
        """The sums of the counters that every sample had."""
        columns = {name: [getattr(usage, name) for usage in self._usage] for name in _COUNTERS}
        return Usage(**{name: sum(found) for name, found in columns.items() if found and UNSET not in found})

    def sampled(self, sample: Sample) -> None:
        """Take note of what the model said."""
        self.samples += 1
        self._usage.append(sample.usage or Usage())
        self.message = assistant_message(sample)
        self.messages.append(self.message)
        self.action_requests = list(sample.action_requests)

    def repeats(self, requests: Iterable[ToolCall]) -> bool:
        """Tell whether a request has the id of an earlier one, and remember those of these."""
        ids = {request.id for request in requests}
        repeated = bool(ids & self._used_ids)
        self._used_ids |= ids
        return repeated

    def answered(self, request: ToolCall, observation: Observation) -> None:
        """Take note that a request has its answer."""
        self.observations.append(observation)
        self.messages.append(tool_message(request, observation))
        self.action_requests.remove(request)
        self.in_doubt = UNSET

    def ended(self, reason: StopReason, error: InteractionError | Unset = UNSET) -> AgentResult:
        """Return the result of the run."""
        return AgentResult(
            status="completed" if reason == "completed" else "partial" if self.samples else "failed",
            stop_reason=reason,
            message=self.message,
            messages=tuple(self.messages),
            observations=tuple(self.observations),
            action_requests=tuple(self.action_requests),
            in_doubt=self.in_doubt,
            steps=self.steps,
            action_calls=self.action_calls,
            usage=self.usage,
            error=error,
        )
