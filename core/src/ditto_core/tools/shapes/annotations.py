"""Annotations: looked up, also when they are text or name local classes, and taken out of `Annotated`."""

from __future__ import annotations

import sys
import typing
from collections.abc import Callable
from operator import is_
from types import FrameType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin

import attrs

from ...contracts.json_values import JsonObject, JsonValue
from ...text import describe, quote
from .shape import Misfit


def annotations_of(thing: Callable[..., Any] | type[Any]) -> dict[str, Any]:
    """Return the annotations with every name looked up.

    What is defined in a function finds the names of that function while it runs, which it does when something in it
    is decorated. Raises :class:`Misfit` for a name that is not known at run time.
    """
    try:
        return typing.get_type_hints(thing, localns=_enclosing_names(thing) or None, include_extras=True)
    except NameError as error:
        name = error.name or "?"
        raise Misfit(
            f"has an annotation with the name {name!r}, which is not known when it is decorated; "
            "define it before, and import it outside of `if TYPE_CHECKING:`"
        ) from error
    except Exception as error:
        raise Misfit(f"has an annotation that cannot be read ({type(error).__name__}); write it as a type") from error


def _enclosing_names(thing: Callable[..., Any] | type[Any]) -> dict[str, Any]:
    """Return the local names of the running functions in which `thing` was defined, the innermost first."""
    names: dict[str, Any] = {}
    if "<locals>" not in thing.__qualname__:
        return names
    frame: FrameType | None = sys._getframe(1)  # noqa: SLF001  # inspect.stack() would read source files
    while frame is not None:
        if frame.f_globals.get("__name__") == thing.__module__ and thing.__qualname__.startswith(
            f"{frame.f_code.co_qualname}.<locals>."
        ):
            names = {**frame.f_locals, **names}
        frame = frame.f_back
    return names


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Unwrapped:
    """A form of type without its `Annotated`: the form, its description, and its validators."""

    form: Any
    text: str | None = None
    validators: tuple[Any, ...] = ()


def unwrapped(form: Any) -> Unwrapped:
    """Take a form out of `Annotated`: a text describes it, anything callable is a validator.

    `JsonValue` and `JsonObject` stay as they are. Raises :class:`Misfit` for anything else in it.
    """
    if get_origin(form) is not Annotated:
        return Unwrapped(form=form)
    bare, *notes = get_args(form)
    for marked in (JsonValue, JsonObject):
        if get_args(marked) == (bare, notes[0]):
            bare = marked
            notes = notes[1:]
            break
    texts = [note for note in notes if type(note) is str]
    validators = tuple(note for note in notes if type(note) is not str)
    if len(texts) > 1:
        raise Misfit("has two descriptions; keep one")
    if not all(map(callable, validators)):
        raise Misfit("has something in Annotated that is neither a description nor a validator; leave it out")
    return Unwrapped(form=bare, text=texts[0] if texts else None, validators=validators)


def is_union(form: Any) -> bool:
    """Tell whether the form is ``A | B``, however written."""
    return get_origin(form) in (Union, UnionType)


def union_without(form: Any, left_out: type[Any]) -> Any:
    """Return the union of all else that a union names, also one inside `Annotated`; the form itself if it is in none.

    What stands in `Annotated` beside it stays.
    """
    if get_origin(form) is Annotated:
        bare, *notes = get_args(form)
        less = union_without(bare, left_out)
        return form if less is bare else Annotated[less, *notes]
    if not is_union(form):
        return form
    named = get_args(form)
    kept = tuple(union_without(one, left_out) for one in named if one is not left_out)
    if len(kept) == len(named) and all(map(is_, kept, named)):
        return form
    return Union[kept]  # noqa: UP007  # made at run time


def name_of(form: Any) -> str:
    """Return how a message names a form of type."""
    name = getattr(form, "__name__", None)
    return quote(name) if type(name) is str else describe(form)
