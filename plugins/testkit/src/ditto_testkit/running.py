"""Runs checks: one after the other, the same from pytest, from a terminal and from a REPL."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Literal, TypeVar

import attrs

from .bench import Bench, Plan
from .checks import CHECKS, LEVEL, Check, CheckFailed
from .declared import problems
from .labs.blocked import Blocked, NotLookedAt
from .labs.packs import ToolPack
from .subjects import Subject

R = TypeVar("R")

Status = Literal["passed", "failed", "blocked", "skipped", "error"]


@attrs.frozen(kw_only=True)
class Outcome:
    """What came of one check: ``failed`` says what the plugin breaks, ``blocked`` names the check to mend first.

    ``skipped`` says why the check was not made: a tool that asks a service is not called where only its name is known.
    ``error`` is an exception that neither the plugin's contract nor the kit expects; ``text`` is for a reader.
    """

    check: Check
    tool: str | None
    status: Status
    text: str = ""
    seconds: float = 0.0


def _runs_a_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def _beside_loops(function: Callable[[], R]) -> R:
    """Run the function here, or in a thread where this one already runs an event loop, as in a notebook."""
    if not _runs_a_loop():
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
    subject: Subject | object,
    *,
    only: Iterable[str] = (),
    level: int = LEVEL,
    plan: Plan | None = None,
) -> list[Outcome]:
    """Run the checks that apply and return what came of each, by id and tool.

    `subject` is a :class:`ToolPack`, :class:`Sink` or :class:`ExecutorSubject`, or simply a tool pack's plugin, which
    is then used for all checks. `only` chooses ids. Without a seed the examples are the same each time.

    Raises ``KeyError`` for an id that there is not, and ``TypeError`` for a field of the subject that can mean
    nothing, such as arguments for a tool that the pack does not have.
    """
    chosen = subject if isinstance(subject, Subject) else ToolPack(make=lambda: subject)
    return _beside_loops(lambda: list(outcomes(chosen, only=only, level=level, plan=plan or Plan(derandomize=True))))


def outcomes(subject: Subject, *, only: Iterable[str], level: int, plan: Plan) -> Iterator[Outcome]:
    """Run the checks one by one and give each outcome when it is there.

    Raises ``KeyError`` for an unknown id, and ``TypeError`` for a field of the subject that can mean nothing.
    """
    wanted = {CHECKS[id].id for id in only}
    with Bench(subject) as bench:
        wrong = list(problems(subject, bench.tools))
        if wrong:
            raise TypeError("\n".join(f"{type(subject).__name__}: {problem}" for problem in wrong))
        for check in bench.checks:
            if check.since > level or (wanted and check.id not in wanted):
                continue
            for tool in bench.tools if check.each_tool else [None]:
                yield outcome_of(bench, check, tool, plan)


def outcome_of(bench: Bench, check: Check, tool: str | None, plan: Plan) -> Outcome:
    """Run one check and return what came of it, also where the plugin raises what would end the program.

    An interrupt from the keyboard passes, because nobody can tell it from one that a plugin raises.
    """
    start = time.monotonic()
    status: Status = "passed"
    text = ""
    try:
        bench.perform(check, tool=tool, plan=plan)
    except CheckFailed as failure:
        status, text = "failed", str(failure)
    except Blocked as blocked:
        status, text = "blocked", f"[{check.id}] {blocked}"
    except NotLookedAt as why:
        status, text = "skipped", str(why)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        status, text = "error", f"[{check.id}] could not be looked at: {type(error).__name__}: {error}"
    return Outcome(check=check, tool=tool, status=status, text=text, seconds=time.monotonic() - start)
