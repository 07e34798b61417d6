"""The check that an observation still says all that its result says."""

from __future__ import annotations

from typing import Final

from ditto_core import ExternalResult, Observation, ObserveInput, observe

from .errors import ObservationChanged
from .json_text import same, written

_FIELDS: Final = ("callId", "source", "status", "structuredContent", "error", "references", "metadata", "message")


def verify_observation(result: ExternalResult, observation: Observation) -> None:
    """Raise :class:`ObservationChanged` unless the observation is, in every field, that of the result.

    The message is compared too, with its role, its name and its content: a model reads nothing else.
    """
    expected, found = written(observe(ObserveInput(result=result))), written(observation)
    for field in _FIELDS:
        if (field in expected) != (field in found) or not same(expected.get(field), found.get(field)):
            raise ObservationChanged(field)
