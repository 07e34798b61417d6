"""Arguments for a tool out of its own input schema: some that fit, some that do not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import attrs
from hypothesis import assume
from hypothesis import strategies as st

from ditto_core import JsonObject

from .building import MADE, TOLD, Builder
from .changes import changed
from .judging import Judge, judge, schema_problem

_TRIES: Final = 6
"""How many candidates are judged before a draw is given up."""
_DRAWS: Final = 10
"""After how many draws without a single value that fits a schema is given up."""


class NoStrategy(ValueError):
    """No arguments can be made from a schema; the message names the keyword and says how to supply a strategy."""


def arguments(schema: JsonObject) -> st.SearchStrategy[dict[str, Any]]:
    """Give arguments that fit an input schema of draft 2020-12.

    They are made from ``type enum const properties required additionalProperties minProperties maxProperties
    propertyNames items prefixItems minItems maxItems uniqueItems minimum maximum exclusiveMinimum exclusiveMaximum
    multipleOf minLength maxLength pattern anyOf oneOf allOf $ref $defs``. Other keywords are kept by trying, within
    bounds. No number stands where ``1.0`` would have to be, or not to be, an integer.

    Raises :class:`NoStrategy` for what is no schema, and when a value is drawn and trying did not help.
    """
    problem = schema_problem(schema)
    if problem:
        raise NoStrategy(f"The schema is no JSON Schema of draft 2020-12: {problem}. {_REMEDY}")
    return _arguments(Builder(schema).whole(), judge(schema), _hard(schema), _Tries())


_REMEDY = 'Supply a strategy: arguments = {"TOOL": st.fixed_dictionaries({…})} in the contract.'


@attrs.define
class _Tries:
    """How often a draw ended with a value that fits, and how often without."""

    fitting: int = 0
    missing: int = 0


@st.composite
def _arguments(
    draw: st.DrawFn, candidates: st.SearchStrategy[Any], judged: Judge, hard: str, tries: _Tries
) -> dict[str, Any]:
    for _ in range(_TRIES):
        value = draw(candidates)
        if type(value) is dict and judged.fits(value):
            tries.fitting += 1
            return value
    tries.missing += 1
    # The first draws may all be of the simplest values, so one that fails proves nothing.
    if hard and not tries.fitting and tries.missing >= _DRAWS:
        count = _DRAWS * _TRIES
        raise NoStrategy(f"None of {count} values fits the schema. It is made without {hard}. {_REMEDY}")
    assume(False)  # noqa: FBT003 - Hypothesis's own name for giving an example up
    raise AssertionError


def invalid_arguments(schema: JsonObject, valid: st.SearchStrategy[Any] | None = None) -> st.SearchStrategy[Any]:
    """Give JSON objects that certainly do not fit the schema, most of them one step away from `valid` ones.

    A schema that every object fits has none: Hypothesis then raises ``Unsatisfiable``.
    """
    return _invalid(arguments(schema) if valid is None else valid, judge(schema))


@st.composite
def _invalid(draw: st.DrawFn, valid: st.SearchStrategy[Any], judged: Judge) -> dict[str, Any]:
    value = draw(valid)
    for _ in range(8):
        candidate = draw(changed(value))
        if type(candidate) is dict and judged.misses(candidate):
            return candidate
    assume(False)  # noqa: FBT003
    raise AssertionError


def _hard(schema: Any) -> str:
    """Return the first keyword that values are not made from, with its place, or nothing."""
    return next(_unmade(schema, "$"), "")


def _unmade(schema: Any, place: str) -> Iterator[str]:
    if type(schema) is not dict:
        return
    for keyword, value in schema.items():
        where = f"{place}.{keyword}"
        if keyword not in MADE and keyword not in TOLD:
            yield f"'{keyword}' at {place}"
        elif keyword in ("properties", "$defs"):
            for name, inside in value.items():
                yield from _unmade(inside, f"{where}.{name}")
        elif keyword in ("anyOf", "oneOf", "allOf", "prefixItems"):
            if keyword == "oneOf":
                yield from _overlapping(value, where)
            for index, inside in enumerate(value):
                yield from _unmade(inside, f"{where}[{index}]")
        elif keyword in ("items", "additionalProperties", "propertyNames"):
            yield from _unmade(value, where)


def _overlapping(options: list[Any], where: str) -> Iterator[str]:
    """Tell of a ``oneOf`` whose options neither differ in type nor in a constant tag."""
    kinds = [option.get("type") if type(option) is dict else None for option in options]
    if None not in kinds and len({str(kind) for kind in kinds}) == len(kinds):
        return
    tags = [_constants(option) for option in options]
    shared = set.intersection(*map(set, tags)) if tags else set()
    if not any(len({repr(tag[name]) for tag in tags}) == len(tags) for name in shared):
        yield f"'oneOf' at {where}, whose options differ neither in type nor in a constant member,"


def _constants(option: Any) -> dict[str, Any]:
    if type(option) is not dict:
        return {}
    properties = option.get("properties", {})
    return {name: one["const"] for name, one in properties.items() if type(one) is dict and "const" in one}
