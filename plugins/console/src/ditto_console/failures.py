"""Every way in which a delivery to a console can fail, and what its receipt then says."""

from __future__ import annotations

from typing import Final, Literal

import attrs

from ditto_core import UNSET, InteractionError, OutputReceipt, Unset


@attrs.frozen(kw_only=True)
class Failure:
    """What became of a delivery that was not accepted.

    ``rejected``: nothing was written. ``unknown``: all, a part or nothing of it may have arrived. ``cause`` is the
    name of the operating system's error or of the exception's class; the receipt's metadata carry it.
    """

    status: Literal["rejected", "unknown"]
    code: str
    message: str
    retryable: bool | Unset = UNSET
    cause: str = ""

    def receipt(self, delivery_id: str) -> OutputReceipt:
        """Return the receipt that tells it."""
        return OutputReceipt(
            delivery_id=delivery_id,
            status=self.status,
            error=InteractionError(code=self.code, message=self.message, retryable=self.retryable),
            metadata={"cause": self.cause} if self.cause else UNSET,
        )


NOT_JSON: Final = Failure(
    status="rejected",
    code="CONSOLE_NOT_JSON",
    message="The message holds a value that JSON cannot write; nothing was written.",
)
NO_STREAM: Final = Failure(
    status="rejected",
    code="CONSOLE_NO_STREAM",
    message="There is no stream, such as a standard output, that can be written to; nothing was written.",
)
NO_THREAD: Final = Failure(
    status="rejected",
    code="CONSOLE_NO_THREAD",
    message="The process can start no thread for the write, or is ending; nothing was written.",
)
CLOSED: Final = Failure(
    status="rejected",
    code="CONSOLE_CLOSED",
    message="The stream was closed before the write; nothing was written.",
)
BUSY: Final = Failure(
    status="rejected",
    code="CONSOLE_BUSY",
    message="Too many deliveries wait for this stream; nothing was written.",
    retryable=True,
)
WRITE_FAILED: Final = Failure(
    status="unknown",
    code="CONSOLE_WRITE_FAILED",
    message="The stream failed during the write; all, a part or nothing of it may have arrived.",
)
TIMEOUT: Final = Failure(
    status="unknown",
    code="CONSOLE_TIMEOUT",
    message="The stream did not take the delivery in time; it may still arrive.",
)

FAILURES: Final = (NOT_JSON, NO_STREAM, NO_THREAD, CLOSED, BUSY, WRITE_FAILED, TIMEOUT)
"""Every failure there is."""
