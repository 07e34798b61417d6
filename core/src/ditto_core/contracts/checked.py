"""Contract objects made of what other contract objects hold: nothing is checked twice."""

from __future__ import annotations

from typing import Any, TypeVar

C = TypeVar("C")


_new = object.__new__
_set = object.__setattr__


def of_checked(kind: type[C], values: dict[str, Any]) -> C:
    """Return a contract object that keeps exactly these values, one for each of its fields.

    All of them are what a contract object has been made of before, or keep its rules by construction. For the classes
    that keep their values in the instance's dict (:mod:`ditto_core.contracts`), which `values` becomes.
    """
    made = _new(kind)
    _set(made, "__dict__", values)
    return made
