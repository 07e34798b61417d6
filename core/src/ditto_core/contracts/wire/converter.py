"""The JSON form of the contracts: camelCase names, absent fields left out, nothing coerced, both ways.

One cattrs converter serves every class. Stock cattrs turns ``1`` into ``"1"`` and drops unknown keys, so every
hook here is strict. Any attrs class may travel: a worker's own input and output classes get the same form.
"""

from __future__ import annotations

from functools import cache
from typing import Any, TypeVar

import attrs
import cattrs

from ...errors import InvalidValue
from ...text import describe
from ..content import MessageContent
from ..json_values import MAX_DEPTH, JsonObject, JsonValue, check_json
from .reading import (
    EXACT_KINDS,
    class_hook,
    content_hook,
    dict_hook,
    enum_hook,
    exact_hook,
    first_problem,
    is_dict,
    is_enum,
    is_list,
    is_literal,
    is_tuple,
    is_union,
    json_hook,
    json_object_hook,
    list_hook,
    literal_hook,
    tuple_hook,
    union_hook,
    unknown_hook,
)
from .writing import class_to_wire, content_to_wire, tuple_to_wire, union_to_wire

C = TypeVar("C")

ENVELOPE_DEPTH = 16
"""How much deeper than the JSON inside them whole objects may be on the wire."""


def to_wire(value: Any) -> JsonValue:
    """Return the JSON form of a contract object, or of any attrs class made of contracts and JSON.

    JSON inside is passed as it is, neither copied nor checked: it was checked where it entered. Raises
    :class:`InvalidValue` for anything that is no object of an attrs class.
    """
    if not attrs.has(type(value)):
        raise InvalidValue("to_wire", f"takes an object of an attrs class, not {describe(value)}")
    return _converter().unstructure(value, unstructure_as=type(value))  # type: ignore[no-any-return]


def from_wire(kind: type[C], data: object) -> C:
    """Return the object of class `kind` that `data`, a JSON object with wire names, stands for.

    Raises :class:`InvalidValue` with the path of the first value that is no JSON, is missing, is not known or has
    the wrong type.
    """
    name = getattr(kind, "__name__", "input")  # a node that takes one of several classes has a union of them
    check_json(data, name, max_depth=MAX_DEPTH + ENVELOPE_DEPTH)
    try:
        return _converter().structure(data, kind)
    except (cattrs.BaseValidationError, InvalidValue) as error:
        raise first_problem(error, name) from None


@cache
def _converter() -> cattrs.Converter:
    converter = cattrs.Converter(forbid_extra_keys=True, detailed_validation=True)
    # Later hooks are asked first, so this one is asked last.
    converter.register_structure_hook_factory(lambda _: True, unknown_hook)
    for scalar in EXACT_KINDS:
        converter.register_structure_hook(scalar, exact_hook(scalar))
    converter.register_structure_hook_factory(is_enum, enum_hook)
    converter.register_structure_hook_factory(is_tuple, lambda kind: tuple_hook(converter, kind))
    converter.register_structure_hook_factory(is_list, lambda kind: list_hook(converter, kind))
    converter.register_structure_hook_factory(is_dict, lambda kind: dict_hook(converter, kind))
    converter.register_structure_hook_factory(is_literal, literal_hook)
    converter.register_structure_hook_factory(is_union, lambda kind: union_hook(converter, kind))
    converter.register_structure_hook_func(lambda kind: kind == JsonValue, json_hook)
    converter.register_structure_hook_func(lambda kind: kind == JsonObject, json_object_hook)
    converter.register_structure_hook_func(lambda kind: kind == MessageContent, content_hook)
    converter.register_structure_hook_factory(attrs.has, lambda kind: class_hook(converter, kind))
    converter.register_unstructure_hook_func(lambda kind: kind == JsonValue, lambda value: value)
    converter.register_unstructure_hook_func(lambda kind: kind == JsonObject, lambda value: value)
    converter.register_unstructure_hook_func(
        lambda kind: kind == MessageContent, lambda value: content_to_wire(converter, value)
    )
    converter.register_unstructure_hook_factory(is_union, lambda kind: union_to_wire(converter, kind))
    converter.register_unstructure_hook_factory(is_tuple, lambda kind: tuple_to_wire(converter))
    converter.register_unstructure_hook_factory(attrs.has, lambda kind: class_to_wire(converter, kind))
    return converter
