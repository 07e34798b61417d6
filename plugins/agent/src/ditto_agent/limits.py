"""How far a run may go."""

from __future__ import annotations

from typing import Final

import attrs

from ditto_core import InvalidValue, describe

MAX_STEPS: Final = 8
"""How often the model is asked unless the limits say otherwise."""
MAX_ACTION_CALLS: Final = 16
"""How many actions are run unless the limits say otherwise."""
TIMEOUT: Final = 30.0
"""How many seconds a run may take unless the limits say otherwise."""
MAX_TIMEOUT: Final = 2_147_483.647
"""The longest such time, in seconds."""


@attrs.frozen(kw_only=True)
class AgentLimits:
    """The limits of one run, each of which is an ending of its own.

    - ``max_steps``: how often the model is asked, at least 1.
    - ``max_action_calls``: how many requests of it are answered, refused ones included.
    - ``max_total_tokens``: tokens of all samples together, as the provider counts them; None for no such limit. With
      it, a sample without a count ends the run.
    - ``timeout``: seconds for the run as a whole.

    Raises :class:`~ditto_core.InvalidValue`.
    """

    max_steps: int = MAX_STEPS
    max_action_calls: int = MAX_ACTION_CALLS
    max_total_tokens: int | None = None
    timeout: float = TIMEOUT

    def __attrs_post_init__(self) -> None:
        _check("max_steps", self.max_steps, 1)
        _check("max_action_calls", self.max_action_calls, 0)
        if self.max_total_tokens is not None:
            _check("max_total_tokens", self.max_total_tokens, 1)
        if type(self.timeout) not in (int, float) or not 0 < self.timeout <= MAX_TIMEOUT:
            raise InvalidValue("AgentLimits.timeout", f"must be a number of seconds up to {MAX_TIMEOUT:,}")


def _check(field: str, value: object, least: int) -> None:
    if type(value) is not int or value < least:
        raise InvalidValue(f"AgentLimits.{field}", f"must be an integer of at least {least}, not {describe(value)}")
