"""The port behind the node: who asks a model, and the error with which that fails."""

from __future__ import annotations

from typing import Literal, Protocol, TypeAlias, get_args

from ditto_core import DittoError, InteractionError

from . import checks
from .asking import SampleInput
from .sample import Sample

FailureStatus: TypeAlias = Literal["failed", "cancelled", "timeout"]
"""How a sample ends that was not one."""


class SampleFailed(DittoError):
    """A provider got no sample; it becomes a result with this status, code and message.

    The message must be fit to be shown: no key, no body of an answer, no path. What is not is refused with
    :class:`~ditto_core.InvalidValue`. ``retryable`` says whether the same request may succeed later; nothing is
    repeated because of it.
    """

    def __init__(self, code: str, message: str, *, retryable: bool = False, status: FailureStatus = "failed") -> None:
        super().__init__(message)
        checks.one_of(status, get_args(FailureStatus), "SampleFailed.status")
        self.error = InteractionError(code=code, message=message, retryable=retryable)
        self.status: FailureStatus = status


class ModelProvider(Protocol):
    """Asks models. The worker has checked the request and the permission, and bounds the time by cancelling."""

    @property
    def origin(self) -> str | None:
        """What a sandbox's ``network`` list has to hold; None only for a provider that opens no connection."""

    async def sample(self, request: SampleInput) -> Sample:
        """Ask once and return what the model gave. Raises :class:`SampleFailed`."""
        ...
