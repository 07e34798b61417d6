"""Where the references of a schema lead: each ``$ref`` becomes one that needs no base, so that parts can be merged."""

from __future__ import annotations

from typing import Any, Final

from referencing import Registry
from referencing.exceptions import Unresolvable
from referencing.jsonschema import DRAFT202012

from ditto_core import JsonObject, quote

_ONE: Final = frozenset(
    {
        "items",
        "additionalProperties",
        "propertyNames",
        "contains",
        "not",
        "if",
        "then",
        "else",
        "unevaluatedItems",
        "unevaluatedProperties",
    }
)
_SEVERAL: Final = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
_NAMED: Final = frozenset({"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"})


class References:
    """The references of one schema: to ``$id``, ``$anchor``, ``$defs`` and any other place in it, from any base.

    ``root`` is the schema with references that only :meth:`target` understands. Nothing is fetched. Raises
    ``LookupError`` with the reference that leads nowhere.
    """

    def __init__(self, schema: JsonObject) -> None:
        self._targets: dict[str, Any] = {}
        self._names: dict[int, str] = {}
        self._waiting: list[tuple[str, Any, Any]] = []
        registry: Any = Registry()
        resolver = registry.resolver_with_root(DRAFT202012.create_resource(schema))
        self.root = self._linked(schema, resolver, top=True)
        while self._waiting:
            name, found, resolver = self._waiting.pop()
            self._targets[name] = self._linked(found, resolver, top=True)

    def target(self, reference: str) -> Any:
        """Return the schema that a reference of :attr:`root`, or of another target, leads to."""
        return self._targets[reference]

    def _linked(self, schema: Any, resolver: Any, *, top: bool = False) -> Any:
        if type(schema) is not dict:
            return schema
        if not top and type(schema.get("$id")) is str:  # from here on references start from another base
            resolver = resolver.in_subresource(DRAFT202012.create_resource(schema))
        linked = {}
        for keyword, value in schema.items():
            if keyword in _ONE:
                linked[keyword] = self._linked(value, resolver)
            elif keyword in _SEVERAL:
                linked[keyword] = [self._linked(item, resolver) for item in value]
            elif keyword in _NAMED:
                linked[keyword] = {name: self._linked(item, resolver) for name, item in value.items()}
            else:
                linked[keyword] = self._named(value, resolver) if keyword == "$ref" else value
        return linked

    def _named(self, reference: str, resolver: Any) -> str:
        try:
            found = resolver.lookup(reference)
        except (Unresolvable, LookupError, ValueError, TypeError, AttributeError):
            raise LookupError(f"the reference {quote(reference)} leads nowhere in the schema") from None
        key = id(found.contents)
        if key not in self._names:
            self._names[key] = f"{reference} ({len(self._names)})"
            self._waiting.append((self._names[key], found.contents, found.resolver))
        return self._names[key]


def dangling(schema: JsonObject) -> str | None:
    """Return which reference of a schema leads nowhere in it, in words, or None."""
    try:
        References(schema)
    except LookupError as error:
        return str(error.args[0])
    return None
