"""Sinks that keep what they are given, or that answer from a script."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from ditto_core import UNSET, InteractionError, OutputReceipt, OutputRequest, ReceiptStatus

Reply: TypeAlias = OutputReceipt | BaseException | ReceiptStatus
"""What a scripted sink does: return the receipt, raise the exception, or return a receipt of that status."""


class RecordingSink:
    """Accepts every delivery and keeps it."""

    def __init__(self) -> None:
        self.requests: list[OutputRequest] = []
        """What was delivered, in order."""

    async def deliver(self, request: OutputRequest) -> OutputReceipt:
        """Keep the request and accept it."""
        self.requests.append(request)
        return receipt(request, "accepted")


class ScriptedSink:
    """Keeps every request and answers from a script: a function, or replies in order, the last one for good."""

    def __init__(self, replies: Iterable[Reply] | Callable[[OutputRequest], Reply]) -> None:
        self.requests: list[OutputRequest] = []
        """What was asked for, in order."""
        self._replies = replies if callable(replies) else list(replies)
        if not self._replies:
            raise ValueError("ScriptedSink: the script has no reply; give at least one.")

    async def deliver(self, request: OutputRequest) -> OutputReceipt:
        """Keep the request and do what the script says."""
        self.requests.append(request)
        reply = self._next(request)
        if isinstance(reply, BaseException):
            raise reply.with_traceback(None)  # it may be raised again, and would gather all that was ever called
        return reply if isinstance(reply, OutputReceipt) else receipt(request, reply)

    def _next(self, request: OutputRequest) -> Reply:
        if callable(self._replies):
            return self._replies(request)
        return self._replies.pop(0) if len(self._replies) > 1 else self._replies[0]


def receipt(request: OutputRequest, status: ReceiptStatus = "accepted") -> OutputReceipt:
    """Return a receipt for the request, with an error unless it is accepted."""
    if status == "accepted":
        return OutputReceipt(delivery_id=request.delivery_id, status=status, artifacts=request.artifacts)
    error = InteractionError(code="SCRIPTED", message=f"The script says {status}")
    return OutputReceipt(delivery_id=request.delivery_id, status=status, artifacts=UNSET, error=error)
