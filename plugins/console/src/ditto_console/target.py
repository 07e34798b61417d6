"""Where a delivery is written: the lowest stream below the one that was given, found anew for each delivery.

Below a text stream there is its byte stream, and below a buffered one its file. Writing there, after a flush, has a
reason: a thread that waits for a slow reader inside a buffered stream holds that stream's lock, and the interpreter,
which flushes standard output when it ends, would wait with it or abort.
"""

from __future__ import annotations

import io
import selectors
from typing import Any

import attrs

from ditto_core import InvalidValue


class StreamClosed(Exception):
    """The stream was closed before the write."""


class WriteFailed(Exception):
    """A stream raised, which is the cause; ``torn`` says that a part of the delivery may have been written."""

    def __init__(self, *, torn: bool) -> None:
        super().__init__()
        self.torn = torn


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Target:
    """A stream and what is below it.

    ``outer`` is the stream as given: flushed first, so that what the application printed before comes before.
    ``inner`` is what is written to, text if ``takes_text``, else bytes. ``encoding`` is that of the text stream.
    """

    outer: Any
    inner: Any
    encoding: str | None
    takes_text: bool

    def encode(self, text: str) -> str | bytes:
        """Return the text as ``inner`` takes it; what the stream cannot encode is replaced."""
        if not self.takes_text:
            return text.encode(self.encoding or "utf-8", "replace")
        return text.encode(self.encoding, "replace").decode(self.encoding) if self.encoding else text

    def write(self, data: str | bytes) -> None:
        """Write everything and flush; raises :class:`StreamClosed` or :class:`WriteFailed`, and nothing else."""
        try:
            closed = _is_closed(self.outer) or _is_closed(self.inner)
            if not closed:
                _flush(self.outer, self.inner)
        except BaseException as error:
            raise WriteFailed(torn=False) from error
        if closed:
            raise StreamClosed
        if isinstance(self.inner, io.RawIOBase) and isinstance(data, bytes):
            _write_raw(self.inner, data)
        else:
            _write_at_once(self.inner, data)


def find_target(stream: Any) -> Target:
    """Return where to write for a text or binary stream; raises :class:`InvalidValue` if it is none."""
    for method in ("write", "flush"):
        if not callable(getattr(stream, method, None)):
            raise InvalidValue("ConsoleSink.stream", f"must be a stream: it has no {method}(); open a file first")
    encoding, inner, takes_text = None, stream, False
    if isinstance(stream, io.TextIOBase) or hasattr(stream, "encoding"):
        encoding = stream.encoding if type(stream.encoding) is str else None
        joined = encoding is None or _can_be_joined(encoding)
        below = getattr(stream, "buffer", None)
        takes_text = not joined or not callable(getattr(below, "write", None))
        inner = stream if takes_text else below
    if type(inner) is io.BufferedWriter:
        inner = inner.raw
    return Target(outer=stream, inner=inner, encoding=encoding, takes_text=takes_text)


def _can_be_joined(encoding: str) -> bool:
    """Tell whether texts encoded one by one make the encoded whole; with a byte order mark before each they do not."""
    try:
        return "a".encode(encoding) + "b".encode(encoding) == "ab".encode(encoding)
    except LookupError:
        raise InvalidValue("ConsoleSink.stream", "has an encoding that Python does not know; give another") from None


def _is_closed(stream: Any) -> bool:
    try:
        return bool(getattr(stream, "closed", False))
    except ValueError:
        return True  # a text stream that was detached from its buffer


def _flush(stream: Any, inner: Any) -> None:
    while True:
        try:
            stream.flush()
        except BlockingIOError:
            _wait_for_room(inner)
        else:
            return


def _write_raw(raw: io.RawIOBase, data: bytes) -> None:
    """Write everything to an unbuffered stream, which may take a part at a time, or nothing now."""
    rest: bytes | memoryview = data
    try:
        while rest:
            taken = raw.write(rest)
            if taken is None:
                _wait_for_room(raw)
            elif 0 < taken <= len(rest):
                rest = memoryview(rest)[taken:]
            else:
                raise OSError("the stream takes nothing")
        raw.flush()
    except BaseException as error:
        raise WriteFailed(torn=len(rest) not in (0, len(data))) from error


def _write_at_once(stream: Any, data: str | bytes) -> None:
    try:
        stream.write(data)
        stream.flush()
    except BaseException as error:
        raise WriteFailed(torn=True) from error


def _wait_for_room(stream: Any) -> None:
    """Wait until a stream that never blocks (another process may have made standard output one) takes more."""
    with selectors.DefaultSelector() as selector:
        selector.register(stream.fileno(), selectors.EVENT_WRITE)
        selector.select()
