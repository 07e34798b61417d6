"""What a check is, and how it says that something is wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final, NoReturn, TypeVar

import attrs

from ditto_core import JsonObject

from ..subjects import Subject

LEVEL: Final = 1
"""The highest contract level that this version of the kit knows."""

DOCS: Final = "docs/contract.md"

_MAX_SHOWN = 600


@attrs.frozen(kw_only=True, eq=False)
class Check:
    """One rule with the function that looks whether it is kept.

    ``since`` is the contract level that brought it. ``each_tool`` says that it looks at one tool at a time, ``draws``
    that it tries examples, and ``share`` what part of the examples it needs: processes are slow.
    """

    id: str
    title: str
    fix: str
    subject: Subject
    since: int
    each_tool: bool
    draws: bool
    share: float
    function: Callable[..., None]

    @property
    def anchor(self) -> str:
        """Where the docs tell of it."""
        return f"{DOCS}#{self.id.lower()}"

    def explanation(self) -> str:
        """Return what the rule is, why it is there and what helps, for a reader at a terminal."""
        why = " ".join((self.function.__doc__ or "").split())
        about = f"[{self.id}] {self.title} ({self.subject}, since level {self.since})"
        return "\n".join([about, why, f"fix: {self.fix}", f"docs: {self.anchor}"])


class Violation(Exception):
    """Raised inside a check: a rule is broken. ``facts`` are what a reader has to see, by label."""

    def __init__(self, problem: str, facts: dict[str, object]) -> None:
        super().__init__(problem)
        self.problem = problem
        self.facts = facts


class CheckFailed(AssertionError):
    """A plugin breaks a rule of its contract. The text has the rule, the facts, the fix and the place in the docs."""

    def __init__(self, check: Check, violation: Violation) -> None:
        rows = [(label.replace("_", " "), _shown(fact)) for label, fact in violation.facts.items()]
        rows += [("rule", check.title), ("fix", check.fix), ("docs", check.anchor)]
        width = max(len(label) for label, _ in rows)
        lines = [f"[{check.id}] {violation.problem}", *(f"  {label:<{width}} : {text}" for label, text in rows)]
        super().__init__("\n".join(lines))
        self.check = check
        self.problem = violation.problem
        self.facts = violation.facts


def _shown(fact: object) -> str:
    text = fact if type(fact) is str else repr(fact)
    text = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
    return text if len(text) <= _MAX_SHOWN else f"{text[:_MAX_SHOWN]}… ({len(text)} characters)"


def fail(problem: str, /, **facts: object) -> NoReturn:
    """End a check: `problem` in words, and the facts (limit, actual value, call, …) that prove it."""
    raise Violation(problem, facts)


def call_text(name: str, arguments: JsonObject) -> str:
    """Return a call as a reader would write it."""
    return f"{name}({arguments!r})"


F = TypeVar("F", bound=Callable[..., None])


class Checks:
    """Checks by id, in the order of their ids; a new id is never an old one."""

    def __init__(self, checks: Iterable[Check] = ()) -> None:
        self._checks: dict[str, Check] = {check.id: check for check in checks}

    def add(
        self,
        id: str,
        *,
        title: str,
        fix: str,
        subject: Subject,
        since: int = 1,
        each_tool: bool = False,
        draws: bool = False,
        share: float = 1.0,
    ) -> Callable[[F], F]:
        """Register the function below as the check `id`."""

        def register(function: F) -> F:
            if id in self._checks:
                raise ValueError(f"The check {id} exists already.")
            self._checks[id] = Check(
                id=id,
                title=title,
                fix=fix,
                subject=subject,
                since=since,
                each_tool=each_tool,
                draws=draws,
                share=share,
                function=function,
            )
            return function

        return register

    def __getitem__(self, id: str) -> Check:
        """Return the check of that id; raises ``KeyError`` with the ids that there are."""
        try:
            return self._checks[id]
        except KeyError:
            raise KeyError(f"There is no check {id!r}. There are {', '.join(sorted(self._checks))}.") from None

    def of(self, subject: Subject) -> tuple[Check, ...]:
        """Return the checks about a kind of plugin, by id."""
        return tuple(check for check in self.all() if check.subject == subject)

    def all(self) -> tuple[Check, ...]:
        """Return all checks, by id."""
        return tuple(self._checks[id] for id in sorted(self._checks))


CHECKS: Final = Checks()
"""The checks of this version of the kit."""


def check(id: str, **options: Any) -> Callable[[F], F]:
    """Register a check of the kit; the prefix of its id says what it is about."""
    subjects: dict[str, Subject] = {"TP": "tool pack", "OS": "output sink", "EX": "executor", "MC": "MCP client"}
    return CHECKS.add(id, subject=subjects[id.partition("-")[0]], **options)
