"""The validators of attrs that are one keyword of a schema, each with its counterpart."""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from math import isfinite
from typing import Any

import attrs
from attrs import validators

from .patterns import schema_pattern
from .scalars import SCALAR_KINDS
from .shape import Misfit, Shape, listed, ruled, shown

_NUMBERS = frozenset({int, float})
_MAX_RANGE = 1000
"""How many values of a range are listed in a schema at the most."""

_BOUNDS = {
    ">=": ("minimum", "at least"),
    ">": ("exclusiveMinimum", "greater than"),
    "<=": ("maximum", "at most"),
    "<": ("exclusiveMaximum", "less than"),
}
_LENGTHS: dict[type[Any], tuple[str, str]] = {
    str: ("Length", "character"),  # code points, here as in JSON Schema
    list: ("Items", "item"),
    tuple: ("Items", "item"),
    dict: ("Properties", "key"),
}


def _bound(validator: Any, shape: Shape) -> Shape:
    """`ge`, `gt`, `le`, `lt`."""
    bound, compare = validator.bound, validator.compare_func
    if not shape.gives <= _NUMBERS:
        raise _wrong_place("a bound (ge, gt, le, lt)", "numbers")
    if type(bound) not in _NUMBERS or (type(bound) is float and not isfinite(bound)):
        raise Misfit("has a bound that is no finite int or float; give it one")
    keyword, words = _BOUNDS[validator.compare_op]
    return ruled(shape, keyword, bound, lambda value: compare(value, bound), f"must be {words} {shown(bound)}")


def _min_len(validator: Any, shape: Shape) -> Shape:
    least = validator.min_length
    keyword, word = _length(least, shape)
    problem = f"must have at least {shown(least)} {word}{'' if least == 1 else 's'}"
    return ruled(shape, f"min{keyword}", least, lambda value: len(value) >= least, problem)


def _max_len(validator: Any, shape: Shape) -> Shape:
    most = validator.max_length
    keyword, word = _length(most, shape)
    problem = f"must have at most {shown(most)} {word}{'' if most == 1 else 's'}"
    return ruled(shape, f"max{keyword}", most, lambda value: len(value) <= most, problem)


def _length(length: Any, shape: Shape) -> tuple[str, str]:
    if type(length) is not int or length < 0:
        raise Misfit("has a length (min_len, max_len) that is no int from 0 up; give it one")
    found = [_LENGTHS.get(kind) for kind in shape.gives]
    if len(found) != 1 or found[0] is None:
        raise _wrong_place("a length (min_len, max_len)", "str, list, tuple and dict")
    return found[0]


def _matches(validator: Any, shape: Shape) -> Shape:
    """`matches_re`, with any of its three functions."""
    match = validator.match_func
    if shape.gives != {str}:
        raise _wrong_place("matches_re", "str")
    pattern = schema_pattern(validator.pattern, match.__name__)
    problem = f"must match the pattern {shown(validator.pattern.pattern)}"
    return ruled(shape, "pattern", pattern, lambda value: match(value) is not None, problem)


def _is_in(validator: Any, shape: Shape) -> Shape:
    """`in_`: by value, and True is not 1."""
    if not shape.takes <= SCALAR_KINDS:
        raise _wrong_place("in_", "scalars")
    options = _options(validator.options, validator._original_options)  # noqa: SLF001  # a set has lost its kind
    if not all(type(one) in shape.gives and (type(one) is not float or isfinite(one)) for one in options):
        raise Misfit("has an option (in_) of another type than its own; leave it out")
    pairs = {_key(option): option.value if isinstance(option, enum.Enum) else option for option in options}
    allowed, written = frozenset(pairs), list(pairs.values())
    before: Any = shape.keywords.get("enum")
    if before is not None:  # Literal, Enum or another in_: only what both allow is left
        known = {_key(value) for value in before}
        written = [value for value in written if _key(value) in known]
        shape = attrs.evolve(shape, keywords={k: v for k, v in shape.keywords.items() if k != "enum"})
    if not written:
        raise Misfit("has no options left (in_) that it could be; give it some")
    return ruled(shape, "enum", written, lambda value: _key(value) in allowed, f"must be one of {listed(written)}")


def _options(options: Any, original: Any) -> Sequence[Any]:
    """Return the options in an order that is the same in every process."""
    if isinstance(options, enum.EnumType) or (type(options) is range and len(options) <= _MAX_RANGE):
        return list(options)
    if isinstance(original, set | frozenset):
        return sorted(options, key=lambda one: (type(one).__name__, repr(one)))
    if type(options) is not tuple:
        raise Misfit(
            f"has options (in_) that are no list, tuple, set, enum or range of at most {_MAX_RANGE}; give it one"
        )
    return options


def _key(value: Any) -> tuple[bool, Any]:
    """What is equal for a schema: numbers by value, and no boolean is a number."""
    return type(value) is bool, value


def _instance_of(validator: Any, shape: Shape) -> Shape:
    """`instance_of`, when it says no more than the type does."""
    try:
        fits = all(issubclass(kind, validator.type) for kind in shape.gives)
    except TypeError:
        fits = False
    if not fits:
        kinds = ", ".join(sorted(kind.__name__ for kind in shape.gives))
        raise Misfit(
            f"has instance_of with another type than its own ({kinds}); leave it out, or use optional(…) beside None"
        )
    return shape


def _wrong_place(what: str, where: str) -> Misfit:
    return Misfit(f"has {what}, which is for {where}; beside None put it into optional(…), else onto that type alone")


RULES: dict[type[Any], Callable[[Any, Shape], Shape]] = {
    type(validators.ge(0)): _bound,
    type(validators.min_len(0)): _min_len,
    type(validators.max_len(0)): _max_len,
    type(validators.matches_re("")): _matches,
    type(validators.in_(())): _is_in,
    type(validators.instance_of(int)): _instance_of,
}
"""By the exact type of the validator, what it makes of a shape."""
