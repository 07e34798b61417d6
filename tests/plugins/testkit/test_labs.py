"""What labs see of this machine and of code that blocks, and how they end what does not end."""

from __future__ import annotations

import asyncio
import gc
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ditto_testkit.audit import recording
from ditto_testkit.labs import alarm, machine
from ditto_testkit.labs.blocking import blocking_calls
from ditto_testkit.labs.leftovers import belongings, settled
from ditto_testkit.labs.loop import Loop
from ditto_testkit.labs.pipes import Hung, PipeWatch
from ditto_testkit.labs.surroundings import copied_from, memory, standard_input, variables

SLEEPS = [sys.executable, "-I", "-S", "-c", "import time; print('begun', flush=True); time.sleep(60)"]


SOURCES = [
    *([machine.from_proc] if Path("/proc/self/cmdline").exists() else []),
    *([machine.from_ps] if shutil.which("ps") else []),
]


@pytest.mark.parametrize("source", SOURCES)
def test_a_process_is_found_by_its_words_while_it_runs(
    source: Callable[[], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machine, "processes", lambda: list(source()))  # type: ignore[call-overload]
    token = f"ditto-token-{os.getpid()}"
    with subprocess.Popen([*SLEEPS, token], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()  # while a program is being started, the system may not know its words yet
        assert machine.running(token) == [process.pid]
        machine.kill(token)
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)  # it has ended, and is a zombie
        assert machine.running(token) == []


@given(content=st.binary(min_size=1, max_size=100))
def test_a_child_inherits_the_standard_input_that_a_lab_gives_and_it_is_put_back(content: bytes) -> None:
    before = os.fstat(0)
    with standard_input(content):
        assert os.read(0, 200) == content
        assert select.select([0], [], [], 0)[0] == []  # it stays open
    assert os.fstat(0).st_ino == before.st_ino


def test_a_closed_standard_input_is_closed_again() -> None:
    code = """
import os
from ditto_testkit.labs.surroundings import standard_input
os.close(0)
with standard_input(b"abc"):
    assert os.read(0, 10) == b"abc"
    assert os.get_inheritable(0)
try:
    os.fstat(0)
except OSError:
    print("closed")
"""
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert found.stdout.strip() == "closed"


def test_variables_are_put_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DITTO_A", "before")
    monkeypatch.delenv("DITTO_B", raising=False)
    with variables({"DITTO_A": "1", "DITTO_B": "2"}):
        assert (os.environ["DITTO_A"], os.environ["DITTO_B"]) == ("1", "2")
    assert os.environ["DITTO_A"] == "before"
    assert "DITTO_B" not in os.environ


def test_a_copy_of_an_environment_is_told_from_a_few_equal_values() -> None:
    environment = {"PATH": "/bin", "HOME": "/", **{f"A{n}": "x" for n in range(6)}}
    assert copied_from({**environment, "A0": "y"}, environment) == ["A1", "A2", "A3", "A4", "A5"]
    assert copied_from({"PATH": "/bin", "HOME": "/", "A1": "x", "A2": "x"}, environment) == []


def test_memory_is_that_of_the_block() -> None:
    with memory() as used:
        kept = bytes(5_000_000)
    assert len(kept) <= used[0] < 6_000_000


def _sleep() -> None:
    time.sleep(1e-9)


def _connect() -> None:
    with socket.socket() as made:
        made.connect_ex(("127.0.0.1", 1))


@pytest.mark.parametrize(("blocks", "event"), [(_sleep, "time.sleep"), (_connect, "socket.connect")])
def test_what_blocks_is_seen_in_this_thread_and_not_in_another(blocks: Callable[[], None], event: str) -> None:
    with blocking_calls() as seen:
        thread = threading.Thread(target=blocks)
        thread.start()
        thread.join()
        assert seen == []
        blocks()
    assert seen == [event]
    blocks()
    assert seen == [event]


def test_what_waits_in_the_event_loop_blocks_nothing() -> None:
    async def waits() -> None:
        rang = asyncio.Event()
        asyncio.get_running_loop().call_later(0.001, rang.set)
        await rang.wait()
        await asyncio.to_thread(_sleep)

    with blocking_calls() as seen:
        asyncio.run(waits())
    assert seen == []


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alarm, "GRACE", 0.05)


async def _holds_up() -> None:
    threading.Lock().acquire()  # the first one succeeds
    lock = threading.Lock()
    with lock:
        lock.acquire()


async def _holds_up_and_swallows() -> str:
    try:
        await _holds_up()
    except Exception:
        return "nothing was wrong"
    return ""


async def _swallows_cancellation() -> None:
    while True:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            continue


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("hanging", [_holds_up, _holds_up_and_swallows, _swallows_cancellation])
def test_whatever_hangs_in_a_loop_ends_and_is_told(
    hanging: Callable[[], object], caplog: pytest.LogCaptureFixture
) -> None:
    with Loop(0.05) as loop:
        with pytest.raises(Hung):
            loop.run(hanging())  # type: ignore[arg-type]
        assert loop.hangs == 1
    del loop
    gc.collect()
    assert caplog.text == ""  # and nobody complains of the task that would not end


@pytest.mark.usefixtures("quick")
def test_an_alarm_that_was_set_before_goes_on() -> None:
    rung: list[int] = []
    before = signal.signal(signal.SIGALRM, lambda *_: rung.append(1))
    signal.setitimer(signal.ITIMER_REAL, 300)
    try:
        with alarm.alarm(5):
            pass
        left, _ = signal.setitimer(signal.ITIMER_REAL, 0)
        assert 290 < left <= 300
        assert signal.getsignal(signal.SIGALRM) is not before
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert rung == []


def test_the_pipe_that_the_kit_opens_itself_is_not_recorded_as_a_tools(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        with recording() as found, PipeWatch(lambda: pipe, lambda: None):
            # The watch opens the pipe while there is a reader, and then it is ready to be read.
            select.select([reader], [], [], 30)
    except Hung:
        pass
    finally:
        os.close(reader)
    assert [path for path in found.changed if path.endswith("pipe")] == []


def test_a_thread_that_is_just_being_started_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    before = belongings()
    starting = threading.Thread(target=lambda: None)  # it is listed already, and cannot be joined yet
    listed = iter([[starting]])
    monkeypatch.setattr(threading, "enumerate", lambda: next(listed, []))
    assert settled(before).threads == frozenset()
