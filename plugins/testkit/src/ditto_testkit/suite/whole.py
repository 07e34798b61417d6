"""Whether a contract class is whole: every check is there, and what is declared can mean something."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

import pytest

from ditto_core import describe, quote

from ..bench import Bench
from ..capabilities import Capabilities
from ..checks import CHECKS, LEVEL
from ..declared import nearest, problems

if TYPE_CHECKING:
    from .contract import Contract

_INSTEAD = "declare capabilities or known_failures instead"


def check_class(cls: type[Contract]) -> None:
    """Raise ``TypeError`` for a class that pytest would leave out, with all of its checks."""
    if getattr(cls, "__test__", True) is False:
        raise TypeError(
            f"{cls.__qualname__}: __test__ = False leaves out every check. A base class of your own is made by "
            f"class {cls.__name__}(…, abstract=True)."
        )
    for name in ("__init__", "__new__"):
        if getattr(cls, name) is not getattr(object, name):
            raise TypeError(
                f"{cls.__qualname__}: pytest leaves out a class with {name}. Prepare it in the contract's methods."
            )


def check_abstract(cls: type[Contract]) -> None:
    """Raise ``TypeError`` for an abstract class with the name of one that is to be run."""
    if cls.__name__.startswith("Test"):
        raise TypeError(
            f"{cls.__qualname__}: abstract=True leaves out every check. Name a base class without 'Test', or leave "
            "abstract=True out."
        )


def check_marks(cls: type[Contract], definition: Any) -> None:
    """Refuse marks that would let a check go unseen, wherever they are set; pytest then reports the class."""
    for mark in definition.iter_markers():
        if mark.name in ("skip", "xfail"):
            raise pytest.Collector.CollectError(
                f"{cls.__qualname__}: pytest.mark.{mark.name} on {definition.name} would let a check go unseen; "
                f"{_INSTEAD}."
            )


def unusable(cls: type[Contract]) -> Iterator[str]:
    """Say what is declared in a way that no check could work with."""
    if type(cls.contract) is not int or not 1 <= cls.contract <= LEVEL:
        yield f"contract = {_shown(cls.contract)}: declare the level that the plugin keeps, 1 to {LEVEL}"
    if type(cls.capabilities) is not Capabilities:
        yield f"capabilities: must be Capabilities(…), not {describe(cls.capabilities)}"
    known: object = cls.known_failures
    if not isinstance(known, Mapping):
        yield (
            f"known_failures: must be a mapping from ids to reasons, such as {{'{_first_id(cls)}': 'why'}}, "
            f"not {describe(known)}"
        )
    for field in ("arguments", "files"):
        value = getattr(cls, field, {})
        if not isinstance(value, Mapping):
            yield f"{field}: must be a mapping by name, not {describe(value)}"


def not_whole(cls: type[Contract], bench: Callable[[], Bench]) -> Iterator[str]:
    """Say everything that is wrong with the class."""
    yield from _missing(cls)
    yield from _undefined(cls)
    yield from _misspelt(cls)
    wrong = list(unusable(cls))
    yield from wrong
    if not wrong:
        yield from problems(bench().subject, bench().tools)
        yield from _unknown_failures(cls, bench().tools)


def _missing(cls: type[Contract]) -> Iterator[str]:
    yield from (f"{name} is overridden; {_INSTEAD}" for name in cls._overridden)
    for name, test in cls._tests.items():
        if getattr(cls, name, None) is not test or getattr(test, "__test__", True) is False:
            yield f"{name} is gone or replaced; {_INSTEAD}"
    if cls.pytest_generate_tests is not _base(cls).pytest_generate_tests:
        yield f"pytest_generate_tests is overridden; {_INSTEAD}"


def _undefined(cls: type[Contract]) -> Iterator[str]:
    for name in dir(cls):
        if getattr(getattr(cls, name), "__isabstractmethod__", False):
            yield f"{name}: the contract does not define this method; see the docs of {_base(cls).__name__}"


def _misspelt(cls: type[Contract]) -> Iterator[str]:
    """Say which plain attributes look like a field of the contract and are none."""
    base = _base(cls)
    fields = [name for name in dir(base) if not name.startswith("_") and not callable(getattr(base, name))]
    for name in sorted({name for one in cls.__mro__[: cls.__mro__.index(base)] for name in one.__dict__}):
        if name.startswith("_") or name in fields or callable(getattr(cls, name, None)):
            continue
        near = get_close_matches(name, fields, n=1, cutoff=0.8)
        if near and getattr(cls, near[0]) is getattr(base, near[0]):
            yield f"{name}: a contract has no such field, but {near[0]}"


def _base(cls: type[Contract]) -> type[Contract]:
    """Return the contract of the kit that the class is derived from."""
    return next(one for one in cls.__mro__ if "subject_kind" in one.__dict__)


def _unknown_failures(cls: type[Contract], tools: list[str]) -> Iterator[str]:
    checks = {check.id: check for check in CHECKS.of(cls.subject_kind)}
    for key, reason in cls.known_failures.items():
        if type(key) is not str:
            yield f"known_failures: must have ids of checks as keys, not {describe(key)}"
            continue
        id, _, rest = key.partition("[")
        tool = rest.removesuffix("]")
        if id not in checks:
            yield f"known_failures: there is no check {quote(key)} of a contract like this; {nearest(id, checks)}"
        elif rest and not checks[id].each_tool:
            yield f"known_failures: {quote(key)}: {id} is not about a single tool; write {quote(id)}"
        elif rest and tools and tool not in tools:
            yield f"known_failures: {quote(key)}: there is no tool {quote(tool)}; {nearest(tool, tools)}"
        if type(reason) is not str or not reason.strip():
            yield f"known_failures: {quote(key)} needs a reason, in words"


def _first_id(cls: type[Contract]) -> str:
    return CHECKS.of(cls.subject_kind)[0].id


def _shown(value: object) -> str:
    return repr(value) if type(value) in (bool, int, float) else describe(value)
