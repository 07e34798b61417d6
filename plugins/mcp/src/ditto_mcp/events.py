"""The log events of the adapter."""

from __future__ import annotations

from typing import Final

from ditto_core import Log

EVENTS: Final[dict[str, str]] = {
    "mcp_answer_dropped": "warning (request): a server's answer could not be read; its request fails at once",
    "mcp_close_delayed": "warning (server, seconds): a connection had not ended when closing it gave up waiting",
    "mcp_connection_failed": "error (server): an open connection ended by itself",
    "mcp_output_ignored": "warning (bytes): a server printed what is no message; said once a connection",
}
"""Every event of the adapter: its name, level and fields, and what it means."""

LOG: Final = Log()
