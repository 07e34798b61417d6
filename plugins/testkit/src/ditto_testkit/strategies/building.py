"""From a schema to values: the subset of draft 2020-12 that values are made from, and the rest that is only judged."""

from __future__ import annotations

from typing import Any, Final

from hypothesis import strategies as st

from ditto_core import JsonObject

from .containers import arrays, objects
from .merging import merged
from .references import References
from .scalars import integers, numbers, strings
from .values import json_values

TYPES: Final = ("object", "array", "string", "number", "integer", "boolean", "null")

MADE: Final = frozenset(
    {
        "type",
        "enum",
        "const",
        "properties",
        "required",
        "additionalProperties",
        "minProperties",
        "maxProperties",
        "propertyNames",
        "items",
        "prefixItems",
        "minItems",
        "maxItems",
        "uniqueItems",
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "multipleOf",
        "minLength",
        "maxLength",
        "pattern",
        "anyOf",
        "oneOf",
        "allOf",
        "$ref",
        "$defs",
    }
)
"""The keywords from which values are made."""
TOLD: Final = frozenset(
    {
        "$schema",
        "$id",
        "$anchor",
        "$comment",
        "title",
        "description",
        "default",
        "deprecated",
        "readOnly",
        "writeOnly",
        "examples",
        "format",
        "contentEncoding",
        "contentMediaType",
        "contentSchema",
        "definitions",
    }
)
"""The keywords that say nothing about which values fit."""

_MAX_DEPTH: Final = 12


class Builder:
    """Makes strategies from the parts of one schema, whose references lead into that schema.

    Raises ``LookupError`` for a reference that does not.
    """

    def __init__(self, root: JsonObject) -> None:
        self._references = References(root)
        self._depth = 0
        self._built: dict[int, tuple[Any, st.SearchStrategy[Any]]] = {}

    def whole(self) -> st.SearchStrategy[Any]:
        """Return candidates for the schema itself."""
        return self.build(self._references.root)

    def build(self, schema: Any) -> st.SearchStrategy[Any]:
        """Return candidates for a schema: most fit it; a judge has the last word."""
        if schema is True or schema == {}:
            return json_values(max_leaves=4)
        if schema is False or self._depth >= _MAX_DEPTH:
            return st.nothing()
        self._depth += 1
        try:
            return self._build(schema)
        finally:
            self._depth -= 1

    def _build(self, schema: JsonObject) -> st.SearchStrategy[Any]:
        siblings: Any = {key: value for key, value in schema.items() if key not in ("$ref", "allOf", "anyOf", "oneOf")}
        reference: Any = schema.get("$ref")
        referred = [] if reference is None else [self._references.target(reference)]
        parts: Any = [*_list(schema.get("allOf")), *referred]
        if False in parts:
            return st.nothing()
        if parts:
            whole = {key: value for key, value in schema.items() if key not in ("$ref", "allOf")}
            for part in parts:
                whole = merged(whole, {} if part is True else part)
            return self.build(whole)
        for keyword in ("anyOf", "oneOf"):
            if keyword in schema:
                rest = {key: value for key, value in schema.items() if key != keyword}
                options: Any = schema[keyword]
                return st.one_of([self.build(_joined(rest, option)) for option in options])
        return self._plain(siblings)

    def _plain(self, schema: JsonObject) -> st.SearchStrategy[Any]:
        if "const" in schema:
            return st.just(schema["const"])
        values: Any = schema.get("enum")
        if values is not None:
            return st.sampled_from(values) if values else st.nothing()
        kinds: Any = schema.get("type", _implied(schema))
        return st.one_of([self._of_type(kind, schema) for kind in ([kinds] if isinstance(kinds, str) else kinds)])

    def _of_type(self, kind: str, schema: JsonObject) -> st.SearchStrategy[Any]:
        if kind == "object":
            return objects(schema, self._later)
        if kind == "array":
            return arrays(schema, self._later)
        if kind in ("string", "number", "integer"):
            return {"string": strings, "number": numbers, "integer": integers}[kind](schema)
        return st.booleans() if kind == "boolean" else st.none()

    def _later(self, schema: Any) -> st.SearchStrategy[Any]:
        """Build what lies inside of a container when it is first drawn, which ends recursion, and only once."""
        known = self._built.get(id(schema))
        if known is None:
            known = self._built[id(schema)] = (schema, self.build(schema))  # the schema too, so that its id stays its
        return known[1]


def _list(value: Any) -> list[Any]:
    return value or []


def _joined(rest: JsonObject, option: Any) -> Any:
    if option is False:
        return False
    return rest if option is True else merged(rest, option)


def _implied(schema: JsonObject) -> Any:
    """Return the types that a schema without one is about: that of its keywords, or all."""
    for kind, keywords in (
        ("object", {"properties", "required", "additionalProperties", "minProperties", "maxProperties"}),
        ("array", {"items", "prefixItems", "minItems", "maxItems", "uniqueItems"}),
        ("string", {"pattern", "minLength", "maxLength"}),
        ("number", {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"}),
    ):
        if schema.keys() & keywords:
            return kind
    return list(TYPES)
