"""How a run ended, and everything that it was."""

from __future__ import annotations

from typing import Literal, TypeAlias

import attrs

from ditto_core import UNSET, InteractionError, Observation, ToolCall, Unset
from ditto_infer import ModelMessage, Usage

AgentStatus: TypeAlias = Literal["completed", "partial", "failed"]
"""``completed``: the model answered. ``partial``: it was asked with success at least once. ``failed``: never."""
StopReason: TypeAlias = Literal[
    "completed",
    "max_steps",
    "max_action_calls",
    "max_tokens",
    "timeout",
    "cancelled",
    "dependency_failed",
    "error",
]
"""Why a run ended."""


@attrs.frozen(kw_only=True)
class AgentResult:
    """The outcome of a run.

    - ``message``: the last thing that the model said, if it said anything; the answer, when ``completed``.
    - ``messages``: the whole history, as a next request would carry it.
    - ``observations``: what was observed of each action that came to its end, in order.
    - ``action_requests``: what the model asked for and got no answer to, in order.
    - ``in_doubt``: the id of the one among them that had begun; its effect is uncertain, also when it
      was refused, for what a tool meets inside looks the same. All others have not run.
    - ``steps``, ``action_calls``: how often the model was asked, and how many requests were answered or begun.
    - ``usage``: the sums of the counters that every sample had.
    - ``error``: what went wrong, for ``cancelled``, ``timeout``, ``dependency_failed`` and ``error``.
    """

    __hash__ = None  # type: ignore[assignment]

    status: AgentStatus
    stop_reason: StopReason
    message: ModelMessage | Unset = UNSET
    messages: tuple[ModelMessage, ...]
    observations: tuple[Observation, ...] = ()
    action_requests: tuple[ToolCall, ...] = ()
    in_doubt: str | Unset = UNSET
    steps: int
    action_calls: int
    usage: Usage
    error: InteractionError | Unset = UNSET
