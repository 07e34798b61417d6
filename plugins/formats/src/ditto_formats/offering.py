"""What every request's tools have in common: legal names, each once, and schemas that the APIs take."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from copy import deepcopy
from typing import Final

from ditto_core import (
    DuplicateName,
    InvalidName,
    InvalidSchema,
    InvalidValue,
    JsonObject,
    ToolDefinition,
    describe,
    quote,
)

_is_name: Final = re.compile(r"[A-Za-z0-9_-]{1,64}").fullmatch
"""The rule of Ditto's tools, which all three APIs share."""


def offered(definitions: Iterable[ToolDefinition]) -> Iterator[tuple[JsonObject, JsonObject]]:
    """Give name and description of each tool, as a request has them, and the schema of its arguments.

    Raises what the functions ``tools`` raise.
    """
    seen = set()
    for index, definition in enumerate(definitions):
        if type(definition) is not ToolDefinition:
            raise InvalidValue(
                f"tools[{index}]", f"must be a ToolDefinition, not {describe(definition)}; runtime.tools() gives them"
            )
        name = definition.name
        if type(name) is not str or not _is_name(name):
            raise InvalidName(
                f"Tool name {quote(name)}: a model may be offered 1-64 ASCII letters, digits, '_' or '-'. Rename it."
            )
        if name in seen:
            raise DuplicateName(f"Tool {name!r} is offered twice; a call would not tell which is meant. Rename one.")
        seen.add(name)
        description = definition.description or definition.title
        yield {"name": name, **({"description": description} if description else {})}, _arguments(definition)


def _arguments(definition: ToolDefinition) -> JsonObject:
    """Return a copy of the schema that says what the APIs ask for and Ditto knows: arguments are an object.

    OpenAI refuses an object without ``properties``, both refuse a schema without ``type``. All tools are sent
    together, so that one such schema would fail every request.
    """
    schema = definition.input_schema
    if type(schema) is not dict or schema.get("type", "object") != "object":
        raise InvalidSchema(
            f"Tool {definition.name!r}: its schema is not that of an object, which arguments are. Leave the tool out."
        )
    return {"type": "object", "properties": {}, **deepcopy(schema)}
