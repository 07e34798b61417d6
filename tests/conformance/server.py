"""The server under test: the tools that the suite calls, as far as tools of Ditto can be what it wants."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, Final

from ditto_core import (
    InteractionError,
    Reference,
    ReferencePart,
    Runtime,
    Sandbox,
    Tool,
    ToolContext,
    ToolOutcome,
    ToolRegistry,
    interaction_worker,
)
from ditto_mcp import HttpAddress, serve_mcp

PIXEL: Final = (
    "data:image/png;base64,"
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=="
)
SILENCE: Final = "data:audio/wav;base64,UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA="

SCHEMA_2020_12: Final = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }
    },
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}
HEADER: Final = {"type": "object", "properties": {"region": {"type": "string", "x-mcp-header": "Region"}}}


def giving(name: str, outcome: ToolOutcome, schema: Any = None, log: str = "") -> Tool[Any]:
    """Return a tool that takes what its schema says, may log a line, and gives this."""

    async def execute(arguments: Any, context: ToolContext) -> ToolOutcome:
        if log:
            logging.getLogger(__name__).info(log)
        return outcome

    return Tool(
        name=name,
        description=f"Gives what the suite wants of {name}.",
        input_schema=schema or {"type": "object"},
        effects={"read"},
        validate=dict,
        execute=execute,
    )


def holding(uri: str) -> ToolOutcome:
    """Return an outcome that is one reference, which holds what it refers to."""
    return ToolOutcome(content=(ReferencePart(reference=Reference(uri=uri)),))


TOOLS: Final = (
    giving("test_simple_text", ToolOutcome(content="This is a simple text response for testing.")),
    giving("test_image_content", holding(PIXEL)),
    giving("test_audio_content", holding(SILENCE)),
    giving(
        "test_error_handling",
        ToolOutcome(
            status="failed", error=InteractionError(code="ON_PURPOSE", message="This tool fails for testing.")
        ),
    ),
    giving("json_schema_2020_12_tool", ToolOutcome(content="checked"), SCHEMA_2020_12),
    giving("test_header", ToolOutcome(content="header"), HEADER),
    # Nothing but the answer gets to the client, whatever these names promise: that is what their checks look at.
    giving("test_logging_tool", ToolOutcome(content="logged"), log="a line for the operator"),
    giving("test_streaming_elicitation", ToolOutcome(content="nothing was asked")),
)


async def serve(ready: Callable[[str], None]) -> None:
    """Serve over HTTP until cancelled."""
    # It warns of requests that name other hosts, which one scenario makes on purpose.
    logging.getLogger("mcp.server.transport_security").setLevel(logging.ERROR)
    registry = ToolRegistry()
    for one in TOOLS:
        registry.register(one)
    sandbox = Sandbox(tools=["*"])
    async with Runtime(workers=[interaction_worker(tools=registry)], sandbox=sandbox) as runtime:
        await serve_mcp(runtime, http=HttpAddress(port=0), ready=ready)
