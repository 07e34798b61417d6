"""The MCP SDK, imported when the first connection is opened and not before: it costs more than the whole core."""

from __future__ import annotations

import logging
from importlib.metadata import version
from pathlib import PurePath
from typing import TYPE_CHECKING, Final

from .errors import McpSdkMissing

if TYPE_CHECKING:
    from mcp.types import Implementation

QUIET_LOGGERS: Final[dict[str, int]] = {
    "httpcore2": logging.WARNING,
    "httpx2": logging.WARNING,
    "mcp.client": logging.CRITICAL,
    "mcp.shared": logging.CRITICAL,
}
"""The SDK's loggers and the level from which they are let through: below, they write what servers sent, session ids
and full addresses."""


def load_sdk() -> None:
    """Import the SDK and quieten its loggers, but for those that the application has given a level itself.

    Raises :class:`McpSdkMissing`.
    """
    try:
        import mcp  # noqa: F401 - the import itself is what this is for
    except ModuleNotFoundError as error:
        if error.name != "mcp":
            raise
        raise McpSdkMissing("The MCP SDK is not installed. Install it: pip install 'mcp>=2.3,<3'.") from error
    for name, level in QUIET_LOGGERS.items():
        logger = logging.getLogger(name)
        if logger.level == logging.NOTSET:
            logger.setLevel(level)
    logging.getLogger("client").addFilter(_is_not_of_the_session)  # adds it once


def _is_not_of_the_session(record: logging.LogRecord) -> bool:
    """Tell whether a record of the logger ``client``, as the SDK calls that of its sessions, is someone else's."""
    return PurePath(record.pathname).parts[-3:] != ("mcp", "client", "session.py")


def client_info() -> Implementation:
    """Return how the adapter introduces itself to servers."""
    from mcp.types import Implementation

    return Implementation(name="ditto-mcp", version=version("ditto-mcp"))
