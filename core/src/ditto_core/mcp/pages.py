"""One page of a server's catalogue, checked as a whole where it enters."""

from __future__ import annotations

from ..contracts.checked import of_checked
from ..contracts.checks import check_object, check_text
from ..contracts.decoded import enter_decoded, enter_decoded_text
from ..contracts.json_values import JsonObject
from ..contracts.mcp import McpCapability, check_mcp_name
from ..contracts.mcp_answers import McpPage, McpTool
from ..contracts.unset import UNSET, Unset
from ..errors import InvalidValue
from ..text import describe


def check_page(page: object) -> McpPage:
    """Return what is a page by its shape; raises :class:`InvalidValue` for anything else. No tool is looked into."""
    if type(page) is not McpPage:
        raise InvalidValue("", f"list_tools must return an McpPage, not {describe(page)}")
    if type(page.tools) is not tuple and type(page.tools) is not list:
        raise InvalidValue("tools", f"must be a tuple or a list of McpTool, not {describe(page.tools)}")
    if page.next_cursor is not None:
        check_text(page.next_cursor, "nextCursor")
    return page


def capabilities_of(server: str, page: McpPage) -> list[McpCapability]:
    """Return the tools of a page; raises :class:`InvalidValue` with the place of the first that breaks a rule."""
    found = []
    for tool in page.tools:
        try:
            found.append(_capability(server, tool))
        except InvalidValue as error:
            where = f"tools[{len(found)}]"
            raise InvalidValue(f"{where}.{error.field}" if error.field else where, error.problem) from None
    return found


def size_of(capability: McpCapability) -> int:
    """Return how many bytes the server's words are: names, texts and, as compact JSON, the schemas."""
    import json  # few registries count bytes

    words = (capability.name, capability.description, capability.title)
    schemas = (capability.input_schema, capability.output_schema)
    texts = [word for word in words if word is not UNSET]
    texts += [json.dumps(one, ensure_ascii=False, separators=(",", ":")) for one in schemas if one is not UNSET]
    return sum(len(text.encode()) for text in texts)


def _capability(server: str, tool: object) -> McpCapability:
    if type(tool) is not McpTool:
        raise InvalidValue("", f"must be an McpTool, not {describe(tool)}")
    name, description, title, output_schema = tool.name, tool.description, tool.title, tool.output_schema
    check_mcp_name(name, "name")
    return of_checked(
        McpCapability,
        {
            "server": server,
            "name": name,
            "input_schema": _schema(tool.input_schema, "inputSchema"),
            "description": UNSET if description is UNSET else enter_decoded_text(description, "description"),
            "title": UNSET if title is UNSET else enter_decoded_text(title, "title"),
            "output_schema": UNSET if output_schema is UNSET else _schema(output_schema, "outputSchema"),
        },
    )


def _schema(schema: JsonObject | Unset, field: str) -> JsonObject:
    if type(schema) is not dict:
        check_object(schema, field)
    return enter_decoded(schema, field)  # type: ignore[arg-type, return-value]
