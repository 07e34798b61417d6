"""What the contracts have in common: from a class of an author to tests that pytest collects.

Each subclass gets test functions of its own. Hypothesis refuses a property that two classes inherit, and its memory of
failures belongs to one function; so the property is made inside of the test, under a key with the class's name.
"""

from __future__ import annotations

import gc
import re
import unittest
import warnings
from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar

import pytest

from ..bench import DEFAULT_EXAMPLES, Bench, Plan
from ..capabilities import Capabilities
from ..checks import CHECKS, Check, CheckFailed
from ..labs.blocked import Blocked
from ..subjects import Subject
from .known import reason_for, tell_blocked, tell_known
from .unraisable import held_back, noted, tell
from .whole import check_abstract, check_class, check_marks, not_whole, unusable

Test = Callable[..., None]


class ContractWarning(UserWarning):
    """A plugin breaks a check that came with a contract level above the one that its contract declares."""


class Contract:
    """Base of the contracts; see :class:`ToolPackContract`, :class:`OutputSinkContract`, :class:`ExecutorContract`."""

    contract: ClassVar[int] = 0
    """The contract level that the plugin keeps, such as 1. It has to be declared. A new release of the kit may bring
    checks of a higher level; it only warns of them until the plugin's author raises this number."""

    capabilities: ClassVar[Capabilities] = Capabilities()
    """What the checks may not take for granted."""

    known_failures: ClassVar[Mapping[str, str]] = {}
    """By id of a check, such as ``"TP-035"`` or for one tool ``"TP-035[grep]"``, why it fails. It has to fail: once it
    passes, that is a failure too, and the entry has to go."""

    subject_kind: ClassVar[str]

    _tests: ClassVar[dict[str, Test]]
    _overridden: ClassVar[tuple[str, ...]]

    def __init_subclass__(cls, *, abstract: bool = False, **options: Any) -> None:
        super().__init_subclass__(**options)
        if abstract:
            check_abstract(cls)
            return
        check_class(cls)
        own = {_name(check): _test(cls, check) for check in CHECKS.of(cls.subject_kind)}
        first = f"test_{_prefix(cls)}_000_every_check_is_there"
        cls._tests = {first: _completeness(cls, first), **own}
        cls._overridden = tuple(name for name in cls._tests if name in cls.__dict__)
        for name, test in cls._tests.items():
            setattr(cls, name, test)

    def subject(self) -> Subject:
        """Return what is checked, as the functions of the kit take it."""
        raise TypeError(
            f"{type(self).__name__}: derive from ToolPackContract, OutputSinkContract, ExecutorContract or "
            "McpClientContract."
        )

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Give a test that looks at one tool one run for each tool."""
        cls = type(self)
        if metafunc.function not in cls._tests.values():
            return
        check_marks(cls, metafunc.definition)
        if "tool" in metafunc.fixturenames:
            names = [] if any(unusable(cls)) else _bench(cls).tools
            metafunc.parametrize("tool", names or [""], ids=names or ["no tool"])


_benches: dict[type[Contract], Bench] = {}


def _bench(cls: type[Contract]) -> Bench:
    if cls not in _benches:
        try:
            _benches[cls] = Bench(cls().subject())
        except (Exception, KeyboardInterrupt):
            raise
        except BaseException as error:  # pytest would end, with whatever status
            raise pytest.Collector.CollectError(
                f"{cls.__qualname__}: what the checks need cannot be made: {type(error).__name__}: {error}"
            ) from error
    return _benches[cls]


_failing: set[type[Contract]] = set()
"""The contracts of which a check has told something: what their plugins have left open is no news at the end."""


def _leave(cls: type[Contract]) -> None:
    if cls in _benches and _benches[cls].is_open:  # each test of the class has asked for this
        with held_back() as held:
            _benches[cls].close()
            gc.collect()
        if cls not in _failing:
            tell(held)


def _prefix(cls: type[Contract]) -> str:
    return CHECKS.of(cls.subject_kind)[0].id.partition("-")[0]


def _name(check: Check) -> str:
    """``TP-010`` "Arguments that fit the schema are accepted" is ``test_TP_010_arguments_that_fit_…``."""
    words = re.sub(r"\W+", "_", check.title.lower()).strip("_")
    return f"test_{check.id.replace('-', '_')}_{words}"


def _test(cls: type[Contract], check: Check) -> Test:
    """Return a new test function for one check of one contract."""

    def test_tool(self: Contract, request: pytest.FixtureRequest, tool: str) -> None:
        _run(type(self), check, request, tool)

    def test_whole(self: Contract, request: pytest.FixtureRequest) -> None:
        _run(type(self), check, request, None)

    return _named(test_tool if check.each_tool else test_whole, cls, _name(check), check.function.__doc__)


def _named(test: Test, cls: type[Contract], name: str, doc: str | None) -> Test:
    test.__name__, test.__qualname__, test.__module__ = name, f"{cls.__qualname__}.{name}", cls.__module__
    test.__doc__ = doc
    return test


def _run(cls: type[Contract], check: Check, request: pytest.FixtureRequest, tool: str | None) -> None:
    _refuse(cls, [*_without_first(cls), *unusable(cls)])
    bench = _bench(cls)
    parent = request.node.getparent(pytest.Class)
    if parent is not None:
        parent.addfinalizer(lambda: _leave(cls))
    option = request.config.getoption
    known = reason_for(cls.known_failures, check.id, tool)
    examples = option("ditto_examples", default=None) or DEFAULT_EXAMPLES
    plan = Plan(
        # A failure that has to be there is looked for as long as ever: with fewer examples it might not show.
        examples=examples if known is None else max(examples, DEFAULT_EXAMPLES),
        seed=option("ditto_seed", default=None),
        remembers=True,
        key=f"{cls.__module__}.{cls.__qualname__}",
    )
    with held_back() as held:
        found = _found(bench, check, tool, plan)
        if found is not None:
            gc.collect()  # what the calls have forgotten is told of here, and not by the test that comes next
    if found is None:
        tell(held, f"[{check.id}] passes, but meanwhile this was raised where nobody can catch it: ")
    else:
        _failing.add(cls)
    level = option("ditto_level", default=None) or cls.contract
    if known is not None:
        tell_known(cls.known_failures, check.id, tool, known, found)
    elif found is not None and check.since > level:
        warnings.warn(ContractWarning(f"level {check.since}: {_text(check, found)}"), stacklevel=2)
    elif found is not None:
        if isinstance(found, Blocked):
            tell_blocked(cls.known_failures, tool, found)
        pytest.fail(f"{_text(check, found)}{noted(held)}", pytrace=False)


def _found(bench: Bench, check: Check, tool: str | None, plan: Plan) -> CheckFailed | Blocked | None:
    """Return what the check says of the plugin, or None; raises what neither it nor the kit expects."""
    try:
        bench.perform(check, tool=tool or None, plan=plan)
    except (CheckFailed, Blocked) as found:
        return found
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        if isinstance(error, Exception) and not isinstance(error, unittest.SkipTest):
            error.add_note(f"[{check.id}] could not be looked at.")
            raise
        # It would end pytest or skip this test. Neither is the plugin's to decide.
        text = f"[{check.id}] could not be looked at: the plugin raises {type(error).__name__}: {error}"
        pytest.fail(text, pytrace=False)
    return None


def _text(check: Check, found: CheckFailed | Blocked) -> str:
    if isinstance(found, Blocked):
        return f"[{check.id}] {found}"
    return "\n".join([str(found), *(note for note in getattr(found, "__notes__", ()) if "same input" in note)])


def _completeness(cls: type[Contract], name: str) -> Test:
    def test_complete(self: Contract) -> None:
        cls = type(self)
        _refuse(cls, not_whole(cls, lambda: _bench(cls)))

    return _named(test_complete, cls, name, "No check is deleted or overridden, and what is declared makes sense.")


def _without_first(cls: type[Contract]) -> list[str]:
    """Say that the test which looks after all others is gone: then each of them looks after it."""
    first = next(iter(cls._tests))
    return [] if getattr(cls, first, None) is cls._tests[first] else [f"{first} is gone or replaced; keep it"]


def _refuse(cls: type[Contract], problems: Iterable[str]) -> None:
    found = [f"  {problem}" for problem in problems]
    if found:
        pytest.fail("\n".join([f"The contract {cls.__qualname__} is not whole:", *found]), pytrace=False)
