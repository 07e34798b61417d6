"""Runs checks: one after the other, each with its examples, the same from pytest, from a terminal and from a REPL."""

from __future__ import annotations

import asyncio
import re
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, Literal, Self, TypeAlias, TypeVar

import attrs
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from hypothesis.errors import Flaky, FlakyStrategyDefinition, Unsatisfiable

from .checks import CHECKS, LEVEL, Check, CheckFailed, Violation
from .labs.blocked import Blocked
from .labs.executors import ExecutorSubject
from .labs.mcp_clients import McpClientSubject
from .labs.packs import ToolPack
from .labs.pipes import Hung
from .labs.sinks import Sink
from .strategies.arguments import NoStrategy

DEFAULT_EXAMPLES: Final = 20
"""How many examples a check tries unless more or fewer are asked for."""

AnySubject: TypeAlias = ToolPack | Sink | ExecutorSubject | McpClientSubject
"""What checks are run on."""

R = TypeVar("R")


@attrs.frozen(kw_only=True)
class Plan:
    """How checks are run: with how many examples, from which seed (None draws anew), and remembering failures where.

    ``database`` is Hypothesis's database of failing examples; None keeps none. ``key`` tells this run's examples from
    those of others, such as another subclass of the same contract.
    """

    examples: int = attrs.field(default=DEFAULT_EXAMPLES, validator=attrs.validators.ge(1))
    seed: int | None = None
    derandomize: bool | None = None
    remembers: bool = False
    key: str = ""


@attrs.frozen(kw_only=True)
class Outcome:
    """What came of one check: ``failed`` says what the plugin breaks, ``blocked`` names the check to mend first.

    ``error`` is an exception that neither the plugin's contract nor the kit expects; ``text`` is for a reader.
    """

    check: Check
    tool: str | None
    status: Literal["passed", "failed", "blocked", "error"]
    text: str = ""
    seconds: float = 0.0


class Bench:
    """A subject ready for checks: its lab is opened when a check first needs it and serves all of them.

    Close it in the end, or use it as a context manager.
    """

    def __init__(self, subject: AnySubject) -> None:
        self.subject = subject
        self._lab: Any = None
        self._names: list[str] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Leave the lab; safe twice."""
        lab, self._lab = self._lab, None
        if lab is not None:
            lab.__exit__(None, None, None)

    @property
    def checks(self) -> tuple[Check, ...]:
        """The checks that are about such a subject, by id."""
        return CHECKS.of(self.subject.kind)

    @property
    def tools(self) -> list[str]:
        """The names of the pack's tools; none for what is no pack, or cannot be made."""
        if self._names is None:
            self._names = _tool_names(self.subject)
        return self._names

    def target(self, check: Check, tool: str | None) -> Any:
        """Return what a check looks at: one tool, the lab, or what has not even been made."""
        if check.id in ("TP-001", "MC-001"):
            return self.subject
        if self._lab is None:
            lab = self.subject.lab()
            lab.__enter__()
            self._lab = lab
        if check.id != "OS-001":
            self._lab.begin()
        return self._lab if tool is None else self._lab.case(tool)

    def perform(self, check: Check, *, tool: str | None = None, plan: Plan | None = None) -> None:
        """Run one check.

        Raises :class:`CheckFailed`, :class:`Blocked`, or what the plugin raised and nobody expected.
        """
        plan = plan or Plan()
        failures: list[CheckFailed] = []
        target = self.target(check, tool)

        def looked(data: Any) -> None:
            try:
                check.function(target, data)
            except Violation as violation:
                failures.append(CheckFailed(check, violation))
                raise failures[-1] from None
            except NoStrategy as error:
                raise Blocked("TP-004", str(error)) from error
            except Hung as hung:
                raise Blocked("TP-020", str(hung)) from hung

        try:
            (_property(looked, check, tool, plan) if check.draws else looked)(None)
        except Unsatisfiable:
            return  # there is nothing to try: a tool without arguments has no wrong ones that its schema could tell
        except (Flaky, FlakyStrategyDefinition):
            if not failures:
                raise
            failures[-1].add_note("The same input did not fail again: the plugin keeps something between calls.")
            raise failures[-1] from None


def _tool_names(subject: AnySubject) -> list[str]:
    if not isinstance(subject, ToolPack):
        return []
    try:
        return list(subject.tools())
    except Exception:
        return []


def _property(looked: Callable[[Any], None], check: Check, tool: str | None, plan: Plan) -> Callable[[Any], None]:
    """Return the property of one check as Hypothesis runs it, under a key of its own."""

    def examined(data: Any) -> None:
        looked(data)

    name = re.sub(r"\W", "_", f"{plan.key}_{check.id}_{tool or ''}")
    examined.__name__ = examined.__qualname__ = name  # part of the key under which Hypothesis remembers failures
    options: dict[str, Any] = {} if plan.remembers else {"database": None}
    if plan.derandomize is not None:
        options["derandomize"] = plan.derandomize
    if plan.seed is not None:
        options |= {"derandomize": False}
    limits = settings(
        max_examples=max(1, round(plan.examples * check.share)),
        deadline=None,
        report_multiple_bugs=False,
        print_blob=False,
        phases=[Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
        **options,
    )
    tried = limits(given(data=st.data())(examined))
    seeded = tried if plan.seed is None else seed(plan.seed)(tried)
    return lambda _: seeded()


def _beside_loops(function: Callable[[], R]) -> R:
    """Run the function here, or in a thread where this one already runs an event loop, as in a notebook."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return function()
    ends: list[Any] = []

    def run() -> None:
        try:
            ends.append((function(), None))
        except BaseException as error:
            ends.append((None, error))

    thread = threading.Thread(target=run, name="ditto-testkit")
    thread.start()
    thread.join()
    value, error = ends[0]
    if error is not None:
        raise error
    return value  # type: ignore[no-any-return]


def run_checks(
    subject: AnySubject | object,
    *,
    only: Iterable[str] = (),
    level: int = LEVEL,
    plan: Plan | None = None,
) -> list[Outcome]:
    """Run the checks that apply and return what came of each, by id and tool.

    `subject` is a :class:`ToolPack`, :class:`Sink`, :class:`ExecutorSubject` or :class:`McpClientSubject`, or simply a
    tool pack's plugin, which is then used for all checks. `only` chooses ids. Without a seed the examples are the
    same each time.
    """
    chosen = subject if isinstance(subject, AnySubject) else ToolPack(make=lambda: subject)
    return _beside_loops(lambda: list(outcomes(chosen, only=only, level=level, plan=plan or Plan(derandomize=True))))


def outcomes(subject: AnySubject, *, only: Iterable[str], level: int, plan: Plan) -> Iterator[Outcome]:
    """Run the checks one by one and give each outcome when it is there."""
    wanted = set(only)
    for id in wanted:
        CHECKS[id]
    with Bench(subject) as bench:
        for check in bench.checks:
            if check.since > level or (wanted and check.id not in wanted):
                continue
            for tool in bench.tools if check.each_tool else [None]:
                yield outcome_of(bench, check, tool, plan)


def outcome_of(bench: Bench, check: Check, tool: str | None, plan: Plan) -> Outcome:
    """Run one check and return what came of it."""
    start = time.monotonic()
    status: Literal["passed", "failed", "blocked", "error"] = "passed"
    text = ""
    try:
        bench.perform(check, tool=tool, plan=plan)
    except CheckFailed as failure:
        status, text = "failed", str(failure)
    except Blocked as blocked:
        status, text = "blocked", str(blocked)
    except Exception as error:
        status, text = "error", f"{type(error).__name__}: {error}"
    return Outcome(check=check, tool=tool, status=status, text=text, seconds=time.monotonic() - start)
