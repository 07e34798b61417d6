"""Which URL may stand in a result: one that every reader takes for the same host. Nothing is repaired."""

from __future__ import annotations

import re
import socket
from collections.abc import Sequence
from typing import Final

MAX_URL: Final = 8_192
"""How many characters the URL of a hit may have."""

_SCHEME = "[Hh][Tt][Tt][Pp][Ss]?://"
_NAME = r"[A-Za-z0-9_-]++(?:\.[A-Za-z0-9_-]++)*+"
_ADDRESS = r"\[(?P<address>[0-9A-Fa-f:.]{2,45})\]"
_PORT = r"(?::(?:6553[0-5]|655[0-2]\d|65[0-4]\d\d|6[0-4]\d{3}|[1-5]\d{4}|[1-9]\d{0,3}))?+"  # the longest first
# What follows the host is left to the site, but for what ends a URL in a text and what some read as "/".
_REST = r"""(?:[/?#][^\x00-\x20"<>\\\x7f]*+)?+"""
_is_url = re.compile(rf"{_SCHEME}(?:{_NAME}\.?|{_ADDRESS}){_PORT}{_REST}", re.ASCII).fullmatch
# Lines that are such URLs, each as most of them are: in ASCII, with a name and without a port.
_are_urls = re.compile(rf"""(?:https?+://{_NAME}(?:[/?#][!#-;=?-\[\]-~]*+)?+\n)*+""").fullmatch


def first_bad(urls: Sequence[str]) -> int | None:
    """Return the index of the first URL that :func:`is_plain_url` refuses, or None when it takes them all."""
    lines = "".join([f"{url}\n" for url in urls])
    if len(lines) <= MAX_URL and lines.count("\n") == len(urls) and _are_urls(lines):
        return None
    return next((index for index, url in enumerate(urls) if not is_plain_url(url)), None)


def is_plain_url(url: str) -> bool:
    """Tell whether this is an ``http`` or ``https`` URL with a host, without user information, that is what it seems.

    The host is a name in ASCII or an IP address. A path, a query and a fragment may hold other letters and signs, but
    no blank, control, direction mark, quotation mark, angle bracket or backslash. At most `MAX_URL` characters.
    """
    if len(url) > MAX_URL or not url.isprintable():
        return False
    found = _is_url(url)
    if found is None:
        return False
    address = found["address"]
    return address is None or _is_ipv6(address)


def _is_ipv6(address: str) -> bool:
    try:
        socket.inet_pton(socket.AF_INET6, address)
    except OSError:
        return False
    return True
