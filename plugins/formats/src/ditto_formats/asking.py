"""What every reply's calls have in common: an id of their own, a name, and arguments that may be bad."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

import attrs

from ditto_core import InvalidValue, JsonObject, ToolCall, describe, escape, from_wire, quote

from .bad_call import BadCall
from .json_text import Unreadable, is_writable

MAX_CALLS: Final = 1_024
"""How many calls one reply may ask for."""


@attrs.frozen(kw_only=True, eq=False)
class Asked:
    """A call as it stands in a reply, nothing of it checked; ``where`` is the path of its id.

    ``problem`` says why it cannot be made whatever its arguments are, ``cut`` why arguments that cannot be read are
    so.
    """

    where: str
    id: Any
    name: Any
    arguments: Any
    problem: str = ""
    cut: str = ""


def enter(asked: Iterable[Asked], read: Callable[[object], JsonObject]) -> tuple[ToolCall | BadCall, ...]:
    """Return the calls, those that cannot be made as such; `read` turns what stands as arguments into an object.

    Raises :class:`InvalidValue` where an answer could reach no call or two: an id that is missing or used twice.
    """
    calls: list[ToolCall | BadCall] = []
    seen: dict[str, str] = {}
    for one in asked:
        if len(calls) == MAX_CALLS:
            raise InvalidValue(
                one.where, f"is the id of one call more than the {MAX_CALLS:,} that a reply may ask for"
            )
        _check_id(one.id, one.where)
        if one.id in seen:
            raise InvalidValue(one.where, f"is the same as {seen[one.id]}; an answer would not tell which it is for")
        seen[one.id] = one.where
        calls.append(_call(one, read))
    return tuple(calls)


def object_at(value: object, path: str) -> dict[str, Any]:
    """Return `value` if it is a JSON object; raises :class:`InvalidValue`."""
    if type(value) is not dict:
        remedy = "; of an SDK's object give model_dump()" if hasattr(value, "model_dump") else ""
        raise InvalidValue(path, f"must be a JSON object (a dict), not {describe(value)}{remedy}")
    return value


def list_at(value: object, path: str) -> list[Any]:
    """Return `value` if it is a JSON list; raises :class:`InvalidValue`."""
    if type(value) is not list:
        raise InvalidValue(path, f"must be a list, not {describe(value)}; give the whole reply of this API")
    return value


def kind_at(item: dict[str, Any], path: str) -> str:
    """Return the ``type`` of an item; raises :class:`InvalidValue`."""
    kind = item.get("type")
    if type(kind) is not str:
        raise InvalidValue(f"{path}.type", f"must be a string, not {describe(kind)}")
    return kind


def _check_id(id: object, where: str) -> None:
    if type(id) is not str or not id or not is_writable(id):
        given = "an empty one" if id == "" else quote(id)
        raise InvalidValue(where, f"must be a nonempty string, not {given}; without an id a call cannot be answered")


def _call(one: Asked, read: Callable[[object], JsonObject]) -> ToolCall | BadCall:
    reason = one.problem or _problem_of_name(one.name)
    if not reason:
        try:
            return from_wire(ToolCall, {"id": one.id, "name": one.name, "arguments": read(one.arguments)})
        except Unreadable as unreadable:
            reason = one.cut or f"The JSON of the arguments {unreadable}."
        except InvalidValue as error:
            reason = f"{error.field.removeprefix('ToolCall.')}: {error.problem}."
    return BadCall(id=one.id, name=escape(one.name) if type(one.name) is str else "", reason=reason)


def _problem_of_name(name: object) -> str:
    return "" if type(name) is str and name else "The call names no tool."
