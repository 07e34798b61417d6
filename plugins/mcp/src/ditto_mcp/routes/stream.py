"""The SDK's side of a server's two standard streams."""

from __future__ import annotations

import asyncio
from collections import deque
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self

from ..events import LOG
from .messages import messages_of
from .process import ServerProcess

if TYPE_CHECKING:
    from mcp.shared.message import SessionMessage
    from mcp.types import JSONRPCMessage


_TURN: Final = 50
"""How many lines are looked at before others get their turn: what has arrived at once may be many thousands."""


class MessageStream:
    """Both streams that the SDK wants of a transport, in one: what is received, and what is sent.

    It has no task of its own and nothing to close; the process is ended by who started it.
    """

    def __init__(self, process: ServerProcess) -> None:
        self._process = process
        self._messages: deque[JSONRPCMessage] = deque()
        self._was_noisy = False
        self._lines = 0

    def __aiter__(self) -> Self:
        """Return itself."""
        return self

    async def __anext__(self) -> SessionMessage:
        """Wait for the next message."""
        from mcp.shared.message import SessionMessage

        while not self._messages:
            self._lines += 1
            if self._lines % _TURN == 0:
                await asyncio.sleep(0)
            line = await self._process.line()
            if line is None:
                raise StopAsyncIteration
            if not line.data.strip():
                continue
            self._messages.extend(messages_of(line))
            if not self._messages and not self._was_noisy:
                self._was_noisy = True
                LOG.warning("mcp_output_ignored", bytes=len(line.data))
        return SessionMessage(self._messages.popleft())

    async def receive(self) -> SessionMessage:
        """Wait for the next message."""
        return await self.__anext__()

    async def send(self, item: SessionMessage, /) -> None:
        """Write a message as one line."""
        text = item.message.model_dump_json(by_alias=True, exclude_unset=True)
        await self._process.write(f"{text}\n".encode())

    async def aclose(self) -> None:
        """Do nothing."""

    async def __aenter__(self) -> Self:
        """Return itself."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Do nothing."""
