"""Servers that are processes of this machine and speak over their standard streams."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, ClassVar, Final, Literal

import attrs

from ditto_core import InvalidValue

from ..connection import McpConnection
from ..sdk import client_info
from .backlog import Answers, Questions
from .process import ServerProcess
from .route import MAX_MESSAGE_BYTES, protocol_mode, size
from .stream import MessageStream

if TYPE_CHECKING:
    from mcp import Client

_IMPOSSIBLE: Final = re.compile("[\0\ud800-\udfff]")  # NUL ends a text, and UTF-8 cannot write a lone surrogate
_OWNER: Final = "connect_stdio"


def connect_stdio(
    command: str,
    args: Sequence[str] = (),
    *,
    env: Mapping[str, str] | None = None,
    cwd: str | Path | None = None,
    stderr: Literal["inherit", "discard"] | IO[Any] = "inherit",
    mode: str = "auto",
    connect_timeout: float = 30.0,
    max_message_bytes: int = MAX_MESSAGE_BYTES,
) -> McpConnection:
    """Return a connection that starts a server as a process when it is opened, and ends it when it is closed.

    - ``command``, ``args``: the program, looked up in ``PATH`` or an absolute path, and its arguments; no shell.
    - ``env``: variables for the server beside ``HOME``, ``LOGNAME``, ``PATH``, ``SHELL``, ``TERM`` and ``USER``, which
      are all that it inherits. Secrets belong here and not into ``args``.
    - ``cwd``: the folder that it starts in; this process's own by default.
    - ``stderr``: where its standard error goes: to this process's own, nowhere, or into an open file.
    - ``mode``: how the version of the protocol is found: ``"auto"`` asks, ``"legacy"`` is the handshake of versions
      before 2026, and a version is taken as given.
    - ``connect_timeout``: seconds for starting and the handshake.
    - ``max_message_bytes``: the longest line that is read; the request whose answer is longer fails at once.

    The process is the leader of a session of its own. Closing ends its standard input, after 2 s sends SIGTERM to its
    group and after 2 s more SIGKILL. Noise on its standard output is passed over, bytes that are no UTF-8 become
    U+FFFD.

    Raises :class:`InvalidValue` for an argument that could not work.
    """
    if isinstance(args, str) or not isinstance(args, Sequence):
        raise InvalidValue(f"{_OWNER}.args", "must be a list of texts such as ['--root', '.']")
    if not isinstance(env, Mapping | None):
        raise InvalidValue(f"{_OWNER}.env", "must be a mapping of names to texts such as {'TOKEN': token}")
    variables = dict(env or {})
    if not _is_text(command) or not command:
        raise InvalidValue(f"{_OWNER}.command", "must be the name of a program or its absolute path, without NUL")
    if not all(map(_is_text, args)):
        raise InvalidValue(f"{_OWNER}.args", "must hold texts without NUL and lone surrogates")
    if not all(_is_text(name) and name and "=" not in name and _is_text(value) for name, value in variables.items()):
        raise InvalidValue(f"{_OWNER}.env", "must hold names without '=' and texts, both without NUL")
    if cwd is not None and not _is_text(str(cwd) if isinstance(cwd, Path) else cwd):
        raise InvalidValue(f"{_OWNER}.cwd", "must be the path of a folder")
    route = StdioRoute(
        words=(command, *args),
        env=variables,
        cwd=None if cwd is None else str(cwd),
        stderr=_descriptor(stderr),
        mode=protocol_mode(mode, _OWNER),
        max_message_bytes=size(max_message_bytes, f"{_OWNER}.max_message_bytes"),
    )
    return McpConnection(route, connect_timeout=connect_timeout)


@attrs.define(eq=False, repr=False, kw_only=True)
class StdioRoute:
    """The way to a server over the standard streams of a process."""

    label: ClassVar[str] = "The MCP server over stdio"

    words: tuple[str, ...]
    env: dict[str, str]
    cwd: str | None
    stderr: int | None
    mode: str
    max_message_bytes: int
    _last_words: str = ""

    @asynccontextmanager
    async def client(self, hang_up: asyncio.Event) -> AsyncIterator[Client]:
        """Start the process and the session; end both."""
        from mcp import Client

        async with Client(self._streams(hang_up), mode=self.mode, client_info=client_info(), cache=None) as client:
            yield client

    @asynccontextmanager
    async def _streams(self, hang_up: asyncio.Event) -> AsyncIterator[tuple[Questions, Answers]]:
        from mcp.client.stdio import get_default_environment

        process = await ServerProcess.start(
            self.words,
            env={**get_default_environment(), **self.env},
            folder=self.cwd,
            stderr=self.stderr,
            max_line_bytes=self.max_message_bytes,
            hang_up=hang_up,
        )
        try:
            stream = MessageStream(process)
            answers = Answers(stream)
            yield Questions(stream, answers), answers
        finally:
            is_lost = process.is_lost
            await process.end()
            code = process.exit_code
            if is_lost and code is not None:
                self._last_words = f"it ended with status {code}" if code >= 0 else f"it was ended by signal {-code}"

    def last_words(self) -> str:
        """Return how the process ended by itself."""
        return self._last_words


def _descriptor(stderr: object) -> int | None:
    """Return what the process gets as its standard error; None: this process's own."""
    if stderr == "inherit":
        return None
    if stderr == "discard":
        return asyncio.subprocess.DEVNULL
    problem = InvalidValue(f"{_OWNER}.stderr", "must be 'inherit', 'discard' or an open file")
    if isinstance(stderr, str | int) or not hasattr(stderr, "fileno"):
        raise problem
    try:
        number = stderr.fileno()
    except (OSError, ValueError):
        raise problem from None
    if type(number) is not int:
        raise problem
    return number


def _is_text(value: object) -> bool:
    """Tell whether a value is a text that can be handed to a program."""
    return type(value) is str and not _IMPOSSIBLE.search(value)
