"""EX-009 to EX-012: how the processes of an executor end."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path
from typing import Any, Final

import attrs

from ditto_core import Command, CommandResult, CommandTimeout

from ..labs.executors import ExecutorLab
from ..labs.leftovers import belongings, settled
from ..labs.loop import settle
from ..labs.machine import kill, running
from .executors import PRINT
from .model import check, fail

CHILD: Final = (
    "subprocess.Popen([sys.executable, '-I', '-S', '-c', 'import time; time.sleep(600)', sys.argv[1]],"
    " stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)\n"
)
"""Starts a process that waits, in the same group, and shows the token of the command among its words."""
WAITING: Final = (
    "import os, signal, subprocess, sys, time\n"
    "for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM): signal.signal(number, signal.SIG_IGN)\n"
    f"{CHILD}"
    "for stream in (1, 2): os.write(stream, b'begun')\n"
    "open('begun', 'w').close()\n"
    "for turn in range(60_000):\n"
    "    time.sleep(0.01)\n"
    "    if turn == 20: open('long', 'w').close()"
)
"""Starts a process of its own, prints, says so by the file `begun` and a while later by `long`, and waits: neither a
hang-up nor a polite signal ends it."""

HELD: Final = (
    "import os, time\nfor _ in range(6_000):\n    if not os.path.exists('held'): break\n    time.sleep(0.01)\n"
)
"""Waits until there is no file `held`: not at all where the command runs somewhere else."""

_TURN, _TURNS = 0.01, 300
_LOOK, _LOOKS = 0.02, 100
_TIMES = 3
"""How often a command is run to see what grows: what only the first run leaves may be kept for later."""


@check(
    "EX-009",
    title="A command that is too slow is ended at the deadline",
    fix="kill the whole group at the deadline, read what is left, wait for the process, raise CommandTimeout with the "
    "outputs so far, cut to the command's limits",
)
def deadline_ends_a_command(lab: ExecutorLab, data: Any) -> None:
    """Something always hangs. How long it took decides nothing here, only that it ends, and how."""
    token, seconds = lab.token(), 1.0
    with contextlib.ExitStack() as after:
        after.callback(kill, token)
        ended = lab.run(lab.python(WAITING, token, max_stdout=4, max_stderr=3), lab.executor(seconds))
        late = ended.error
        if not isinstance(late, CommandTimeout):
            got = ended.value if late is None else f"{type(late).__name__}: {late}"
            fail("a command that never ends gives no CommandTimeout", deadline=f"{seconds:g} s", got=got)
        facts = {"stdout": late.stdout, "stderr": late.stderr, "max_stdout": 4, "max_stderr": 3}
        if not ("begu".startswith(late.stdout) and "beg".startswith(late.stderr)):
            fail("what a CommandTimeout holds is not the beginning of the outputs, within their limits", **facts)
        if lab.has("long") and not (late.stdout and late.stderr):
            fail("a CommandTimeout does not hold what the command had printed", **facts)
        _expect_gone(lab, token, "after the deadline")


@check(
    "EX-010",
    title="A cancelled command is ended with everything it started, and reaped",
    fix="start it in a group of its own; when cancelled, also while it starts, kill the group, wait for the process, "
    "raise the cancellation on",
)
def cancellation_ends_a_command(lab: ExecutorLab, data: Any) -> None:
    """A caller that went away must not leave processes behind."""
    executor, token = lab.executor(), lab.token()
    with contextlib.ExitStack() as after:
        after.callback(kill, token)
        for point in (0, 1, 2, 3, 5, 8, 13, None):
            when = "after it has begun" if point is None else f"after {point} turns of the event loop"
            before = belongings()
            came = lab.loop.run(_cancelled(lab, executor, lab.python(WAITING, token), point))
            if came:
                fail("a cancelled command does not end as cancelled", came=came, cancelled=when)
            if executor.local and (left := _children(settled(before).more_than(before))):
                fail("a cancelled command is not reaped", left=left, cancelled=when)
            _expect_gone(lab, token, f"after a cancellation {when}")
        _expect_gone(lab, token, "some time after the cancellations")


async def _cancelled(lab: ExecutorLab, executor: Any, command: Command, point: int | None) -> str:
    """Cancel a command after some turns of the event loop, or once it has begun; return what came of it instead."""
    lab.forget("begun", "long")
    task = asyncio.ensure_future(executor.run(command, workspace=lab.workspace))
    for _ in range(_TURNS if point is None else point):  # if it has not begun by then, it is cancelled all the same
        if task.done() or lab.has("begun"):
            break
        await asyncio.sleep(_TURN if point is None else 0)
    cancelled = task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    if task.cancelled() or not cancelled:
        return ""
    error = task.exception()
    return f"{type(error).__name__}: {error}" if error else repr(task.result())


def _children(left: list[str]) -> list[str]:
    return [text for text in left if text.startswith("process ")]


def _expect_gone(lab: ExecutorLab, token: str, when: str) -> None:
    """Look for the processes of a command, within bounds: whoever is killed ends when the system lets it."""

    async def left() -> list[int]:
        for _ in range(_LOOKS):
            if not running(token):
                return []
            await asyncio.sleep(_LOOK)
        return running(token)

    if lab.executor().local and (alive := lab.loop.run(left())):
        fail(f"processes are alive {when}", alive=len(alive))


@attrs.frozen
class _End:
    """A way for a command to end, with the deadline of its executor in seconds."""

    title: str
    code: str = ""
    timeout: float = 10.0
    folder: str = ""
    program: str = ""


_ENDS: Final = (
    _End("it ended by itself", "print(1)"),
    _End("it left a process of its own", f"import subprocess, sys\n{CHILD}"),
    _End("it was stopped because of its output", "while True: print('y' * 4096)"),
    _End("it came to its deadline", "import time; time.sleep(600)", 0.2),
    _End("it could not be started", folder="no such folder"),
    _End("it was refused", program="ditto-testkit-no-such-program"),
)


@check(
    "EX-012",
    title="A command leaves nothing behind: no process, no zombie, no descriptor, no thread, no task",
    fix="kill the group, wait for every process and close every pipe, however the command ended",
)
def nothing_is_left(lab: ExecutorLab, data: Any) -> None:
    """An application runs for months."""
    for end in _ENDS:
        token = lab.token()
        with contextlib.ExitStack() as after:
            after.callback(kill, token)
            _look(lab, end, token)


def _look(lab: ExecutorLab, end: _End, token: str) -> None:
    executor = lab.executor(end.timeout)
    command = lab.python(end.code, token, max_stdout=1_000)
    if end.program:
        command = attrs.evolve(command, program=end.program)

    async def run() -> int:
        with contextlib.suppress(Exception):  # what it raises, is another check's business
            await executor.run(command, workspace=Path(lab.workspace, end.folder))
        await settle()
        return len(asyncio.all_tasks())

    tasks, last = lab.loop.run(run()), belongings()
    left: list[str] = []
    for _ in range(_TIMES):
        then = lab.loop.run(run())
        found = settled(last)
        left = [*found.more_than(last), *(["a task"] if then > tasks else [])]
        if not left:
            break
        tasks, last = then, found
    if left:
        fail("a command leaves something behind", left=left, after=end.title)
    _expect_gone(lab, token, f"after {end.title}")


@check(
    "EX-011",
    title="Commands at the same time keep apart",
    fix="keep what belongs to one command in local variables or in an object of its own",
)
def commands_keep_apart(lab: ExecutorLab, data: Any) -> None:
    """A worker runs many calls at once, on one executor; one that is cancelled is no matter of the others."""
    executor, token = lab.executor(), lab.token()
    if executor.local:
        lab.put("held")
    commands = [
        lab.python(f"{HELD}{PRINT}", f"out {n}".encode().hex(), f"err {n}".encode().hex(), str(n)) for n in range(4)
    ]

    async def together() -> list[Any]:
        tasks = [asyncio.ensure_future(executor.run(one, workspace=lab.workspace)) for one in commands]
        await _cancelled(lab, executor, lab.python(WAITING, token), None)
        lab.forget("held")
        return await asyncio.gather(*tasks, return_exceptions=True)

    try:
        ends = lab.loop.run(together())
    finally:
        kill(token)
    for number, found in enumerate(ends):
        if not isinstance(found, CommandResult):
            fail("a command beside others gives no result", got=f"{type(found).__name__}: {found}")
        if (found.stdout, found.stderr, found.exit_code) != (f"out {number}", f"err {number}", number):
            fail("a command beside others, one of them cancelled, has another end", command=number, got=found)
