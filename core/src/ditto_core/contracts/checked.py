"""Contract objects made of what other contract objects hold: nothing is checked twice."""

from __future__ import annotations

from typing import Any, TypeVar

C = TypeVar("C")


def of_checked(kind: type[C], **values: Any) -> C:
    """Return a contract object with exactly these values, all of which a contract object has been made of before.

    For the classes that keep their values in the instance's dict (:mod:`ditto_core.contracts`).
    """
    made = object.__new__(kind)
    object.__setattr__(made, "__dict__", values)
    return made
