"""The JSON Schema of a configuration file, for editors: made of what reads the file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..contracts.json_values import JsonObject, JsonValue
from ..errors import InvalidValue


def config_schema(plugins: Mapping[str, Callable[..., Any]] | None = None) -> JsonObject:
    """Return the JSON Schema (draft 2020-12) of a configuration file, with the sections of these plugins.

    ``plugins`` has the class, or the factory, of each plugin under its name. A section of any other plugin may hold
    anything. What a class checks by itself is not in the schema, and neither is which options it needs: code may give
    them. Raises :class:`InvalidValue` for a class whose options cannot be read.
    """
    from .document import ALIASES, Document
    from .options import Options

    sections: JsonObject = {name: _section(name, factory) for name, factory in (plugins or {}).items()}
    schema = Options(Document).schema(complete=True)
    properties: Any = schema["properties"]
    properties["plugins"] = {**properties["plugins"], "properties": sections}
    interaction = properties["workers"]["properties"]["interaction"]["properties"]
    for key, name in ALIASES.items():
        interaction[key] = {**interaction[key], **_object(sections.get(name))}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Configuration of Ditto",
        **schema,
        "allOf": [_not_both(key, name) for key, name in ALIASES.items()],
    }


def _section(name: str, factory: Callable[..., Any]) -> JsonObject:
    from ..tools.shapes.shape import Misfit
    from .options import Options

    try:
        return Options(factory).schema(complete=False)
    except Misfit as misfit:
        raise InvalidValue(name, f"has a class whose options cannot be read: it {misfit.problem}") from None


def _object(value: JsonValue) -> JsonObject:
    return value if type(value) is dict else {}


def _not_both(key: str, name: str) -> JsonObject:
    """Return the rule that a section stands under one of its two names."""
    interaction: JsonObject = {"required": ["interaction"], "properties": {"interaction": {"required": [key]}}}
    return {
        "not": {
            "required": ["plugins", "workers"],
            "properties": {"plugins": {"required": [name]}, "workers": interaction},
        }
    }
