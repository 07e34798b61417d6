"""One plugin under one check after the other, each with its examples."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final, Self

import attrs
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from hypothesis.errors import Flaky, FlakyStrategyDefinition, Unsatisfiable

from .checks import CHECKS, Check, CheckFailed, Violation
from .labs.blocked import Blocked, NotLookedAt
from .labs.pipes import Hung
from .strategies.arguments import NoStrategy
from .subjects import Subject

DEFAULT_EXAMPLES: Final = 20
"""How many examples a check tries unless more or fewer are asked for."""


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


class Bench:
    """A subject ready for checks: its lab is opened when a check first needs it and serves all of them.

    Close it in the end, or use it as a context manager.
    """

    def __init__(self, subject: Subject) -> None:
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
    def is_open(self) -> bool:
        """Whether there is a lab to be left."""
        return self._lab is not None

    @property
    def checks(self) -> tuple[Check, ...]:
        """The checks that are about such a subject, by id."""
        return CHECKS.of(self.subject.kind)

    @property
    def tools(self) -> list[str]:
        """The names of the pack's tools; none for what is no pack, or cannot be made."""
        if self._names is None:
            try:
                self._names = list(self.subject.tools())
            except KeyboardInterrupt:
                raise
            except BaseException:  # whatever it is, the first check tells it
                self._names = []
        return self._names

    def target(self, check: Check, tool: str | None) -> Any:
        """Return what a check looks at: one tool, the lab, or what has not even been made.

        Raises :class:`Blocked` for a plugin that ends the program while it is made.
        """
        if check.is_first:
            return self.subject
        if check.each_tool and not tool:
            raise Blocked(self.checks[0].id, "There is no tool to look at.")
        try:
            if self._lab is None:
                lab = self.subject.lab()
                lab.__enter__()
                self._lab = lab
            self._lab.begin()
        except (Exception, KeyboardInterrupt):
            raise
        except BaseException as error:
            raise Blocked(self.checks[0].id, f"{type(error).__name__}: {error}") from error
        return self._lab if tool is None else self._lab.case(tool)

    def perform(self, check: Check, *, tool: str | None = None, plan: Plan | None = None) -> None:
        """Run one check.

        Raises :class:`CheckFailed`, :class:`Blocked`, :class:`NotLookedAt`, or what the plugin raised and nobody
        expected.
        """
        try:
            self._perform(check, tool, plan)
        except Exception:
            self._tell_not_looked_at()  # the check may have taken it for an end of its call
            raise
        self._tell_not_looked_at()

    def _tell_not_looked_at(self) -> None:
        why = getattr(self._lab, "not_looked_at", None)
        if why is not None:
            raise why from None

    def _perform(self, check: Check, tool: str | None, plan: Plan | None) -> None:
        look = _Look(bench=self, check=check, target=self.target(check, tool))
        try:
            (_property(look, check, tool, plan or Plan()) if check.draws else look)(None)
        except Unsatisfiable:
            return  # there is nothing to try: a tool without arguments has no wrong ones that its schema could tell
        except (Flaky, FlakyStrategyDefinition):
            if not look.failures:
                raise
            failure = look.failures[-1]
            failure.add_note("The same input did not fail again: the plugin keeps something between calls.")
            raise failure from None
        finally:
            if hasattr(self._lab, "end"):
                self._lab.end()

    @property
    def hangs(self) -> int:
        """How often something did not end within its limit until now."""
        return 0 if self._lab is None else self._lab.loop.hangs


@attrs.define(kw_only=True, eq=False)
class _Look:
    """One check on its target; a call tries it with one example, and raises what is told of the plugin."""

    bench: Bench
    check: Check
    target: Any
    failures: list[CheckFailed] = attrs.field(factory=list)
    _hung: Exception | None = None

    def __call__(self, data: Any) -> None:
        if self._hung is not None:  # its call is not made smaller: each try would take the whole time
            raise self._hung
        hangs = self.bench.hangs
        problem = self._problem(data)
        if problem is None:
            return
        if isinstance(problem, CheckFailed):
            self.failures.append(problem)
        if self.bench.hangs > hangs:
            self._hung = problem
        raise problem from None

    def _problem(self, data: Any) -> CheckFailed | Blocked | None:
        try:
            self.check.function(self.target, data)
        except Violation as violation:
            return CheckFailed(self.check, violation)
        except NoStrategy as error:
            return Blocked("TP-004", str(error))
        except NotLookedAt:
            return None  # the lab has noted it; the examples go on, since Hypothesis wants the same draws each time
        except Hung as hung:
            end = self.bench.subject.end_check
            if end and end != self.check.id:
                return Blocked(end, str(hung))
            return CheckFailed(self.check, Violation("it does not end", {"waited": str(hung)}))
        return None


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
