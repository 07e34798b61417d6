"""What the contracts have in common: from a class of an author to tests that pytest collects.

Each subclass gets test functions of its own. Hypothesis refuses a property that two classes inherit, and its memory of
failures belongs to one function; so the property is made inside of the test, under a key with the class's name.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import pytest

from ..capabilities import Capabilities
from ..checks import CHECKS, LEVEL, Check, CheckFailed
from ..labs.blocked import Blocked
from ..running import DEFAULT_EXAMPLES, AnySubject, Bench, Plan
from ..subjects import Subject
from .known import reason_for, tell_known

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

    subject_kind: ClassVar[Subject]

    _tests: ClassVar[dict[str, Test]]
    _overridden: ClassVar[tuple[str, ...]]

    def __init_subclass__(cls, *, abstract: bool = False, **options: Any) -> None:
        super().__init_subclass__(**options)
        if abstract:
            return
        own = {_name(check): _test(cls, check) for check in CHECKS.of(cls.subject_kind)}
        cls._overridden = tuple(name for name in own if name in cls.__dict__)
        first = f"test_{_prefix(cls)}_000_every_check_is_there"
        cls._tests = {first: _completeness(cls, first), **own}
        for name, test in cls._tests.items():
            setattr(cls, name, test)

    def subject(self) -> AnySubject:
        """Return what is checked, as the functions of the kit take it."""
        raise TypeError(
            f"{type(self).__name__}: derive from ToolPackContract, OutputSinkContract, ExecutorContract or "
            "McpClientContract."
        )

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Give a test that looks at one tool one run for each tool."""
        if "tool" in metafunc.fixturenames:
            names = _bench(type(self)).tools
            metafunc.parametrize("tool", names or [""], ids=names or ["no tool"])


_benches: dict[type[Contract], Bench] = {}


def _bench(cls: type[Contract]) -> Bench:
    if cls not in _benches:
        _benches[cls] = Bench(cls().subject())
    return _benches[cls]


def _leave(cls: type[Contract]) -> None:
    if cls in _benches:
        _benches[cls].close()


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
    bench = _bench(cls)
    parent = request.node.getparent(pytest.Class)
    if parent is not None:
        parent.addfinalizer(lambda: _leave(cls))
    option = request.config.getoption
    plan = Plan(
        examples=option("ditto_examples", default=None) or DEFAULT_EXAMPLES,
        seed=option("ditto_seed", default=None),
        remembers=True,
        key=f"{cls.__module__}.{cls.__qualname__}",
    )
    failure = _failure(bench, check, tool, plan)
    level = option("ditto_level", default=None) or cls.contract
    known = reason_for(cls.known_failures, check.id, tool)
    if known is not None:
        tell_known(check.id, tool, known, failure)
    elif failure and check.since > level:
        warnings.warn(ContractWarning(f"level {check.since}: {failure}"), stacklevel=2)
    elif failure:
        pytest.fail(failure, pytrace=False)


def _failure(bench: Bench, check: Check, tool: str | None, plan: Plan) -> str:
    """Return what the plugin breaks, in words, or nothing."""
    try:
        bench.perform(check, tool=tool, plan=plan)
    except CheckFailed as failed:
        return "\n".join([str(failed), *(note for note in getattr(failed, "__notes__", ()) if "same input" in note)])
    except Blocked as blocked:
        return f"[{check.id}] {blocked}"
    return ""


def _completeness(cls: type[Contract], name: str) -> Test:
    def test_complete(self: Contract) -> None:
        problems = list(_problems(type(self)))
        if problems:
            pytest.fail("\n".join([f"The contract {type(self).__name__} is not whole:", *problems]), pytrace=False)

    return _named(test_complete, cls, name, "No check is deleted or overridden, and what is declared makes sense.")


def _problems(cls: type[Contract]) -> list[str]:
    problems = [f"  {name} is overridden; declare capabilities or known_failures instead" for name in cls._overridden]
    problems += [
        f"  {name} is gone or replaced; declare capabilities or known_failures instead"
        for name, test in cls._tests.items()
        if getattr(cls, name, None) is not test
    ]
    if type(cls.contract) is not int or not 1 <= cls.contract <= LEVEL:
        problems.append(f"  contract = {cls.contract!r}: declare the level that the plugin keeps, 1 to {LEVEL}")
    ids = {check.id for check in CHECKS.of(cls.subject_kind)}
    for key, reason in cls.known_failures.items():
        if key.partition("[")[0] not in ids:
            problems.append(f"  known_failures: there is no check {key}")
        if type(reason) is not str or not reason.strip():
            problems.append(f"  known_failures: {key} needs a reason")
        tool = key.partition("[")[2].removesuffix("]")
        if tool and tool not in _bench(cls).tools:
            problems.append(f"  known_failures: {key}: there is no tool {tool!r}")
    return problems
