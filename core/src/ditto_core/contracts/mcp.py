"""The input and output of ``INTERACTION.ACT.MCP``: discoveries and invocations, and the names in them."""

from __future__ import annotations

from typing import ClassVar, Literal, TypeAlias

import attrs

from ..errors import InvalidValue
from ..text import is_one_line, quote
from .checks import check_name, check_object, check_optional_text, check_tuple, wrong_class
from .json_values import JsonObject
from .record import Record
from .results import ExternalResult, ToolCall
from .unset import UNSET, Unset


def check_server_name(value: object, field: str) -> None:
    """Refuse anything but text that is not blank, has no control character and no colon, and is not ``*``.

    With no colon in it, the source ``server:tool`` splits at its first one; ``*`` stands for all servers in a sandbox.
    """
    check_mcp_name(value, field)
    if ":" in value or not value.strip() or value == "*":  # type: ignore[operator, attr-defined]
        raise InvalidValue(field, f"must not be blank, '*' or hold a colon, as {quote(value)}; choose another name")


def check_mcp_name(value: object, field: str) -> None:
    """Refuse anything but nonempty text without control characters."""
    check_name(value, field)
    if not is_one_line(value):  # type: ignore[arg-type]
        raise InvalidValue(field, f"must hold no control character, as {quote(value)} does; choose another name")


@attrs.frozen(kw_only=True, init=False, slots=False, eq=False, repr=False)
class McpCapability(Record):
    """One tool of one MCP server; what the server did not send is absent.

    The schemas are opaque JSON objects, shared with whoever else was shown them: do not change them. A discovery gives
    every capability an ``input_schema``. Raises :class:`InvalidValue`.
    """

    server: str
    name: str
    input_schema: JsonObject | Unset = UNSET
    description: str | Unset = UNSET
    title: str | Unset = UNSET
    output_schema: JsonObject | Unset = UNSET

    def __init__(
        self,
        *,
        server: str,
        name: str,
        input_schema: JsonObject | Unset = UNSET,
        description: str | Unset = UNSET,
        title: str | Unset = UNSET,
        output_schema: JsonObject | Unset = UNSET,
    ) -> None:
        check_server_name(server, "McpCapability.server")
        check_mcp_name(name, "McpCapability.name")
        for field, schema in (("inputSchema", input_schema), ("outputSchema", output_schema)):
            if schema is not UNSET:
                check_object(schema, f"McpCapability.{field}")
        check_optional_text(description, "McpCapability.description")
        check_optional_text(title, "McpCapability.title")
        values = self.__dict__
        values["server"] = server
        values["name"] = name
        values["input_schema"] = input_schema
        values["description"] = description
        values["title"] = title
        values["output_schema"] = output_schema


@attrs.frozen(kw_only=True, init=False, slots=False, eq=False, repr=False)
class McpDiscover(Record):
    """Asks what tools there are: those of one server, or of every registered one when ``server`` is left out."""

    operation: ClassVar[Literal["discover"]] = "discover"

    server: str | Unset = UNSET

    def __init__(self, *, server: str | Unset = UNSET) -> None:
        if server is not UNSET:
            check_server_name(server, "McpDiscover.server")
        self.__dict__["server"] = server


@attrs.frozen(kw_only=True, init=False, slots=False, eq=False, repr=False)
class McpInvoke(Record):
    """Asks one server for one call of one of its tools, whose name is passed on verbatim."""

    operation: ClassVar[Literal["invoke"]] = "invoke"

    server: str
    call: ToolCall

    def __init__(self, *, server: str, call: ToolCall) -> None:
        check_server_name(server, "McpInvoke.server")
        if type(call) is not ToolCall:
            raise wrong_class(call, ToolCall, "McpInvoke.call")
        check_mcp_name(call.name, "McpInvoke.call.name")
        values = self.__dict__
        values["server"] = server
        values["call"] = call


@attrs.frozen(kw_only=True, init=False, slots=False, eq=False, repr=False)
class McpDiscovered(Record):
    """The tools that were found, in the order of the servers' registration and of each server's own pages."""

    operation: ClassVar[Literal["discover"]] = "discover"

    capabilities: tuple[McpCapability, ...]

    def __init__(self, *, capabilities: tuple[McpCapability, ...]) -> None:
        check_tuple(capabilities, McpCapability, "McpDiscovered.capabilities")
        self.__dict__["capabilities"] = capabilities


@attrs.frozen(kw_only=True, init=False, slots=False, eq=False, repr=False)
class McpInvoked(Record):
    """The result of one call; its source is ``server:tool``."""

    operation: ClassVar[Literal["invoke"]] = "invoke"

    result: ExternalResult

    def __init__(self, *, result: ExternalResult) -> None:
        if type(result) is not ExternalResult:
            raise wrong_class(result, ExternalResult, "McpInvoked.result")
        self.__dict__["result"] = result


McpInput: TypeAlias = McpDiscover | McpInvoke
"""The input of ``INTERACTION.ACT.MCP``; ``operation`` tells the two apart, on the wire too."""
McpOutput: TypeAlias = McpDiscovered | McpInvoked
"""The output of ``INTERACTION.ACT.MCP``, which repeats the ``operation`` of the input."""
