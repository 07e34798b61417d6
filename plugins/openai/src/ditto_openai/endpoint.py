"""Where samples are asked for: the base address of an endpoint, and the origin that a sandbox permits."""

from __future__ import annotations

import ipaddress
import re
from typing import Final

import httpx

from ditto_core import InvalidValue

MAX_BASE_URL: Final = 2_000
"""How many characters the base address of an endpoint may have."""

_FORM: Final = re.compile(r"(?P<scheme>https?)://(?P<host>\[[0-9a-f:.]+\]|[a-z0-9.-]+)(?::\d{1,5})?(?:/[!-~]*)?")


def checked(base_url: object) -> str:
    """Return a base address without the slash at its end; raises :class:`InvalidValue`, which does not quote it."""
    if type(base_url) is str and len(base_url) <= MAX_BASE_URL and _is_sound(base_url):
        return base_url.rstrip("/")
    raise InvalidValue(
        "OpenAIModel.base_url",
        "must be an http:// or https:// address in lower case, such as https://api.openai.com/v1, "
        "without a user, a query or a fragment",
    )


def is_private(base_url: str) -> bool:
    """Tell whether nobody on the way can read what is sent: it is encrypted, or stays on this machine."""
    url = httpx.URL(base_url)
    if url.scheme == "https":
        return True
    try:
        return ipaddress.ip_address(url.host).is_loopback
    except ValueError:
        return False


def origin_of(base_url: str) -> str:
    """Return scheme, host and port, as a sandbox's ``network`` list has them."""
    url = httpx.URL(base_url)
    return f"{url.scheme}://{url.netloc.decode('ascii')}"


def _is_sound(base_url: str) -> bool:
    if not _FORM.fullmatch(base_url) or re.search(r"[?#\\@]", base_url):
        return False
    try:
        url = httpx.URL(base_url)
    except httpx.InvalidURL:
        return False
    return bool(url.host) and (url.port is None or 1 <= url.port <= 65_535)
