"""The addresses of documents: a file has none, so the application gives the one under which its folder is known."""

from __future__ import annotations

import os
import re
from typing import Any, Final
from urllib.parse import quote

from ditto_core import InvalidValue

from .limits import MAX_URL

_PLAIN: Final = re.compile(
    r"""(?i:https?)://[a-z0-9_-]+(?:\.[a-z0-9_-]+)*(?::(?P<port>[1-9]\d{0,4}))?(?:[/?#][^\x00-\x20"<>\\\x7f]*)?""",
    re.ASCII | re.IGNORECASE,
)
_MAX_PORT: Final = 65_535


def check_url(url: Any, field: str) -> None:
    """Raise :class:`InvalidValue` unless it is an http or https URL that every reader takes for the same one."""
    found = _PLAIN.fullmatch(url) if type(url) is str and url.isascii() and len(url) <= MAX_URL else None
    if found is None or int(found["port"] or 1) > _MAX_PORT:
        raise InvalidValue(
            field,
            f"must be an http or https URL of at most {MAX_URL:,} ASCII characters, with a host, without user and "
            "password, its other characters percent-encoded",
        )


def check_base(url: Any, field: str) -> None:
    """Raise :class:`InvalidValue` unless paths can be put below the URL."""
    check_url(url, field)
    if "?" in url or "#" in url or not url.endswith("/"):
        raise InvalidValue(field, "must end with '/' and have no query and no fragment: paths are put behind it")


def address(base_url: str, path: str) -> str:
    """Return the URL of a file: its path in the folder, percent-encoded as bytes, below the base."""
    return base_url + quote(os.fsencode(path), safe="/")
