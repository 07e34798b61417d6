"""One MCP server that the command line names: what it offers, and one call of it."""

from __future__ import annotations

import asyncio
import os
import shlex
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import attrs
import typer

from ditto_core import (
    ACT_MCP,
    UNSET,
    ExternalResult,
    McpCapability,
    McpDiscover,
    McpDiscovered,
    McpInvoke,
    McpRegistry,
    Runtime,
    Sandbox,
    ToolCall,
    interaction_worker,
    to_wire,
)

from .arguments import arguments_of
from .calling import CALL_ID
from .exits import Exit, of_status
from .granting import sandbox_of
from .missing import needed
from .printing import write_json, write_table
from .results import write_result

SERVER: Final = "server"
"""What the one server is called in permissions and in sources."""


@attrs.frozen(kw_only=True, repr=False)
class Address:
    """Where a server is: a program to start, or a URL with headers."""

    stdio: str | None
    http: str | None
    headers: tuple[str, ...] = ()

    def connection(self) -> Any:
        """Return a connection to it, not yet opened; raises :class:`typer.BadParameter`."""
        mcp = needed("ditto_mcp", "to speak with MCP servers")
        if (self.stdio is None) == (self.http is None):
            raise typer.BadParameter("name one server: --stdio COMMAND or --http URL", param_hint="--stdio, --http")
        if self.http is not None:
            return mcp.connect_http(self.http, headers=_headers(self.headers))
        if self.headers:
            raise typer.BadParameter("a server that is started has no headers; it has --http", param_hint="--header")
        words = _words(self.stdio or "")
        return mcp.connect_stdio(words[0], words[1:])


def list_server(address: Address, *, as_json: bool) -> None:
    """Write the tools of a server. Listing runs none, so the server needs no permission besides being named."""
    capabilities = asyncio.run(_discovered(address))
    if as_json:
        write_json([to_wire(one) for one in capabilities])
    else:
        write_table(("tool", "description"), [(one.name, _first_line(one)) for one in capabilities])


def call_server(
    tool: str, words: Sequence[str], address: Address, allow: Iterable[str], *, timeout: float | None, as_json: bool
) -> Exit:
    """Call a tool of a server once, write its result and return the exit status."""
    result = asyncio.run(_called(tool, words, address, sandbox_of(allow, Path()), timeout))
    write_result(result, as_json=as_json)
    return of_status(result.status)


async def _discovered(address: Address) -> tuple[McpCapability, ...]:
    async with address.connection() as connection:
        return (await _registry(connection).execute(McpDiscover(server=SERVER), Sandbox(mcp=[SERVER]))).capabilities


async def _called(
    tool: str, words: Sequence[str], address: Address, sandbox: Sandbox, timeout: float | None
) -> ExternalResult:
    sandbox.require("mcp", SERVER)  # before a program is started that nobody may use
    async with address.connection() as connection:
        registry = _registry(connection)
        worker = interaction_worker(mcp=registry)
        async with Runtime(workers=[worker], sandbox=sandbox) as runtime:
            found = await registry.execute(McpDiscover(server=SERVER), sandbox)
            arguments = arguments_of(words, _schema(found, tool))
            call = ToolCall(id=CALL_ID, name=tool, arguments=arguments)
            invoked: Any = await runtime.invoke(ACT_MCP, McpInvoke(server=SERVER, call=call), timeout=timeout)
            result: ExternalResult = invoked.result
            return result


def _registry(connection: Any) -> McpRegistry:
    registry = McpRegistry(max_capabilities=10_000)
    registry.register(SERVER, connection.client())
    return registry


def _schema(found: McpDiscovered, tool: str) -> Mapping[str, Any]:
    """Return the schema that helps to read the words; a tool that is not there is the server's to refuse."""
    schema = next((one.input_schema for one in found.capabilities if one.name == tool), UNSET)
    return {} if schema is UNSET else schema


def _first_line(capability: McpCapability) -> str:
    text = capability.description
    return "" if text is UNSET else text.strip().partition("\n")[0]


def _headers(words: Iterable[str]) -> dict[str, str]:
    found = {}
    for word in words:
        name, _, value = word.partition("=")
        variable = value.removeprefix("@")
        if not name or not value.startswith("@"):
            raise typer.BadParameter("write NAME=@VARIABLE; a secret has no place here", param_hint="--header")
        if variable not in os.environ:
            raise typer.BadParameter(f"the variable {variable} is not set; export it", param_hint="--header")
        found[name] = os.environ[variable]
    return found


def _words(command: str) -> list[str]:
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise typer.BadParameter(f"cannot be split into words: {error}", param_hint="--stdio") from None
    if not words:
        raise typer.BadParameter("is empty; write a program and its arguments", param_hint="--stdio")
    return words
