"""How the converter writes the wire: wire names, and absent fields left out."""

from __future__ import annotations

from collections.abc import Callable
from types import NoneType
from typing import Any, get_args

import attrs
import cattrs
from cattrs.gen import make_dict_unstructure_fn, override

from ..unset import UNSET, Unset
from .names import TAGS, wire_names


def content_to_wire(converter: cattrs.Converter, value: object) -> object:
    """Write content: parts as a list, anything else as it is."""
    if type(value) is tuple:
        return [converter.unstructure(part, unstructure_as=type(part)) for part in value]
    return value


def union_to_wire(converter: cattrs.Converter, kind: Any) -> Callable[[Any], Any]:
    """Write a field that may be null or of several types by the type it has."""
    others = [one for one in get_args(kind) if one is not Unset and one is not NoneType]
    if len(others) == 1:
        (only,) = others
        return lambda value: None if value is None else converter.unstructure(value, unstructure_as=only)
    return lambda value: converter.unstructure(value, unstructure_as=type(value))


def tuple_to_wire(converter: cattrs.Converter) -> Callable[[Any], Any]:
    """Write a tuple as a list."""
    return lambda value: [converter.unstructure(one, unstructure_as=type(one)) for one in value]


def class_to_wire(converter: cattrs.Converter, kind: type[Any]) -> Callable[[Any], Any]:
    """Write an object under wire names, absent fields left out, and its tag if it has one."""
    wire = wire_names(kind)
    names = {
        field.name: override(rename=wire[field.name], omit_if_default=field.default is UNSET)
        for field in attrs.fields(kind)
    }
    build = make_dict_unstructure_fn(kind, converter, **names)  # type: ignore[arg-type]
    tag = TAGS.get(kind)
    if tag is None:
        return build
    key, word = tag
    return lambda value: {key: word, **build(value)}
