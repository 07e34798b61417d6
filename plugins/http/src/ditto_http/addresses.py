"""Where a service is: the address that an application gives, and the origin that a sandbox permits."""

from __future__ import annotations

import ipaddress
import re
from typing import Final

import httpx

from ditto_core import InvalidValue

MAX_ADDRESS: Final = 2_000
"""How many characters an address may have."""

_FORM: Final = re.compile(r"https?://(?:\[[0-9a-f:.]+\]|[a-z0-9.-]+)(?::\d{1,5})?(?:/[!-~]*)?")


def checked_address(field: str, address: object, *, private: bool, example: str = "") -> str:
    """Return the address if a service can be there.

    Scheme and host are in lower case, the rest is printable ASCII, and there is no user, no query and no fragment.
    With ``private`` only an ``https`` address is taken, or one whose host is an address of this machine: see
    :func:`is_private`. ``field`` and ``example`` go into the error: what was to hold the address, such as
    ``"AcmeParcels.base_url"``, and an address that would do.

    Raises :class:`~ditto_core.InvalidValue`, which does not quote the address: it may hold a password.
    """
    if type(address) is str and _is_sound(address) and (not private or is_private(address)):
        return address
    such = f", such as {example}" if example else ""
    if private:
        problem = (
            f"must be an https:// address in lower case{such}, with a path and nothing behind it, "
            "or an http:// one at an address of this machine such as 127.0.0.1: the key is sent there"
        )
    else:
        such = f"{such}," if example else ""
        problem = f"must be an http:// or https:// address in lower case{such} without a user, a query or a fragment"
    raise InvalidValue(field, problem)


def is_private(address: str) -> bool:
    """Tell whether nobody on the way can read what is sent to a checked address.

    So it is where it is encrypted, or stays on this machine: ``127.0.0.1`` does, ``localhost`` is a name, which may
    lead anywhere.
    """
    url = httpx.URL(address)
    if url.scheme == "https":
        return True
    try:
        return ipaddress.ip_address(url.host).is_loopback
    except ValueError:
        return False


def origin_of(address: str) -> str:
    """Return scheme, host and port of a checked address, as a sandbox's ``network`` list has them."""
    url = httpx.URL(address)
    return f"{url.scheme}://{url.netloc.decode('ascii')}"


def _is_sound(address: str) -> bool:
    if len(address) > MAX_ADDRESS or not _FORM.fullmatch(address) or re.search(r"[?#\\]", address):
        return False
    try:
        url = httpx.URL(address)
    except httpx.InvalidURL:
        return False
    return bool(url.host) and (url.port is None or 1 <= url.port <= 65_535)
