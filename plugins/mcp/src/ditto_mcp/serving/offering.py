"""A tool as the protocol lists it."""

from __future__ import annotations

from mcp.types import Tool, ToolAnnotations

from ditto_core import UNSET, JsonObject, ToolDefinition

RESULT = "result"
"""The property that holds a structured result which is no object: older versions of the protocol take objects only."""


def offered(definition: ToolDefinition) -> Tool:
    """Return what clients are told of a tool: its words, its schemas, and its effects as hints."""
    effects = set(definition.effects)
    return Tool(
        name=definition.name,
        title=definition.title or None,
        description=definition.description or None,
        input_schema=of_object(definition.input_schema),
        output_schema=output_schema(definition),
        annotations=ToolAnnotations(
            read_only_hint=not effects & {"write", "execute"} and "read" in effects,
            destructive_hint=bool(effects & {"write", "execute"}) or not effects or definition.requires_approval,
            open_world_hint="network" in effects,
        ),
    )


def of_object(schema: JsonObject) -> JsonObject:
    """Return a schema that says of itself that it describes an object, as the protocol wants of arguments."""
    if schema.get("type") == "object":
        return schema
    return {"type": "object", **schema} if "type" not in schema else {"type": "object", "allOf": [schema]}


def output_schema(definition: ToolDefinition) -> JsonObject | None:
    """Return the schema of the structured result, as it is sent; None where the tool promises none."""
    schema = definition.output_schema
    if schema is UNSET:
        return None
    if not is_wrapped(definition):
        return schema
    return {"type": "object", "properties": {RESULT: schema}, "required": [RESULT]}


def is_wrapped(definition: ToolDefinition) -> bool:
    """Tell whether the tool promises something that need not be an object, so that it is sent inside of one."""
    schema = definition.output_schema
    return schema is not UNSET and schema.get("type") != "object"
