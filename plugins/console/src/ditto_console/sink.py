"""The console sink, itself a plugin."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Mapping
from typing import Any, ClassVar, Literal

import attrs

from ditto_core import UNSET, InvalidValue, OutputReceipt, OutputRequest, OutputSink, duration, hookimpl

from .failures import NO_STREAM, NOT_JSON, TIMEOUT, Failure
from .rendering import as_json, as_text
from .target import find_target
from .writer import Delivery, writer_of


@attrs.frozen(eq=False)
class ConsoleSink:
    """Delivers to standard output or another stream: one write for each delivery, flushed before the receipt.

    ``stream`` is a text or binary stream; None is what ``sys.stdout`` is at the time of a delivery, so that
    redirections and test captures hold. ``json`` writes one line of ASCII with the keys ``id``, ``message`` and,
    if given, ``artifacts``; ``text`` writes the message's content for people, then name and URI of each artifact,
    with controls escaped and what the stream cannot encode replaced. ``timeout`` is how many seconds a delivery may
    take, the wait for those before it included.

    Sinks on one stream share its line: deliveries never mix, whichever task, thread or event loop they come from.
    What the application prints to the stream meanwhile, from another thread, is not held back. The sink opens and
    closes nothing. Raises :class:`InvalidValue` for options that it cannot work with.
    """

    api_version: ClassVar[int] = 1

    stream: Any = attrs.field(default=None, repr=False)
    format: Literal["json", "text"] = attrs.field(
        default="json", metadata={"description": "json writes one line for programs, text is for people"}
    )
    timeout: float = attrs.field(
        default=10.0, metadata={**duration(), "description": "milliseconds that one delivery may take"}
    )

    def __attrs_post_init__(self) -> None:
        if self.stream is not None:
            writer_of(find_target(self.stream))
            _check_open_for_writing(self.stream)
        if type(self.format) is not str or self.format not in ("json", "text"):
            raise InvalidValue("ConsoleSink.format", "must be 'json' or 'text'")
        if type(self.timeout) not in (int, float) or not 0 < self.timeout <= sys.float_info.max:
            raise InvalidValue("ConsoleSink.timeout", "must be a positive number of seconds, such as 10.0")

    @hookimpl
    def ditto_output_sinks(self) -> Mapping[str, OutputSink]:
        """Offer this sink as ``console``."""
        return {"console": self}

    async def deliver(self, request: OutputRequest) -> OutputReceipt:
        """Write the delivery and return ``accepted`` once it is flushed, with the artifacts if there were some.

        ``rejected`` says that nothing was written, ``unknown`` that the write failed or the reader was too slow:
        the delivery may have arrived, or may still arrive. :data:`FAILURES` lists all. A cancelled delivery is
        withdrawn if it has not begun; otherwise the write goes on.
        """
        failure = await self._deliver(request)
        if failure is not None:
            return failure.receipt(request.delivery_id)
        return OutputReceipt(delivery_id=request.delivery_id, status="accepted", artifacts=request.artifacts or UNSET)

    async def _deliver(self, request: OutputRequest) -> Failure | None:
        try:
            text = as_json(request) if self.format == "json" else as_text(request)
        except (TypeError, ValueError, RecursionError):
            return NOT_JSON
        try:
            target = find_target(sys.stdout if self.stream is None else self.stream)
            writer = writer_of(target)
        except InvalidValue:
            return NO_STREAM
        written: asyncio.Future[Failure | None] = asyncio.get_running_loop().create_future()
        refused = writer.submit(Delivery(target=target, data=target.encode(text), written=written))
        if refused is not None:
            return refused
        try:
            await asyncio.wait((written,), timeout=self.timeout)
        except asyncio.CancelledError:
            written.cancel()
            raise
        return written.result() if written.done() else TIMEOUT


def _check_open_for_writing(stream: Any) -> None:
    writable = getattr(stream, "writable", None)
    if not callable(writable):
        return
    try:
        if writable():
            return
    except ValueError:
        return  # it is closed, which each delivery will say
    raise InvalidValue("ConsoleSink.stream", "is not open for writing; open it with the mode 'w' or 'a'")
