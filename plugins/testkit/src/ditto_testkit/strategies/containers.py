"""Arrays and objects that fit the keywords of a schema."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st
from hypothesis.errors import InvalidArgument

from ditto_core import JsonObject

from .texts import texts

Build = Callable[[Any], st.SearchStrategy[Any]]
"""From a schema inside of the container to the strategy of its values."""

_MORE = 3
"""How many items or members are made beyond the least number, unless the boundary itself is tried."""
_LARGEST_BOUNDARY = 64


def arrays(schema: JsonObject, build: Build) -> st.SearchStrategy[Any]:
    """Give arrays; ``uniqueItems`` is kept by equality as JSON sees it, which tells ``1`` from ``true``."""
    heads: Any = schema.get("prefixItems", [])
    first = [build(head) for head in heads]
    rest: Any = schema.get("items", True)
    least: Any = schema.get("minItems", 0)
    most: Any = schema.get("maxItems", least + _MORE + len(first))
    if rest is False:
        most = min(most, len(first))
    if most < least:
        return st.nothing()
    unique: Any = {"unique_by": _identity} if schema.get("uniqueItems") is True else {}
    if not first:
        items = build(rest)
        if items.is_empty:
            return st.nothing() if least else st.just([])
        made = st.lists(items, min_size=least, max_size=min(most, least + _MORE), **unique)
        try:
            made.validate()
        except InvalidArgument:  # there are not so many different items
            return st.nothing()
        if "maxItems" in schema and least + _MORE < most <= _LARGEST_BOUNDARY:
            made |= st.lists(items, min_size=most, max_size=most, **unique)
        return made
    sizes = st.integers(least, max(least, min(most, len(first) + _MORE)))
    return sizes.flatmap(lambda size: st.tuples(*first[:size], *([build(rest)] * (size - len(first)))).map(list))


def _identity(value: Any) -> Any:
    if type(value) is list:
        return ("list", *map(_identity, value))
    if type(value) is dict:
        return ("dict", *sorted((key, repr(_identity(item))) for key, item in value.items()))
    return (type(value) is bool, value)


@st.composite
def objects(draw: st.DrawFn, schema: JsonObject, build: Build) -> Any:
    """Give objects: required members always, each other known one in half of them, sometimes unknown ones."""
    properties: Any = schema.get("properties", {})
    required: Any = schema.get("required", [])
    made = {}
    for name, inside in properties.items():
        if inside is False and name not in required:
            continue
        if name in required or draw(st.booleans()):
            made[name] = draw(build(inside))
    rest: Any = schema.get("additionalProperties", True)
    for name in required:
        if name not in made:
            made[name] = draw(build(rest))
    least: Any = schema.get("minProperties", 0)
    most: Any = schema.get("maxProperties", len(made) + 2)
    for name in properties:
        if len(made) < least and name not in made:
            made[name] = draw(build(properties[name]))
    if rest is not False:
        names: Any = schema.get("propertyNames")
        keys = (
            texts(max_size=8) if names is None else build({"type": "string", **(names if names is not True else {})})
        )
        lacking = max(0, least - len(made))
        more = draw(st.lists(keys, min_size=lacking, max_size=max(lacking, min(most - len(made), 2)), unique=True))
        made |= {name: draw(build(rest)) for name in more if name not in made}
    return made
