"""Network origins in one form, so that two ways to write the same one are equal."""

from __future__ import annotations

import re
import socket

from ..errors import InvalidValue

_ORIGIN = re.compile(
    r"(?P<scheme>https?)://"
    r"(?P<host>[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[(?P<v6>[0-9a-f:.]+)\])"
    r"(?::(?P<port>[0-9]{1,5}))?/?",
    re.IGNORECASE | re.ASCII,
)
_DEFAULT_PORTS = {"http": 80, "https": 443}


def origin(text: str, field: str) -> str:
    """Return an ``http`` or ``https`` origin with a lower-case host, no default port and no slash at its end.

    Names are not looked up and numbers are not read: ``http://127.1`` is not ``http://127.0.0.1``. Raises
    :class:`InvalidValue` for what is no origin: another scheme, a path, a query, a user, a port out of range.
    """
    found = _ORIGIN.fullmatch(text)
    if found:
        scheme = found["scheme"].lower()
        host = found["host"].lower() if found["v6"] is None else _ipv6(found["v6"])
        port = int(found["port"] or _DEFAULT_PORTS[scheme])
        if host and 1 <= port <= 65535:
            return f"{scheme}://{host}" if port == _DEFAULT_PORTS[scheme] else f"{scheme}://{host}:{port}"
    # Not quoted: what somebody took for an origin may hold a password or a key.
    raise InvalidValue(
        field,
        "is no origin; write scheme, host and perhaps a port, such as 'https://api.example.com:8443', "
        "and an international host in its ASCII form (xn--…)",
    )


def _ipv6(digits: str) -> str:
    """Return the address in brackets in its shortest form, or nothing if it is none."""
    try:
        return f"[{socket.inet_ntop(socket.AF_INET6, socket.inet_pton(socket.AF_INET6, digits))}]"
    except OSError:
        return ""
