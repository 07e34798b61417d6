"""All that an exception can tell to whoever shows it, with the variables of every place that it came through."""

from __future__ import annotations

import traceback
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any


def everything_told(error: BaseException) -> str:
    """Give the message, the chain, the notes, and the locals of every frame, as a tool for crash reports does."""
    told = traceback.TracebackException.from_exception(error, capture_locals=True)
    return "".join(told.format()) + repr(error.args) + repr(vars(error))


def everything_known(error: BaseException) -> str:
    """Give every text that an exception leads to: also its attributes, and those of the variables of its frames.

    The frames of the tests themselves are left out, for they know the secrets.
    """
    return "\n".join(part for one in _chain(error, set()) for part in _told(one))


def _chain(error: BaseException | None, seen: set[int]) -> Iterator[BaseException]:
    if error is None or id(error) in seen:
        return
    seen.add(id(error))
    yield error
    for further in (error.__cause__, error.__context__, *getattr(error, "exceptions", ())):
        yield from _chain(further, seen)


def _told(error: BaseException) -> Iterator[str]:
    yield f"{error!r} {error} {error.args!r} {getattr(error, '__notes__', None)!r} {vars(error)!r}"
    yield "".join(traceback.format_exception(error))
    for frame, _ in traceback.walk_tb(error.__traceback__):
        if _is_of_tests(frame.f_code.co_filename):
            continue
        for name, value in _variables(frame.f_locals):
            yield f"{frame.f_code.co_qualname}: {name} = {value!r}"


def _variables(holder: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in holder.items():
        yield name, value
        if not isinstance(value, type):
            yield from getattr(value, "__dict__", {}).items()


def _is_of_tests(path: str) -> bool:
    return Path(__file__).parents[1] in Path(path).parents
