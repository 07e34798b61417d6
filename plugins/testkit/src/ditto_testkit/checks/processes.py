"""EX-009, EX-010, EX-012: how the processes of an executor end."""

from __future__ import annotations

import asyncio
import contextlib
import os
from pathlib import Path
from typing import Any, Final

from ditto_core import CommandTimeout

from ..labs.executors import ExecutorLab
from ..labs.packs import settle
from .executors import PRINT
from .model import check, fail

WAITING: Final = (
    "import os, subprocess, sys, time\n"
    "child = subprocess.Popen([sys.executable, '-I', '-S', '-c', 'import time; time.sleep(600)'],"
    " stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)\n"
    "with open('pids.new', 'w') as file: file.write(f'{os.getpid()} {child.pid}')\n"
    "os.rename('pids.new', 'pids')\n"
    "print('begun', flush=True)\n"
    "time.sleep(600)"
)
"""Starts a process of its own, writes both numbers to the file `pids`, and waits."""

_TURN, _TURNS = 0.01, 300


@check(
    "EX-009",
    title="A command that is too slow is ended at the deadline",
    fix="kill the whole group at the deadline, read what is left, wait for the process, raise CommandTimeout",
)
def deadline_ends_a_command(lab: ExecutorLab, data: Any) -> None:
    """Something always hangs. How long it took decides nothing here, only that it ends, and how."""
    seconds = 1.0
    command = lab.python(WAITING)
    ended = lab.run(command, lab.executor(seconds))
    if not isinstance(ended.error, CommandTimeout):
        got = ended.value if ended.error is None else f"{type(ended.error).__name__}: {ended.error}"
        fail("a command that never ends gives no CommandTimeout", deadline=f"{seconds:g} s", got=got)
    _expect_gone(lab, "after the deadline")


@check(
    "EX-010",
    title="A cancelled command is ended with everything it started, and reaped",
    fix="start it in a group of its own; when cancelled, kill the group, wait for the process, raise "
    "the cancellation on",
)
def cancellation_ends_a_command(lab: ExecutorLab, data: Any) -> None:
    """A caller that went away must not leave processes behind."""
    executor = lab.executor()
    pids = Path(lab.workspace, "pids")

    async def run() -> str:
        task = asyncio.ensure_future(executor.run(lab.python(WAITING), workspace=lab.workspace))
        for _ in range(_TURNS):  # if it has not begun by then, it is cancelled all the same
            if task.done() or pids.exists():  # noqa: ASYNC240 - a look, in a loop that is ours
                break
            await asyncio.sleep(_TURN)
        cancelled = task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        if task.cancelled() or not cancelled:
            return ""
        error = task.exception()
        return f"{type(error).__name__}: {error}" if error else repr(task.result())

    came = lab.loop.run(run())
    if came:
        fail("a cancelled command does not end as cancelled", came=came)
    _expect_gone(lab, "after the cancellation")


def _expect_gone(lab: ExecutorLab, when: str) -> None:
    """Look for the two processes of WAITING, if the executor runs its commands on this machine."""
    pids = Path(lab.workspace, "pids")
    if not lab.executor().local or not pids.exists():
        return
    process, child = map(int, pids.read_text(encoding="utf-8").split())
    pids.unlink()
    alive = [name for name, pid in (("the process", process), ("what it started", child)) if not _gone(lab, pid)]
    for pid in (process, child):
        with contextlib.suppress(OSError):
            os.kill(pid, 9)
    if alive:
        fail(f"processes are alive {when}", alive=alive)


def _gone(lab: ExecutorLab, pid: int) -> bool:
    """Wait, within bounds, until the process has ended: somebody else reaps what was not our own."""

    async def wait() -> bool:
        for _ in range(_TURNS):
            if not _runs(pid):
                return True
            await asyncio.sleep(_TURN)
        return False

    return lab.loop.run(wait())


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except OSError:
        return False
    with contextlib.suppress(OSError):
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[0]
        return state not in ("Z", "X")
    return True


@check(
    "EX-012",
    title="A command leaves nothing behind: no zombie, no descriptor, no task",
    fix="wait for every process and close every pipe, however the command ended",
)
def nothing_is_left(lab: ExecutorLab, data: Any) -> None:
    """An application runs for months."""
    executor = lab.executor()
    command = lab.python(f"import os; print(os.getpid()); import sys; sys.argv = ['', '61', '62', '0']\n{PRINT}")

    async def run(times: int) -> tuple[list[int], int, int]:
        pids = []
        for _ in range(times):
            with contextlib.suppress(Exception):  # what it raises, is another check's business
                found = await executor.run(command, workspace=lab.workspace)
                pids.append(int(found.stdout.split()[0]))
        await settle()
        return pids, _descriptors(), len(asyncio.all_tasks())

    _, before, tasks = lab.loop.run(run(1))
    pids, after, then = lab.loop.run(run(5))
    if executor.local and (zombies := [pid for pid in pids if Path(f"/proc/{pid}").exists()]):
        fail("processes are not reaped", left=len(zombies), of=len(pids))
    if after > before:
        fail("descriptors stay open", before=before, after_five_commands=after)
    if then > tasks:
        fail("tasks run on", before=tasks, after_five_commands=then)


def _descriptors() -> int:
    try:
        return len(list(Path("/proc/self/fd").iterdir()))
    except OSError:
        return 0
