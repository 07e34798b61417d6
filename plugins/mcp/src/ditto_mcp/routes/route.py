"""What a connection needs to know of the way to its server."""

from __future__ import annotations

import asyncio
import re
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, ClassVar, Final, Protocol

from ditto_core import InvalidValue

if TYPE_CHECKING:
    from mcp import Client

MAX_MESSAGE_BYTES: Final = 16_777_216
"""The longest message of a server that is read unless the application says otherwise, in bytes."""

_MODE: Final = re.compile(r"auto|legacy|\d{4}-\d{2}-\d{2}")


class Route(Protocol):
    """A way to one server, good for one connection."""

    label: ClassVar[str]
    """How messages call the server, such as ``"The MCP server over HTTP"``: nothing that is private."""

    mode: str
    """How the version of the protocol is found."""

    def client(self, hang_up: asyncio.Event) -> AbstractAsyncContextManager[Client]:
        """Return what connects an SDK client when it is entered, and closes all that it needed when it is left.

        It is entered and left in one task. The event ends the connection; the way sets it when the other end is gone.
        """
        ...

    def last_words(self) -> str:
        """Return what is known of the other end's trouble, such as ``"it ended with status 3"``, or nothing."""
        ...


def protocol_mode(mode: str, owner: str) -> str:
    """Return the mode of a handshake; raises :class:`InvalidValue` for what no version of the SDK can know."""
    if type(mode) is not str or not _MODE.fullmatch(mode):
        raise InvalidValue(
            f"{owner}.mode", "must be 'auto', 'legacy' or a version of the protocol such as '2026-07-28'"
        )
    return mode


def size(number: int, name: str) -> int:
    """Return a number of bytes; raises :class:`InvalidValue` for what is no positive integer."""
    if type(number) is not int or number <= 0:
        raise InvalidValue(name, "must be a number of bytes above 0")
    return number
