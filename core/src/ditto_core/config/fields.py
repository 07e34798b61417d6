"""Fields and parameters as options of a file: types and rules are those of `@tool`, names are in camel case."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from types import NoneType
from typing import Annotated, Any, TypeAlias

import attrs
from attrs.validators import ge, le

from ..contracts.json_values import JsonObject
from ..contracts.wire.names import wire_name
from ..errors import InvalidValue
from ..tools.shapes.annotations import annotations_of, union_without, unwrapped
from ..tools.shapes.classes import Property
from ..tools.shapes.forms import Forms
from ..tools.shapes.properties import property_of
from ..tools.shapes.shape import Misfit, Read, not_this
from .durations import bounds_of, in_seconds
from .wording import range_of

Field: TypeAlias = "attrs.Attribute[Any]"

_NAMED = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
_NOT_SHOWN: Any = attrs.Factory(NoneType)
"""Stands for a default that a schema does not show; nothing is ever made of it."""


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Option:
    """One option: ``key`` is its name in a file, ``argument`` its keyword in a call, ``attribute`` its field's name.

    ``read`` makes the argument of a JSON value; it is None for an option that only code can give.
    """

    key: str
    argument: str
    attribute: str
    required: bool
    keywords: JsonObject
    read: Read | None


def options_of(factory: Callable[..., Any], forms: Forms) -> Sequence[Option]:
    """Return the options of an attrs class, or of anything else that can be called.

    Raises :class:`Misfit` for annotations that cannot be looked up.
    """
    return [_option(field, annotation, forms) for field, annotation in _fields(factory)]


def _fields(factory: Callable[..., Any]) -> Sequence[tuple[Field, Any]]:
    """Return the fields of an attrs class, or the named parameters of anything else as such, with annotations."""
    if isinstance(factory, type) and attrs.has(factory) and _is_generated(factory):
        annotations = annotations_of(factory)
        return [(one, annotations.get(one.name, one.type)) for one in attrs.fields(factory) if one.init]
    try:
        parameters = inspect.signature(factory).parameters.values()
    except (TypeError, ValueError):
        return []  # written in C and without a signature
    annotations = annotations_of(_called(factory))
    named = {one.name: attrs.field(default=_default(one), alias=one.name) for one in parameters if one.kind in _NAMED}
    holder = attrs.make_class("Parameters", named, kw_only=True)
    return [(one, annotations.get(one.name)) for one in attrs.fields(holder)]


def _called(factory: Any) -> Callable[..., Any]:
    """Return the function whose annotations are those of a call."""
    return factory.__init__ if isinstance(factory, type) else factory  # type: ignore[no-any-return, misc]


def _is_generated(kind: Any) -> bool:
    return kind.__init__.__code__.co_filename.startswith("<attrs generated")  # type: ignore[no-any-return]


def _default(parameter: inspect.Parameter) -> Any:
    return attrs.NOTHING if parameter.default is parameter.empty else parameter.default


def _option(field: Field, annotation: Any, forms: Forms) -> Option:
    argument = field.alias or field.name
    bounds = bounds_of(field.metadata)
    required = field.default is attrs.NOTHING
    if field.default is None:  # leaving the key out says it, and null is mostly a value that somebody forgot
        annotation = union_without(annotation, NoneType)
        field = field.evolve(default=_NOT_SHOWN)
    if bounds is not None:
        annotation, field = _milliseconds(annotation, field, *bounds)
    found = _property(field, annotation, forms)
    return Option(
        key=wire_name(argument) + ("" if bounds is None else "Ms"),
        argument=argument,
        attribute=field.name,
        required=required,
        keywords={} if found is None else found.keywords,
        read=None if found is None else _reader(found, is_duration=bounds is not None),
    )


def _property(field: Field, annotation: Any, forms: Forms) -> Property | None:
    """Return the field as a property, its default left out if that has no JSON form; None if the field has none."""
    tries = [field]
    if field.default is not attrs.NOTHING:
        tries.append(field.evolve(default=_NOT_SHOWN))
    for one in tries:
        try:
            return property_of(one, annotation, forms)
        except Misfit:
            continue
    return None


def _milliseconds(annotation: Any, field: Field, least: int, most: int) -> tuple[Any, Field]:
    """Return the annotation and the field of a duration as a file has it."""
    if unwrapped(union_without(annotation, NoneType)).form is not float:
        raise InvalidValue(field.name, "is marked as a duration, which is for float and float | None")
    default: Any = field.default
    if type(default) in (int, float):
        default = round(default * 1000)
    return Annotated[int, ge(least), le(most)], field.evolve(default=default, validator=None, converter=None)


def _reader(found: Property, *, is_duration: bool) -> Read:
    """Return what reads a value; its messages name the whole range, and say what to do about null."""
    whole_range = range_of(found.keywords)
    read_property = found.read

    def read(value: Any) -> Any:
        try:
            return read_property(value)
        except Misfit as misfit:
            if misfit.path:
                raise
            if whole_range is not None:
                misfit = (
                    not_this(whole_range, value)
                    if type(value) not in (int, float)
                    else Misfit(f"must be {whole_range}")
                )
            if value is None:
                misfit.problem += "; give it a value, or leave the key out"
            raise misfit from None

    return (lambda value: in_seconds(read(value))) if is_duration else read
