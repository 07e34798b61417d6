"""Ditto's adapter to the official MCP SDK: connections to servers, and views of them that a registry takes."""

from .connection import McpConnection
from .errors import (
    McpClosed,
    McpConnectFailed,
    McpError,
    McpInvalidArguments,
    McpInvalidResult,
    McpNotAllowed,
    McpNotListed,
    McpRejected,
    McpResponseLost,
    McpSdkMissing,
    McpTimeout,
)
from .routes.http import connect_http
from .routes.inprocess import connect_inprocess
from .routes.stdio import connect_stdio
from .serving.serve import HttpAddress, mcp_server, serve_mcp
from .view import McpView, read_only

__all__ = [
    "HttpAddress",
    "McpClosed",
    "McpConnectFailed",
    "McpConnection",
    "McpError",
    "McpInvalidArguments",
    "McpInvalidResult",
    "McpNotAllowed",
    "McpNotListed",
    "McpRejected",
    "McpResponseLost",
    "McpSdkMissing",
    "McpTimeout",
    "McpView",
    "connect_http",
    "connect_inprocess",
    "connect_stdio",
    "mcp_server",
    "read_only",
    "serve_mcp",
]
