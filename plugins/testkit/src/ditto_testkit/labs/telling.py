"""Everything that the end of a call tells, by where it stands: for checks that look for what must not be told."""

from __future__ import annotations

import traceback
from collections.abc import Iterator
from typing import Any, Final

from ditto_core import to_wire

from .loop import Ended

IN_ERROR: Final = frozenset({"error"})
BESIDE_OUTPUT: Final = IN_ERROR | {"metadata", "references"}
ANYWHERE: Final = BESIDE_OUTPUT | {"content", "structuredContent"}

_ATTRIBUTES: Final = "attributes of "


def told(ended: Ended, places: frozenset[str]) -> Iterator[tuple[str, str]]:
    """Give the texts of these members of the result, or those of the exception, each with where it stands.

    The attributes of an exception, such as the output that ``CommandTimeout`` keeps, count as output.
    """
    if ended.error is not None:
        yield from (row for row in said_by(ended.error) if places >= ANYWHERE or not row[0].startswith(_ATTRIBUTES))
    elif ended.value is not None:
        wire: Any = to_wire(ended.value)
        yield from ((name, repr(value)) for name, value in wire.items() if name in places)


def said_by(error: BaseException) -> Iterator[tuple[str, str]]:
    """Give what an exception itself says; whoever it is chained to is left to :func:`chained_to`."""
    name = type(error).__name__
    yield f"str({name})", f"{error} {error!r}"
    yield f"{name}.args", repr(error.args)
    yield f"notes of {name}", repr(getattr(error, "__notes__", ()))
    yield f"{_ATTRIBUTES}{name}", repr(vars(error))


def chained_to(error: BaseException | None) -> Iterator[tuple[str, str]]:
    """Give everything that an exception holds, and whoever is chained to it, and the whole traceback."""
    waiting, seen = [error], set[int]()
    while waiting:
        one = waiting.pop()
        if one is None or id(one) in seen:
            continue
        seen.add(id(one))
        yield from said_by(one)
        waiting += [one.__cause__, one.__context__]
    if error is not None:
        yield "the traceback", "".join(traceback.format_exception(error))
