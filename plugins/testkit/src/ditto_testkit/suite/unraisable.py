"""Exceptions that are raised where nobody can catch them: in ``__del__``, mostly warnings that are errors there."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

_MANY = 3


@contextmanager
def held_back() -> Iterator[list[str]]:
    """Keep, in words, what is raised so while the block runs, instead of letting the test runner tell of it.

    What a tool has forgotten to close raises a ``ResourceWarning`` whenever it is collected. Where warnings are errors
    that is told at length, before the check that has just found the cause.
    """
    held: list[str] = []

    def keep(raised: Any) -> None:  # as words: an object that is kept here would live again
        held.append(f"{raised.exc_type.__name__}: {raised.exc_value}")

    before = sys.unraisablehook
    sys.unraisablehook = keep
    try:
        yield held
    finally:
        sys.unraisablehook = before


def tell(held: Iterable[str], before: str = "") -> None:
    """Hand on what was held back, as the test runner would have told of it: as warnings, which may be errors."""
    for text in held:
        try:
            warnings.warn(pytest.PytestUnraisableExceptionWarning(f"{before}{text}"), stacklevel=2)
        except pytest.PytestUnraisableExceptionWarning as raised:
            error = str(raised)
        else:
            continue
        pytest.fail(error, pytrace=False)


def noted(held: list[str]) -> str:
    """Return what was held back as a line below the message of a check, or nothing."""
    if not held:
        return ""
    more = f" and {len(held) - _MANY} more" if len(held) > _MANY else ""
    return f"\n  meanwhile: {'; '.join(held[:_MANY])}{more}"
