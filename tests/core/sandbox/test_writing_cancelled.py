"""A cancelled write: the caller is free at once, and the write is done or never will be."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ditto_core import Sandbox, in_thread
from ditto_core.sandbox import writing
from tests.support import run


class Gate:
    """Holds one function at a point of its work, and tells when the whole write has ended."""

    def __init__(self) -> None:
        self.reached = threading.Event()
        self.opened = threading.Event()
        self.ended = threading.Event()
        self._used = False

    def hold(self) -> None:
        if not self._used:
            self._used = True
            self.reached.set()
            assert self.opened.wait(10)

    def before(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def held(*args: Any, **kwargs: Any) -> Any:
            self.hold()
            return function(*args, **kwargs)

        return held

    def after(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def held(*args: Any, **kwargs: Any) -> Any:
            result = function(*args, **kwargs)
            self.hold()
            return result

        return held

    def around(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def told(*args: Any) -> Any:
            try:
                return function(*args)
            finally:
                self.ended.set()

        return told


POINTS: dict[str, tuple[object, str, str]] = {
    "it has begun": (writing, "locate_file", "before"),
    "the temporary file is there": (os, "fdopen", "before"),
    "the text is in it": (os, "fsync", "before"),
    "the text is safe": (os, "fsync", "after"),
    "it is about to be seen": (writing.Commit, "perform", "before"),
    "it has been seen": (writing.Commit, "perform", "after"),
}


@pytest.mark.parametrize("old", [None, "old"], ids=["a new file", "an old one"])
@pytest.mark.parametrize("point", POINTS)
@pytest.mark.promise("D-SBX-08")
def test_after_a_cancellation_the_write_changes_nothing_more_and_leaves_nothing(
    place: Path, monkeypatch: pytest.MonkeyPatch, point: str, old: str | None
) -> None:
    target, name, when = POINTS[point]
    gate = Gate()
    monkeypatch.setattr(target, name, getattr(gate, when)(getattr(target, name)))
    monkeypatch.setattr(writing, "write_text", gate.around(writing.write_text))
    if old is not None:
        (place / "a.txt").write_text(old, encoding="utf-8")

    async def main() -> None:
        sandbox = Sandbox(place, write=True)
        task = asyncio.create_task(sandbox.write_text("a.txt", "cancelled"))
        assert await in_thread(gate.reached.wait, 10)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        was_seen = (place / "a.txt").exists() and (place / "a.txt").read_text(encoding="utf-8") == "cancelled"
        assert was_seen is (point == "it has been seen")
        # Somebody else writes while the thread of the cancelled write still runs.
        (place / "a.txt").write_text("later", encoding="utf-8")
        gate.opened.set()
        assert await in_thread(gate.ended.wait, 10)

    run(main(), timeout=30)
    assert {path.name: path.read_text(encoding="utf-8") for path in place.iterdir()} == {"a.txt": "later"}


@given(st.lists(st.tuples(st.sampled_from(["b", "c", "d"]), st.integers(0, 4) | st.none()), min_size=1, max_size=6))
@pytest.mark.promise("D-SBX-08")
def test_writes_cancelled_at_any_moment_leave_one_whole_text_that_stays(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, int | None]]
) -> None:
    place = tmp_path_factory.mktemp("place")
    file = place / "a.txt"
    file.write_text("a" * 50_000, encoding="utf-8")
    sandbox = Sandbox(place, write=True)

    async def main() -> None:
        for letter, turns in steps:
            before, text = file.read_text(encoding="utf-8"), letter * 50_000
            task = asyncio.create_task(sandbox.write_text("a.txt", text))
            if turns is None:
                await task
                assert file.read_text(encoding="utf-8") == text
                continue
            for _ in range(turns):
                await asyncio.sleep(0)
            task.cancel()
            (ending,) = await asyncio.gather(task, return_exceptions=True)
            settled = file.read_text(encoding="utf-8")
            assert settled in {before, text}
            assert ending is None or isinstance(ending, asyncio.CancelledError)
        settled = file.read_text(encoding="utf-8")
        # Threads are taken in order, so when as many functions as there may be threads have met, the writes ended.
        barrier = threading.Barrier(32)
        await asyncio.gather(*[in_thread(barrier.wait, 10) for _ in range(32)])
        assert file.read_text(encoding="utf-8") == settled

    run(main(), timeout=30)
    assert [path.name for path in place.iterdir()] == ["a.txt"]


def test_the_caller_is_free_while_the_disk_hangs(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gate = Gate()
    monkeypatch.setattr(os, "fsync", gate.before(os.fsync))
    monkeypatch.setattr(writing, "write_text", gate.around(writing.write_text))

    async def main() -> None:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await Sandbox(place, write=True).write_text("a.txt", "x")
        gate.opened.set()
        assert await in_thread(gate.ended.wait, 10)

    run(main(), timeout=5)
    assert list(place.iterdir()) == []
