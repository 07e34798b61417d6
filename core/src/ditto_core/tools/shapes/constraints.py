"""What the validators of attrs mean for a shape: each narrows the schema and the check alike, or is refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import attrs
from attrs import validators

from ...text import quote
from .rules import RULES
from .shape import Misfit, Shape
from .unions import with_null, without_null

_AND: type[Any] = type(validators.and_())
_OPTIONAL: type[Any] = type(validators.optional([]))
_DEEP_ITERABLE: type[Any] = type(validators.deep_iterable([]))
_DEEP_MAPPING: type[Any] = type(validators.deep_mapping(validators.and_(), validators.and_()))


@attrs.frozen(kw_only=True, eq=False, repr=False)
class _Step:
    """One thing that a validator does to a shape.

    ``inside`` says that it makes the shape anew from its parts, ``custom`` that a schema cannot tell all of it.
    """

    apply: Callable[[Shape], Shape]
    inside: bool = False
    custom: bool = False


def constrained(shape: Shape, validator: Any) -> Shape:
    """Return the shape narrowed by an attrs validator, or a sequence of them; custom ones leave it as it is.

    Raises :class:`Misfit` for one that the values of the shape cannot all be asked, or that belongs to attrs and has
    no counterpart in a schema.
    """
    return _applied(shape, list(_steps(validator)))


def is_custom(validator: Any) -> bool:
    """Tell whether the validator, or one in it, is none that a schema can tell; raises as `constrained` does."""
    return any(step.custom for step in _steps(validator))


def _applied(shape: Shape, steps: Sequence[_Step]) -> Shape:
    # A shape made anew would lose what was added to it, so those that do so come first.
    for step in sorted(steps, key=lambda one: not one.inside):
        shape = step.apply(shape)
    return shape


def _steps(validator: Any) -> Iterator[_Step]:
    kind = type(validator)
    if kind in (list, tuple):
        for one in validator:
            yield from _steps(one)
    elif kind is _AND:
        yield from _steps(tuple(validator._validators))  # noqa: SLF001  # there is no other way to see them
    elif kind is _OPTIONAL:
        yield _inside(_beside_null, validator.validator)
    elif kind is _DEEP_ITERABLE:
        yield from _steps(validator.iterable_validator)
        yield _inside(_in_items, validator.member_validator)
    elif kind is _DEEP_MAPPING:
        yield from _steps(validator.mapping_validator)
        yield _inside(_in_values, validator.value_validator)
        yield _inside(_in_keys, validator.key_validator)
    elif kind in RULES:
        yield _Step(apply=partial(RULES[kind], validator))
    elif kind.__module__ in ("attr.validators", "attrs.validators"):
        name = quote(kind.__name__)
        raise Misfit(f"has attrs' validator {name}, which a schema cannot tell; write a function of your own")
    elif validator is not None:
        yield _Step(apply=lambda shape: shape, custom=True)


def _inside(apply: Callable[[Shape, list[_Step]], Shape], validator: Any) -> _Step:
    steps = list(_steps(validator))
    return _Step(apply=lambda shape: apply(shape, steps), inside=True, custom=any(step.custom for step in steps))


def _beside_null(shape: Shape, steps: list[_Step]) -> Shape:
    others = without_null(shape)
    return _applied(shape, steps) if others is None else with_null(_applied(others, steps))


def _in_items(shape: Shape, steps: list[_Step]) -> Shape:
    if shape.item is None or shape.with_parts is None or shape.key is not None:
        raise Misfit("has deep_iterable, which is for list[T] and tuple[T, ...]")
    return shape.with_parts(_part(shape.item, steps, "[*]"), None)


def _in_values(shape: Shape, steps: list[_Step]) -> Shape:
    item, key, with_parts = _mapping(shape)
    return with_parts(_part(item, steps, "[*]"), key)


def _in_keys(shape: Shape, steps: list[_Step]) -> Shape:
    item, key, with_parts = _mapping(shape)
    return with_parts(item, _part(key, steps, "[key]"))


def _mapping(shape: Shape) -> tuple[Shape, Shape, Callable[[Shape, Shape], Shape]]:
    if shape.item is None or shape.key is None or shape.with_parts is None:
        raise Misfit("has deep_mapping, which is for dict[str, T]")
    return shape.item, shape.key, shape.with_parts


def _part(shape: Shape, steps: list[_Step], where: str) -> Shape:
    try:
        return _applied(shape, steps)
    except Misfit as misfit:
        misfit.at(where)
        raise
