"""Which URL may stand in a result: one that every reader takes for the same host. Nothing is repaired."""

from __future__ import annotations

import re
import socket
from typing import Final

MAX_URL: Final = 8_192
"""How many characters the URL of a hit may have."""

_PORT = r"(?::(?:[1-9]\d{0,3}|[1-5]\d{4}|6[0-4]\d{3}|65[0-4]\d\d|655[0-2]\d|6553[0-5]))?"
# What may follow the host is left to the sites, except for what ends a URL in text or is read as "/" by some.
_REST = r"""(?:[/?#][^\x00-\x20"<>\\\x7f-\x9f]*)?"""
_is_plain = re.compile(
    rf"[Hh][Tt][Tt][Pp][Ss]?://[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*\.?{_PORT}{_REST}", re.ASCII
).fullmatch
_with_address = re.compile(
    rf"[Hh][Tt][Tt][Pp][Ss]?://\[(?P<address>[0-9A-Fa-f:.]{{2,45}})\]{_PORT}{_REST}", re.ASCII
).fullmatch


def is_plain_url(url: str) -> bool:
    """Tell whether this is an ``http`` or ``https`` URL with a host, without user information, that is what it seems.

    The host is in ASCII; a path, a query and a fragment may hold other letters and signs, but no blank, control,
    direction mark, quotation mark, angle bracket or backslash. At most `MAX_URL` characters.
    """
    if len(url) > MAX_URL:
        return False
    if not url.isascii() and not url.isprintable():
        return False
    return _is_plain(url) is not None or _has_address(url)


def _has_address(url: str) -> bool:
    """Tell whether the host is an IPv6 address in brackets, and the rest is as it should be."""
    found = _with_address(url)
    if found is None:
        return False
    try:
        socket.inet_pton(socket.AF_INET6, found["address"])
    except OSError:
        return False
    return True
