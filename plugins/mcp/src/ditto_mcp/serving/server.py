"""The requests that a client makes: a list of tools, and one call."""

from __future__ import annotations

import asyncio
import logging
from itertools import count
from typing import Any, Final

import attrs
from mcp.server import Server, ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp.types import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
)

from ditto_core import (
    ACT_TOOL,
    DittoError,
    JsonObject,
    Runtime,
    RuntimeClosed,
    Sandbox,
    ToolCall,
    ToolDefinition,
    ToolInput,
    UnknownTool,
    describe,
)

from .answers import answer, refusal
from .offering import offered

PAGE: Final = 500
"""How many tools one page of the list has."""

_LOG = logging.getLogger("ditto")


@attrs.define(kw_only=True, eq=False)
class ToolServer:
    """Answers the clients of one server, from one runtime."""

    runtime: Runtime
    sandbox: Sandbox | None
    call_timeout: float
    max_result_bytes: int
    _ids: count[int] = attrs.field(init=False, factory=lambda: count(1))

    def build(self, *, name: str, version: str, instructions: str | None) -> Server[Any]:
        """Return the SDK's server with these answers."""
        return Server(
            name, version=version, instructions=instructions, on_list_tools=self._list, on_call_tool=self._call
        )

    def _permitted(self) -> list[ToolDefinition]:
        sandbox = self.sandbox
        return [one for one in self.runtime.tools() if sandbox is None or sandbox.allows("tools", one.name)]

    async def _list(
        self, context: ServerRequestContext[Any], params: PaginatedRequestParams | None
    ) -> ListToolsResult:
        begin = _begin(params.cursor if params is not None else None)
        permitted = self._permitted()
        page = [offered(definition) for definition in permitted[begin : begin + PAGE]]
        end = begin + PAGE
        return ListToolsResult(tools=page, next_cursor=str(end) if end < len(permitted) else None)

    async def _call(self, context: ServerRequestContext[Any], params: CallToolRequestParams) -> CallToolResult:
        definition = next((one for one in self._permitted() if one.name == params.name), None)
        if definition is None:  # also one that is there and not permitted: a client learns no names by asking
            raise MCPError(INVALID_PARAMS, "There is no tool of that name. List the tools.")
        arguments: JsonObject = params.arguments or {}
        try:
            call = ToolCall(id=f"mcp-{next(self._ids)}", name=params.name, arguments=arguments)
            result = await self.runtime.invoke(
                ACT_TOOL, ToolInput(call=call), timeout=self.call_timeout, sandbox=self.sandbox
            )
        except (RuntimeClosed, UnknownTool) as error:  # it is closing, or the tool has just been removed
            raise MCPError(INTERNAL_ERROR, "The server is no longer able to run the tool.") from error
        except DittoError as error:
            return refusal(error)
        except (Exception, asyncio.CancelledError) as error:
            if isinstance(error, asyncio.CancelledError) and _is_cancelled():
                raise
            # What the tool raised itself is nobody's business but the operator's, and no end of other calls.
            _LOG.warning("served_call_raised tool=%s raised=%s", definition.name, describe(error))
            return refusal(None)
        return answer(result, definition, max_bytes=self.max_result_bytes)


def _is_cancelled() -> bool:
    """Tell whether somebody cancels this request; otherwise the tool has raised ``CancelledError`` by itself."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def _begin(cursor: str | None) -> int:
    """Return where a page begins; raises the protocol's error for a cursor that no page has given."""
    if cursor is None:
        return 0
    if not cursor.isascii() or not cursor.isdigit() or len(cursor) > 9 or int(cursor) % PAGE:
        raise MCPError(INVALID_PARAMS, "The cursor is not one that this server gave. Begin without one.")
    return int(cursor)
