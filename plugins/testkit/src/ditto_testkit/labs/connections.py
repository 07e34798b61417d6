"""Where connections of this process go, as the interpreter itself reports it."""

from __future__ import annotations

from typing import Any

import attrs

from ..audit import Recording

_ADDRESS = {"socket.connect": 1, "socket.sendto": 1, "socket.sendmsg": 1}


@attrs.define(eq=False)
class Connections(Recording):
    """Keeps, instead of the names of events, the addresses: ``127.0.0.1:80``, or ``lookup of host:80``."""

    def take(self, event: str, arguments: tuple[Any, ...]) -> None:
        """Keep an event, if it is about the network."""
        if event == "socket.getaddrinfo":
            self.sockets.append(f"lookup of {arguments[0]}:{arguments[1]}")
        elif event in _ADDRESS and len(arguments) > 1 and type(arguments[1]) is tuple:
            self.sockets.append(f"{arguments[1][0]}:{arguments[1][1]}")
        elif event.startswith("socket.gethost"):
            self.sockets.append(f"lookup of {arguments[0]}")
