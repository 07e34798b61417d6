"""Arrays and objects of one kind of element: ``list[T]``, ``tuple[T, ...]`` and ``dict[str, T]``."""

from __future__ import annotations

from typing import Any

from ...text import quote
from .scalars import TEXT
from .shape import Misfit, Shape, member, not_this


def array_shape(item: Shape, kind: type[list[Any] | tuple[Any, ...]]) -> Shape:
    """Return the shape of an array that is a list or a tuple on the Python side."""
    read_item, write_item = item.read, item.write
    is_list = kind is list

    def read(value: Any) -> Any:
        if type(value) is not list:
            raise not_this("an array", value)
        items: list[Any] = []
        try:
            for one in value:
                items.append(read_item(one))  # noqa: PERF401  # the length tells which element did not fit
        except Misfit as misfit:
            misfit.at(f"[{len(items)}]")
            raise
        return items if is_list else tuple(items)

    def write(value: Any) -> Any:
        if type(value) is not kind:
            raise not_this(f"a {kind.__name__}", value)
        items: list[Any] = []
        try:
            for one in value:
                items.append(write_item(one))  # noqa: PERF401  # as above
        except Misfit as misfit:
            misfit.at(f"[{len(items)}]")
            raise
        return items

    return Shape(
        words="an array",
        keywords={"type": "array", "items": item.keywords},
        takes=frozenset({list}),
        gives=frozenset({kind}),
        read=read,
        write=write,
        item=item,
        with_parts=lambda item, _: array_shape(item, kind),
    )


def mapping_shape(item: Shape, key: Shape | None = None) -> Shape:
    """Return the shape of an object with any keys, or any that fit `key`, whose values all fit `item`."""
    read_item, write_item = item.read, item.write
    read_key = (key or TEXT).read

    def read(value: Any) -> Any:
        if type(value) is not dict:
            raise not_this("an object", value)
        try:
            return {read_key(name): read_item(one) for name, one in value.items()}
        except Misfit:  # once more, to find which
            return {name: _part(name, one, read_key, read_item) for name, one in value.items()}

    def write(value: Any) -> Any:
        if type(value) is not dict:
            raise not_this("a dict", value)
        try:
            return {read_key(name): write_item(one) for name, one in value.items()}
        except Misfit:  # once more, to find which
            return {name: _part(name, one, read_key, write_item) for name, one in value.items()}

    keywords = {"type": "object", "additionalProperties": item.keywords}
    if key is not None:
        keywords["propertyNames"] = key.keywords
    return Shape(
        words="an object",
        keywords=keywords,  # type: ignore[arg-type]
        takes=frozenset({dict}),
        gives=frozenset({dict}),
        read=read,
        write=write,
        item=item,
        key=key or TEXT,
        with_parts=mapping_shape,
    )


def _part(name: Any, value: Any, read_key: Any, convert: Any) -> Any:
    try:
        read_key(name)
    except Misfit as misfit:
        misfit.problem = f"has the key {quote(name)}, which {misfit.problem}"
        raise
    try:
        return convert(value)
    except Misfit as misfit:
        misfit.at(member(name))
        raise
