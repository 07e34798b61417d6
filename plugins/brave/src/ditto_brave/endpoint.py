"""Where searches are sent: to Brave, unless code says otherwise."""

from __future__ import annotations

import ipaddress
import re
from typing import Final

import httpx

from ditto_core import InvalidValue

BRAVE: Final = "https://api.search.brave.com/res/v1/web/search"
"""The address of Brave's web search."""

MAX_ENDPOINT: Final = 2_000
"""How many characters the address of an endpoint may have."""

_FORM: Final = re.compile(r"(?P<scheme>https?)://(?P<host>\[[0-9a-f:.]+\]|[a-z0-9.-]+)(?::\d{1,5})?(?:/[!-~]*)?")


def checked(endpoint: object) -> str:
    """Return the address of an endpoint; raises :class:`InvalidValue`, which does not quote it."""
    if type(endpoint) is str and len(endpoint) <= MAX_ENDPOINT:
        found = _FORM.fullmatch(endpoint)
        if found and not re.search(r"[?#\\]", endpoint) and _is_private(found) and _is_sound(endpoint):
            return endpoint
    raise InvalidValue(
        "BraveSearch.endpoint",
        "must be an https:// address in lower case, with a path and nothing behind it, or an http:// one at an "
        "address of this machine such as 127.0.0.1: the key is sent there",
    )


def origin_of(endpoint: str) -> str:
    """Return scheme, host and port of an endpoint, as a sandbox's ``network`` list has them."""
    url = httpx.URL(endpoint)
    return f"{url.scheme}://{url.netloc.decode('ascii')}"


def _is_private(found: re.Match[str]) -> bool:
    """Tell whether nobody on the way can read what is sent."""
    if found["scheme"] == "https":
        return True
    try:
        return ipaddress.ip_address(found["host"].strip("[]")).is_loopback
    except ValueError:
        return False


def _is_sound(endpoint: str) -> bool:
    try:
        url = httpx.URL(endpoint)
    except httpx.InvalidURL:
        return False
    return url.port is None or 1 <= url.port <= 65_535
