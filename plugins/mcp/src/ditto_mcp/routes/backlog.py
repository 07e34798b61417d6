"""What a server asks of its client, bounded: a server may ask without end and take none of the answers.

The SDK answers each request in a task of its own, and the task waits until the answer can be sent.
"""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING, Final, Protocol, Self

if TYPE_CHECKING:
    from mcp.shared.message import SessionMessage

MAX_ANSWERS: Final = 100
"""How many answers may wait to be taken by a server before its further requests are passed over."""


class Receiving(Protocol):
    """What is received, as transports of the SDK give it."""

    async def __anext__(self) -> SessionMessage | Exception:
        """Wait for the next message."""
        ...

    async def aclose(self) -> None:
        """Close the stream."""
        ...


class Sending(Protocol):
    """What is sent, as transports of the SDK take it."""

    async def send(self, item: SessionMessage, /) -> None:
        """Send a message."""
        ...

    async def aclose(self) -> None:
        """Close the stream."""
        ...


class _Closing:
    """A stream that is closed when it is left."""

    def __init__(self, stream: Receiving | Sending) -> None:
        self._source = stream

    async def aclose(self) -> None:
        """Close the stream."""
        await self._source.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()


class Answers(_Closing):
    """What is sent to a server; ``waiting`` answers of it have not been taken yet."""

    def __init__(self, stream: Sending) -> None:
        super().__init__(stream)
        self._stream = stream
        self.waiting = 0

    async def send(self, item: SessionMessage, /) -> None:
        """Send a message."""
        from mcp.types import JSONRPCError, JSONRPCResponse

        is_answer = isinstance(item.message, JSONRPCResponse | JSONRPCError)
        self.waiting += is_answer
        try:
            await self._stream.send(item)
        finally:
            self.waiting -= is_answer


class Questions(_Closing):
    """What is received from a server, without the requests that come while too many answers wait."""

    def __init__(self, stream: Receiving, answers: Answers) -> None:
        super().__init__(stream)
        self._stream = stream
        self._answers = answers

    def __aiter__(self) -> Self:
        """Return itself."""
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        """Wait for the next message."""
        from mcp.types import JSONRPCRequest

        while True:
            item = await self._stream.__anext__()
            if (
                isinstance(item, Exception)
                or not isinstance(item.message, JSONRPCRequest)
                or self._answers.waiting < MAX_ANSWERS
            ):
                return item

    async def receive(self) -> SessionMessage | Exception:
        """Wait for the next message."""
        return await self.__anext__()
