"""An HTTP server on loopback that says what its script says, byte by byte, and remembers what it was asked."""

from __future__ import annotations

import asyncio
import socket
import struct
from collections.abc import Callable, Iterable
from contextlib import suppress
from types import TracebackType
from typing import Final, Literal, Self, TypeAlias
from urllib.parse import parse_qs, urlsplit

import attrs

MAX_REQUEST: Final = 1_048_576
"""How many bytes a request may have; the connection of a larger one is reset."""

_PIECE: Final = 65_536  # bytes that are handed to the system at once


@attrs.frozen(kw_only=True)
class HttpRequest:
    """A request as it arrived: ``target`` is the path with its query, names of ``headers`` are in lower case."""

    method: str
    target: str
    headers: tuple[tuple[str, str], ...]
    body: bytes = b""

    @property
    def path(self) -> str:
        """The target without its query."""
        return urlsplit(self.target).path

    @property
    def query(self) -> dict[str, list[str]]:
        """The values of the query by name, decoded."""
        return parse_qs(urlsplit(self.target).query, keep_blank_values=True)

    def all(self, name: str) -> list[str]:
        """Return the values of every header of that name."""
        return [value for key, value in self.headers if key == name.lower()]


@attrs.frozen(kw_only=True)
class Drip:
    """A step of a reply: sends a byte every ``pause`` seconds, again and again, until the client has gone."""

    data: bytes
    pause: float = 0.01


@attrs.frozen(kw_only=True)
class Flood:
    """A step of a reply: sends ``data`` again and again until the client has gone, at most ``size`` bytes in all."""

    data: bytes
    size: int = 1 << 30


Step: TypeAlias = bytes | Drip | Flood


@attrs.frozen(kw_only=True)
class HttpReply:
    """What the server sends, and what becomes of the connection then.

    ``keep`` waits for the next request, ``close`` closes the connection in the proper way, ``reset`` breaks it, and
    ``hold`` sends nothing more until the client has gone.
    """

    steps: tuple[Step, ...]
    then: Literal["keep", "close", "reset", "hold"] = "close"

    @property
    def is_endless(self) -> bool:
        """Whether the client has to put an end to it: by a deadline, or because it has had enough."""
        return self.then == "hold" or not all(isinstance(step, bytes) for step in self.steps)


class ScriptedHttpServer:
    """Answers every request from a script: for whoever has to show what a client of HTTP does with any answer.

    ``replies`` is one reply for all requests, a function from the request to its reply, or several that are used up
    in order, the last one for good. Enter it with ``async with``; it listens on a port of its own of 127.0.0.1, and
    leaving it ends all its connections. A client that is silent for ``patience`` seconds is given up.
    """

    def __init__(
        self, replies: HttpReply | Callable[[HttpRequest], HttpReply] | Iterable[HttpReply], *, patience: float = 30.0
    ) -> None:
        self.requests: list[HttpRequest] = []
        """What was asked for, in order."""
        self.connections = 0
        """How many connections there have been."""
        self.asked = asyncio.Event()
        """Set when the first request has arrived."""
        self._patience = patience
        self._reply = _replier(replies)
        self._listening: socket.socket | None = None
        self._serving: dict[asyncio.Task[None], socket.socket] = {}
        self._port = 0

    @property
    def origin(self) -> str:
        """Where it listens, such as ``http://127.0.0.1:49152``; after it was left, where nobody does."""
        return f"http://127.0.0.1:{self._port}"

    @property
    def open(self) -> int:
        """How many connections neither side has ended."""
        return len(self._serving)

    async def wait_until_idle(self) -> None:
        """Wait until every connection has ended; raises ``TimeoutError`` when one outlasts the patience."""
        async with asyncio.timeout(self._patience):
            while self._serving:
                await asyncio.wait(self._serving)

    async def __aenter__(self) -> Self:
        # Not with asyncio.start_server: it loses the sockets of connections that it takes just before it is closed.
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._listening.settimeout(0)
        self._port = self._listening.getsockname()[1]
        asyncio.get_running_loop().add_reader(self._listening, self._accept, self._listening)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._listening is not None  # noqa: S101 - it was entered
        asyncio.get_running_loop().remove_reader(self._listening)
        self._listening.close()
        for task in self._serving:
            task.cancel()
        await asyncio.gather(*self._serving, return_exceptions=True)

    def _accept(self, listening: socket.socket) -> None:
        with suppress(OSError):  # whoever wanted to connect has gone, or the process has no descriptor left
            connection, _ = listening.accept()
            connection.settimeout(0)
            self.connections += 1
            task = asyncio.ensure_future(self._serve(connection))
            self._serving[task] = connection
            task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._serving.pop(task).close()  # a task that is cancelled before its first step closes nothing itself

    async def _serve(self, connection: socket.socket) -> None:
        reader, writer = await asyncio.open_connection(sock=connection)
        try:
            async with asyncio.timeout(self._patience):
                while await self._answer(reader, writer):
                    pass
                writer.close()
                await writer.wait_closed()
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError, TimeoutError):
            pass  # the client has gone, or asks for what no server answers
        finally:
            writer.transport.abort()
            with suppress(OSError):
                await writer.wait_closed()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Answer one request; tell whether the connection is kept."""
        request = await _read(reader)
        self.requests.append(request)
        self.asked.set()
        reply = self._reply(request)
        for step in reply.steps:
            await _send(step, reader, writer)
        if reply.then == "hold":
            await _until_gone(reader)
        elif reply.then == "reset":
            _reset(writer)
        return reply.then == "keep"


async def _read(reader: asyncio.StreamReader) -> HttpRequest:
    """Return the next request; raises ``IncompleteReadError`` when there is none."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    first, *lines = head.removesuffix("\r\n\r\n").split("\r\n")
    method, target, _ = first.split(" ")
    pairs = [line.partition(":") for line in lines]
    headers = tuple((name.lower(), value.strip()) for name, _, value in pairs)
    size = sum(int(value) for name, value in headers if name == "content-length")
    if size > MAX_REQUEST:
        raise ValueError("the request is too large")
    return HttpRequest(method=method, target=target, headers=headers, body=await reader.readexactly(size))


async def _send(step: Step, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    if isinstance(step, bytes):
        for start in range(0, len(step), _PIECE):
            writer.write(step[start : start + _PIECE])
            await writer.drain()
    elif isinstance(step, Flood):
        for _ in range(step.size // len(step.data)):
            writer.write(step.data)
            await writer.drain()
    else:
        await _drip(step, reader, writer)


async def _drip(step: Drip, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while True:
        for byte in step.data:
            writer.write(bytes((byte,)))
            await writer.drain()
            with suppress(TimeoutError):
                await asyncio.wait_for(_until_gone(reader), step.pause)
                return


async def _until_gone(reader: asyncio.StreamReader) -> None:
    while await reader.read(4096):
        pass


def _reset(writer: asyncio.StreamWriter) -> None:
    connection: socket.socket = writer.get_extra_info("socket")
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


def _replier(
    replies: HttpReply | Callable[[HttpRequest], HttpReply] | Iterable[HttpReply],
) -> Callable[[HttpRequest], HttpReply]:
    if isinstance(replies, HttpReply):
        only = replies
        return lambda _: only
    if callable(replies):
        return replies
    rest = list(replies)
    if not rest:
        raise ValueError("ScriptedHttpServer: the script has no reply; give at least one.")
    return lambda _: rest.pop(0) if len(rest) > 1 else rest[0]


class DeafServer:
    """Listens and never takes a connection, so that connecting to it does not end by itself.

    Enter it with ``with``. Its queue is full from the beginning; what connects waits for an answer of the system, on
    which it goes on trying for minutes. Linux only: elsewhere the first connections may succeed.
    """

    def __init__(self) -> None:
        self._listening = socket.socket()
        self._waiting: list[socket.socket] = []

    @property
    def origin(self) -> str:
        """Where it listens, such as ``http://127.0.0.1:49152``."""
        return f"http://127.0.0.1:{self._listening.getsockname()[1]}"

    def __enter__(self) -> Self:
        self._listening.bind(("127.0.0.1", 0))
        self._listening.listen(0)
        for _ in range(4):
            waiting = socket.socket()
            waiting.settimeout(0)
            with suppress(BlockingIOError):
                waiting.connect(self._listening.getsockname())
            self._waiting.append(waiting)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for one in (*self._waiting, self._listening):
            one.close()
