"""What can go wrong with an MCP server, as errors that say whether anything has run.

Messages are fixed texts with numbers and with names that the application chose. Nothing that the server wrote, no
address, path or header stands in them; the SDK's own exception is kept as ``__cause__``, for whoever debugs.
"""

from __future__ import annotations

from typing import ClassVar

from ditto_core import DittoError, InvalidArguments, InvalidResult, PermissionDenied, UnknownTool


class McpError(DittoError):
    """Base of what the adapter raises; ``code`` names the kind in a form that programs compare."""

    code: ClassVar[str] = "MCP_ERROR"


class McpSdkMissing(McpError):
    """The MCP SDK cannot be imported; nothing was connected."""

    code = "MCP_SDK_MISSING"


class McpConnectFailed(McpError):
    """A connection could not be opened, or was opened twice; no tool has run, which ``started`` says too."""

    code = "MCP_CONNECT_FAILED"
    started: ClassVar[bool] = False


class McpClosed(McpError):
    """The connection is closed or not open yet, or ended during the request.

    ``started`` is false when nothing was sent; otherwise the tool may have run. A connection does not come back:
    find out what the call did, then open another one.
    """

    code = "MCP_CONNECTION_CLOSED"

    def __init__(self, message: str, *, started: bool) -> None:
        super().__init__(message)
        self.started = started


class McpTimeout(McpError, TimeoutError):
    """The server gave no answer in time and was asked to stop; the tool may have run, or run still."""

    code = "MCP_TIMEOUT"


class McpResponseLost(McpError):
    """The answer to this request was lost on its way; the tool may have run, and the connection may still work."""

    code = "MCP_RESPONSE_LOST"


class McpInvalidResult(McpError, InvalidResult):
    """The server's answer breaks the protocol or the tool's own output schema; a tool that was called has run."""

    code = "MCP_INVALID_RESULT"


class McpRejected(McpError):
    """The server answered with a protocol error; ``rpc_code`` is its JSON-RPC code, which proves nothing more."""

    code = "MCP_REJECTED"

    def __init__(self, message: str, *, rpc_code: int) -> None:
        super().__init__(message)
        self.rpc_code = rpc_code


class McpNotAllowed(McpError, PermissionDenied):
    """The view does not allow that tool; the server was not asked."""

    code = "MCP_TOOL_NOT_ALLOWED"


class McpNotListed(McpError, UnknownTool):
    """The server lists no tool of that name; it was not called."""

    code = "MCP_TOOL_NOT_LISTED"


class McpInvalidArguments(McpError, InvalidArguments):
    """The arguments are no plain JSON, which is all that reaches a server unchanged; nothing was sent."""

    code = "MCP_INVALID_ARGUMENTS"
