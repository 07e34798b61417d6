"""What a declaration has to keep to, checked when it is made and not when it runs."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from contextlib import suppress
from types import UnionType
from typing import Annotated, Any, TypeVar, get_origin

from ..callables import is_async
from ..errors import GraphError
from ..text import describe, quote

R = TypeVar("R")

MAX_NAME = 200
"""How many code points the name of a graph or the id of a node may have."""


def check_name(who: str, name: object) -> None:
    """Refuse a name that one line cannot show."""
    if type(name) is not str or not name or len(name) > MAX_NAME or not name.isprintable():
        raise GraphError(
            f"{who}: the name must be a printable string of 1 to {MAX_NAME} characters, not {quote(name)}."
        )


def input_class(graph: str, kind: object) -> type[Any]:
    """Return the class that a run's input must be of; raises :class:`GraphError` for what is none."""
    found = get_origin(kind) or kind
    if isinstance(found, type) and found not in {UnionType, Annotated}:
        with suppress(TypeError):  # there are classes that nothing can be asked to be of, such as a TypedDict
            isinstance(None, found)
            return found
    raise GraphError(f"Graph {graph!r}: the input must be given as a class of objects, not {describe(kind)}.")


def step_id(graph: str, bind: Callable[..., Any], id: str | None) -> str:
    """Return the id that a node was given, or the name of its function."""
    if id is not None:
        return id
    name = getattr(bind, "__name__", None)
    if name is None or name == "<lambda>":
        raise GraphError(f"A node of graph {graph!r}: has no id, and {describe(bind)} no name. Give it one with id=.")
    return str(name)


def check_binder(who: str, bind: object, after: Sequence[str]) -> None:
    """Refuse what is no plain function of the run's input and one output for each step that is waited for."""
    check_plain(who, "the function that makes its input", bind, ["input", *after])


def check_plain(who: str, what: str, function: object, arguments: Sequence[str]) -> None:
    """Refuse what is no plain function of these arguments, given by position."""
    if not callable(function):
        raise GraphError(f"{who}: {what} must be a function, not {describe(function)}.")
    if is_async(function):
        raise GraphError(f"{who}: {what} is an async function; make it a plain one. Nodes do the waiting.")
    try:
        signature = inspect.signature(function)
    except (ValueError, TypeError):
        return  # written in C and without a signature: the call itself will tell
    try:
        filled = signature.bind(*arguments).arguments
    except TypeError:
        needed = ", ".join(quote(argument) for argument in arguments)
        raise GraphError(f"{who}: {what} must take {len(arguments)} arguments by position: {needed}.") from None
    for name in filled:
        if signature.parameters[name].default is not inspect.Parameter.empty:
            raise GraphError(
                f"{who}: {what} would get one of its arguments in the place of {quote(name)}, which has a default. "
                f"Write a '*' before {quote(name)}, or take its default away."
            )


def refuse_coroutine(given: R, what: str) -> R:
    """Return what a plain function gave; raises :class:`GraphError` for a coroutine, which nobody would await."""
    if inspect.iscoroutine(given):
        given.close()
        raise GraphError(f"{what}: its function gave a coroutine. It has to be a plain one; nodes do the waiting.")
    return given
