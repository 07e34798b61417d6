"""From the SDK's exceptions to the adapter's errors, whose texts take nothing from them but codes and class names."""

from __future__ import annotations

import os
from collections.abc import Iterator

from ditto_core import escape

from .errors import McpError, McpInvalidResult, McpRejected, McpResponseLost
from .routes.messages import LOST

_FIELDS = frozenset(
    {"name", "title", "description", "inputSchema", "outputSchema", "annotations", "execution", "icons"}
)


def leaves(error: BaseException) -> Iterator[BaseException]:
    """Yield what is in a group, in groups within it, too; of anything else itself."""
    if isinstance(error, BaseExceptionGroup):
        for inner in error.exceptions:
            yield from leaves(inner)
    else:
        yield error


def reason(error: BaseException | None) -> str:
    """Say why connecting failed, without any text of the server's, a path or an address."""
    from mcp import MCPError

    if error is None:
        return "it ended by itself"
    told: dict[str, None] = {}
    for leaf in leaves(error):
        if isinstance(leaf, MCPError):
            told[f"it answered the handshake with the JSON-RPC code {leaf.code}"] = None
        elif isinstance(leaf, OSError) and leaf.errno:
            told[f"the system says: {os.strerror(leaf.errno)}"] = None
        else:
            told[f"the SDK raised {escape(type(leaf).__name__)}"] = None
    return "; ".join(told)


def request_failure(error: BaseException, label: str) -> McpError | None:
    """Return the error for what the SDK raised from a request; None: the connection has ended."""
    from mcp import MCPError
    from mcp.types import CONNECTION_CLOSED, PARSE_ERROR

    found = list(leaves(error))
    first = found[0]
    if len(found) == 1 and isinstance(first, MCPError):
        if first.data is LOST:
            return McpInvalidResult(
                f"{label} sent an answer that could not be read: it is no JSON-RPC message, or too long "
                "(max_message_bytes). A tool that was called has run."
            )
        # Texts that the SDK writes itself. A server can send the same codes, and then means nothing by them.
        if first.code == CONNECTION_CLOSED and first.data is None:
            if first.message == "Connection closed":
                return None
            if first.message.startswith("SSE stream"):
                return _lost(label)
        if first.code == PARSE_ERROR and first.message.startswith("Failed to parse "):
            return _lost(label)
        return McpRejected(
            f"{label} rejected the request with the JSON-RPC code {first.code}. It may have had its effect.",
            rpc_code=first.code,
        )
    if all(isinstance(leaf, ValueError | RuntimeError) for leaf in found):  # pydantic's error is a ValueError
        place = _place(first)
        if place:
            return McpInvalidResult(f"{label} sent a list of tools that breaks the protocol at {place}.")
        return McpInvalidResult(
            f"{label} sent an answer that breaks the protocol or the tool's output schema. "
            "A tool that was called has run."
        )
    return McpResponseLost(
        f"The answer of the {label.removeprefix('The ')} was lost: the SDK raised "
        f"{escape(', '.join(dict.fromkeys(type(leaf).__name__ for leaf in found)))}. "
        "The request may have had its effect."
    )


def _lost(label: str) -> McpResponseLost:
    return McpResponseLost(
        f"The answer of the {label.removeprefix('The ')} was lost or could not be read, which may be its length "
        "(max_message_bytes). The request may have had its effect."
    )


def _place(error: BaseException) -> str:
    """Return where in a list of tools the first fault lies, in the protocol's own words, or nothing."""
    from pydantic import ValidationError

    if not isinstance(error, ValidationError):
        return ""
    for fault in error.errors(include_url=False, include_context=False, include_input=False):
        match fault["loc"]:
            case ("tools", int(index), str(field), *_) if field in _FIELDS:
                return f"tools[{index}].{field}"
    return ""
