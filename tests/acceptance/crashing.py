"""Processes that run a task and kill themselves at a given step, as nothing in them could prevent.

``python -m tests.acceptance.crashing`` loads everything once and then forks for each line of JSON on its input: the
fork runs the task and sends itself SIGKILL when so many steps are done, or when the second attempt is done and not yet
answered. What comes back is how the process ended.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import attrs

from order_observer.application import Settings
from order_observer.request import Request
from order_observer.service import Orders
from tests.acceptance.task import PATIENCE, Task, run_task
from tests.support.project import ROOT


@attrs.frozen(kw_only=True)
class Ending:
    """How a process ended: by which signal, or with which status."""

    signal: int
    status: int


class Crasher:
    """Starts the process that forks, and ends it."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "tests.acceptance.crashing"]
        self._process = subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )

    def run(self, task: Task, *, kill_after: int = 0, kill_when_retried: bool = False) -> Ending:
        """Run a task in a process that kills itself, and wait for its end.

        It does so after so many steps, or when the second attempt has had its effect.
        """
        job = {
            "directory": str(task.directory),
            "request": task.request.canonical(),
            "settings": attrs.asdict(task.settings),
            "kill_after": kill_after,
            "kill_when_retried": kill_when_retried,
        }
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(job) + "\n")
        return Ending(**json.loads(self._process.stdout.readline()))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.communicate(timeout=PATIENCE)


def _fork(job: dict[str, Any]) -> dict[str, int]:
    child = os.fork()
    if child == 0:
        status = 1
        try:
            asyncio.run(_run(job))
            status = 0
        finally:
            os._exit(status)
    _, ended = os.waitpid(child, 0)
    by_signal = os.WIFSIGNALED(ended)
    return {
        "signal": os.WTERMSIG(ended) if by_signal else 0,
        "status": -1 if by_signal else os.WEXITSTATUS(ended),
    }


async def _run(job: dict[str, Any]) -> None:
    def kill(name: str, steps: int) -> None:
        if steps == job["kill_after"]:
            os.kill(os.getpid(), signal.SIGKILL)

    directory, request, settings = Path(job["directory"]), Request.of(job["request"]), Settings(**job["settings"])
    async with asyncio.timeout(PATIENCE):
        work = asyncio.ensure_future(run_task(directory, request, settings, after=kill))
        while job["kill_when_retried"] and not work.done():
            if Orders(directory / "remote.sqlite").order().retries:
                os.kill(os.getpid(), signal.SIGKILL)
            await asyncio.sleep(0)
        await work


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(_fork(json.loads(line))), flush=True)
