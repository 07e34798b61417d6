"""The states of a task, what leads from one to the next, and how many rounds there are."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from .evidence import NextAction

TaskState: TypeAlias = Literal["pending", "waiting_retry", "reconciling", "completed", "needs_review", "stopped"]
"""Where a task stands. The last three are its ends; only ``completed`` is a success."""

ROUNDS: Final = 2
"""How many results are observed: the first call's, and one follow-up's."""

TERMINAL: Final[frozenset[TaskState]] = frozenset({"completed", "needs_review", "stopped"})
"""The states after which nothing happens any more."""

_AFTER: Final[dict[NextAction, TaskState]] = {
    "complete": "completed",
    "retry": "waiting_retry",
    "reconcile": "reconciling",
    "escalate": "needs_review",
    "stop": "stopped",
}
_TOOLS: Final[dict[str, str]] = {
    "pending": "result_read",
    "waiting_retry": "result_retry",
    "reconciling": "result_status",
}


def state_for(action: NextAction) -> TaskState:
    """Return the state that a decision leads to."""
    return _AFTER[action]


def admitted_tool(state: str) -> str | None:
    """Return the one tool that a task in this state may call for its next result; None when it may call none."""
    return _TOOLS.get(state)


def round_of(tool: str) -> int:
    """Return the round in which a tool is called: 0 for the first read, 1 for each follow-up."""
    return 0 if tool == "result_read" else 1
