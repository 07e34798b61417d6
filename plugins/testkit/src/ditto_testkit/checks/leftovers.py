"""TP-043: what a call has opened and started has ended with it, however it ended."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import attrs

from ditto_core import CommandTimeout, CommandUnavailable

from ..fakes import ScriptedExecutor, printed
from ..labs.leftovers import Belongings, belongings, settled
from ..labs.loop import settle
from ..labs.moments import Moment, moments
from ..labs.tool_case import ToolCase
from .model import call_text, check, fail

_TIMES = 3
"""How often the same call is made: what grows each time is a leak, what only the first one leaves may be kept."""


@attrs.frozen
class _End:
    """A way for calls to end: by what the executor does, or cancelled at a moment."""

    title: str
    answer: Any = attrs.field(factory=printed)
    pauses: int = 0
    hold: bool = False
    moment: Moment | None = None

    @property
    def needs_executor(self) -> bool:
        """Whether it comes about only where a command is run."""
        return self.hold or isinstance(self.answer, BaseException)


def _ends() -> Iterator[_End]:
    yield _End("undisturbed")
    for error in (
        OSError(5, "Input/output error"),
        TimeoutError(),
        CommandUnavailable("Command 'x' could not be started."),
        CommandTimeout("Command 'x' did not end within 5 s.", stdout="", stderr=""),
    ):
        yield _End(f"its executor raised {type(error).__name__}", answer=error)


def _cancelled(moment: Moment) -> _End:
    return _End(f"cancelled after {moment}", moment=moment, pauses=40)


@check(
    "TP-043",
    title="A call leaves no process, no thread and no descriptor behind",
    fix="close files and sockets and end threads and processes in a finally block or a with statement; what is to "
    "stay open for all calls belongs into __aenter__ and __aexit__ of the plugin",
    each_tool=True,
)
def nothing_is_left_open(case: ToolCase, data: Any) -> None:
    """An application runs for months. Each call is made and cancelled several times, and what grows is left behind.

    A child process is left behind if one call leaves it, a zombie too. Children are seen where the system has /proc,
    and told of the tool whose calls they came with. What belongs to the executor that a contract brings is not told
    apart, so its children have to grow as well.
    """
    for given in case.working:
        for end in _ends():
            if not end.needs_executor or "execute" in case.effects:
                _look(case, given, end)
    for given in case.working[:1]:
        for moment in moments(case, given):
            _look(case, given, _cancelled(moment))
        if "execute" in case.effects:
            _look(case, given, _End("cancelled while its command ran", moment=Moment(60), hold=True))


def _look(case: ToolCase, given: Any, end: _End) -> None:
    start = belongings()
    _make(case, given, end)
    last = settled(start)
    children = _own_children(case, last)
    if children and case.lab.pack.executor is None:  # one that an earlier check left is still there
        _fail(case, given, end, children)
    grown = []
    for _ in range(_TIMES):
        _make(case, given, end)
        found = settled(last)
        grown = found.more_than(last)
        if not grown:
            return
        last = found
    _fail(case, given, end, grown)


def _own_children(case: ToolCase, found: Belongings) -> list[str]:
    """Return the children that calls of this tool have left, in this check or in one before.

    What the plugin itself started, in a check of no tool, is told of its first tool.
    """
    owners = {case.name, "" if case.name == next(iter(case.lab.tools)) else case.name}
    return [
        f"process {name}"
        for child, name in found.children.items()
        if child not in case.lab.at_start.children and case.lab.traces.children.get(child, case.name) in owners
    ]


def _fail(case: ToolCase, given: Any, end: _End, left: list[str]) -> None:
    fail(
        f"{case.name!r} leaves something behind",
        left=left,
        call=call_text(case.name, given),
        ended=end.title,
    )


def _make(case: ToolCase, given: Any, end: _End) -> None:
    executor = ScriptedExecutor(end.answer, pauses=end.pauses, hold=end.hold)

    async def run() -> None:
        sandbox = case.sandbox(executor=executor)
        task = asyncio.ensure_future(case.calling(given, sandbox))
        if end.moment is not None:
            await end.moment.come(task, sandbox)
            task.cancel()
        await asyncio.wait([task])
        if not task.cancelled():
            task.exception()  # what it is, is another check's business
        await settle()

    case.lab.loop.run(run())
