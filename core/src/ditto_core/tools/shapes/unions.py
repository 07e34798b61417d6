"""Unions that the exact type of a value decides: ``T | None``, and scalars that no value fits two of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .scalars import INTEGER, NULL, SCALAR_KINDS
from .shape import Misfit, Shape, not_this


def union_shape(options: Sequence[Shape]) -> Shape:
    """Return the shape that takes what one of the options takes.

    ``int | float`` means ``float``: an integer is a valid number and stays an integer.
    """
    if any(float in one.takes for one in options):
        options = [one for one in options if one is not INTEGER]
    if len(options) == 1:
        return options[0]
    others = [one for one in options if not _is_null(one)]
    if len(others) > 1 and not all(one.takes <= SCALAR_KINDS for one in others):
        raise Misfit(
            "is a union of more than scalars, which no type of a value decides; "
            "use T | None, a union of scalars, or two properties"
        )
    taken: set[type[Any]] = set()
    for one in options:
        if taken & one.takes:
            raise Misfit("is a union in which one value fits two types; leave one of them out")
        taken |= one.takes
    words = " or ".join(one.words for one in options)
    readers = {kind: one.read for one in options for kind in one.takes}
    writers = {kind: one.write for one in options for kind in one.gives}

    def read(value: Any) -> Any:
        reader = readers.get(type(value))
        if reader is None:
            raise not_this(words, value)
        return reader(value)

    def write(value: Any) -> Any:
        writer = writers.get(type(value))
        if writer is None:
            raise not_this(words, value)
        return writer(value)

    return Shape(
        words=words,
        keywords={"anyOf": [one.keywords for one in options]},
        takes=frozenset(readers),
        gives=frozenset(writers),
        read=read,
        write=write,
        options=tuple(options),
    )


def without_null(shape: Shape) -> Shape | None:
    """Return what a union takes beside null, or None when it is no union with null."""
    others = [one for one in shape.options if not _is_null(one)]
    return union_shape(others) if len(others) < len(shape.options) else None


def with_null(shape: Shape) -> Shape:
    """Return the union of the shape and null."""
    return union_shape([shape, NULL])


def _is_null(shape: Shape) -> bool:
    return shape.takes == NULL.takes
