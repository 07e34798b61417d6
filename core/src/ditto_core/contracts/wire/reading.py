"""How the converter reads the wire: exact types, known fields only, and a path to the first problem."""

from __future__ import annotations

import enum
from collections.abc import Callable
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

import cattrs
from cattrs.gen import make_dict_structure_fn, override

from ...errors import InvalidValue
from ...text import describe, quote
from ..content import enter_content
from ..json_values import check_json
from ..safety import safe_message
from ..unset import Unset
from .names import TAGS, wire_name, wire_names

Structure = Callable[[Any, Any], Any]

_ROOT = "$"
"""Stands for a JSON value in the paths below it, until the path above it is known."""


def exact_hook(kind: type[Any]) -> Structure:
    """Read a scalar of exactly one type; an integer is a number as well."""

    def hook(value: object, asked: Any) -> object:
        if asked is not kind and asked is not None:  # cattrs gives subclasses to the hook of their base
            return (enum_hook(asked) if is_enum(asked) else unknown_hook(asked))(value, asked)
        if type(value) is kind or (kind is float and type(value) is int):
            return value
        raise InvalidValue("", f"must be {_WORDS[kind]}, not {describe(value)}")

    return hook


EXACT_KINDS = (str, int, float, bool, NoneType)
"""The scalars that JSON has."""

_WORDS = {str: "a string", int: "an integer", float: "a number", bool: "true or false", NoneType: "null"}


def is_tuple(kind: Any) -> bool:
    """Tell whether `kind` is written ``tuple[T, ...]``."""
    return get_origin(kind) is tuple and get_args(kind)[1:] == (...,)


def is_list(kind: Any) -> bool:
    """Tell whether `kind` is written ``list[…]``."""
    return get_origin(kind) is list


def is_dict(kind: Any) -> bool:
    """Tell whether `kind` is written ``dict[str, T]``."""
    return get_origin(kind) is dict and get_args(kind)[0] is str


def is_literal(kind: Any) -> bool:
    """Tell whether `kind` is written ``Literal[…]``."""
    origin: Any = get_origin(kind)
    return origin is Literal


def is_enum(kind: Any) -> bool:
    """Tell whether `kind` is an enum."""
    return isinstance(kind, type) and issubclass(kind, enum.Enum)


def is_union(kind: Any) -> bool:
    """Tell whether `kind` is a union, however it is written."""
    return get_origin(kind) in (Union, UnionType)


def _items(converter: cattrs.Converter, item: Any, value: object) -> list[Any]:
    if type(value) is not list:
        raise InvalidValue("", f"must be a list, not {describe(value)}")
    hook = converter.get_structure_hook(item)
    found = []
    for index, one in enumerate(value):
        try:
            found.append(hook(one, item))
        except (cattrs.BaseValidationError, InvalidValue) as error:
            raise first_problem(error, f"[{index}]") from None
    return found


def tuple_hook(converter: cattrs.Converter, kind: Any) -> Structure:
    """Read a list into a tuple."""
    item = get_args(kind)[0]
    return lambda value, _: tuple(_items(converter, item, value))


def list_hook(converter: cattrs.Converter, kind: Any) -> Structure:
    """Read a list."""
    (item,) = get_args(kind)
    return lambda value, _: _items(converter, item, value)


def dict_hook(converter: cattrs.Converter, kind: Any) -> Structure:
    """Read an object whose values all have one type."""
    _, item = get_args(kind)

    def hook(value: object, _: object) -> object:
        found = {}
        for key, one in json_object(value).items():
            try:
                found[key] = converter.structure(one, item)
            except (cattrs.BaseValidationError, InvalidValue) as error:
                raise first_problem(error, f"[{quote(key)}]") from None
        return found

    return hook


def literal_hook(kind: Any) -> Structure:
    """Read one of the values that stand in a ``Literal``; ``True`` is not ``1``."""
    allowed = get_args(kind)

    def hook(value: object, _: object) -> object:
        for one in allowed:
            if type(value) is type(one) and value == one:
                return value
        raise InvalidValue("", f"must be one of {', '.join(map(str, allowed))}, not {quote(value)}")

    return hook


def enum_hook(kind: type[enum.Enum]) -> Structure:
    """Read a member of an enum by its value; ``True`` is not ``1``."""

    def hook(value: object, _: object) -> object:
        for one in kind:
            if type(value) is type(one.value) and value == one.value:
                return one
        raise InvalidValue("", f"must be a value of {kind.__name__}, not {quote(value)}")

    return hook


def unknown_hook(kind: Any) -> Structure:
    """Refuse a field whose type has no JSON form here, whatever stands in it."""
    name = getattr(kind, "__name__", "this")

    def hook(value: object, _: object) -> object:
        raise InvalidValue(
            "", f"has a type ({name}) without a JSON form; declare it as JsonValue, or as an attrs class"
        )

    return hook


def union_hook(converter: cattrs.Converter, kind: Any) -> Structure:
    """Read a field that may be absent or null, or any one of its other types."""
    others = [one for one in get_args(kind) if one is not Unset and one is not NoneType]
    nullable = NoneType in get_args(kind)
    by_word = _by_word(others)

    def hook(value: object, _: object) -> object:
        if value is None and nullable:
            return None
        if by_word is not None:
            return converter.structure(value, _of_word(value, *by_word))
        problem: Exception | None = None
        for one in others:
            try:
                return converter.structure(value, one)
            except (cattrs.BaseValidationError, InvalidValue) as error:
                problem = problem or error
        raise problem or InvalidValue("", f"must be null, not {describe(value)}")

    return hook


def _by_word(kinds: list[Any]) -> tuple[str, dict[str, Any]] | None:
    """Return the member that tells several classes apart and the class for each word there, if there is such a one."""
    tags = [TAGS.get(kind, ("", "")) for kind in kinds]
    keys, words = {key for key, _ in tags}, [word for _, word in tags]
    if len(kinds) < 2 or len(keys) != 1 or len(set(words)) != len(kinds):
        return None
    return keys.pop(), dict(zip(words, kinds, strict=True))


def _of_word(value: object, key: str, by_word: dict[str, Any]) -> Any:
    word = json_object(value).get(key)
    if type(word) is not str or word not in by_word:
        raise InvalidValue("", f"must have the {key} {' or '.join(map(repr, by_word))}, not {quote(word)}")
    return by_word[word]


def json_object(value: object) -> dict[str, Any]:
    """Return `value` if it is a dict; what is in it is looked into field by field."""
    if type(value) is not dict:
        raise InvalidValue("", f"must be a JSON object, not {describe(value)}")
    return value


def json_hook(value: object, _: object) -> object:
    """Read any JSON value."""
    check_json(value, _ROOT)
    return value


def json_object_hook(value: object, _: object) -> object:
    """Read any JSON object."""
    check_json(json_object(value), _ROOT)
    return value


def content_hook(value: object, _: object) -> object:
    """Read content into its normal form."""
    return enter_content(value, _ROOT)  # type: ignore[arg-type]


def class_hook(converter: cattrs.Converter, kind: type[Any]) -> Structure:
    """Read an object with exactly the wire names of the fields, and its tag if it has one."""
    names = {name: override(rename=wire) for name, wire in wire_names(kind).items()}
    build = make_dict_structure_fn(kind, converter, **names)  # type: ignore[arg-type]
    tag = TAGS.get(kind)

    def hook(value: object, _: object) -> object:
        fields = json_object(value)
        if tag is not None:
            key, word = tag
            fields = dict(fields)
            if fields.pop(key, None) != word:
                raise InvalidValue("", f"must have the {key} {word!r}")
        return build(fields, kind)

    return hook


def first_problem(error: Exception, path: str) -> InvalidValue:
    """Return the first problem in what the converter raised, with its path in wire names."""
    if isinstance(error, cattrs.ClassValidationError):
        with_notes, without = error.group_exceptions()
        if with_notes:
            inner, note = with_notes[0]
            return first_problem(inner, f"{path}.{wire_name(note.name)}")
        return first_problem(without[0], path)
    if isinstance(error, cattrs.ForbiddenExtraKeysError):
        return InvalidValue(path, f"has the unknown field {quote(min(map(str, error.extra_fields)))}; leave it out")
    if isinstance(error, KeyError):
        return InvalidValue(path, "is missing")
    if isinstance(error, InvalidValue):
        return InvalidValue(path + _below(error.field), error.problem)
    if isinstance(error, ValueError | TypeError):  # from a validator of somebody else's class
        return InvalidValue(path, safe_message(str(error), "breaks the rules of its class"))
    raise error


def _below(field: str) -> str:
    """Return the path below a class or a JSON value: ``".id"`` for ``"ToolCall.id"``, ``"[0]"`` for ``"$[0]"``."""
    if field.startswith(_ROOT):
        return field.removeprefix(_ROOT)
    return field if field.startswith("[") else "".join(field.partition(".")[1:])
