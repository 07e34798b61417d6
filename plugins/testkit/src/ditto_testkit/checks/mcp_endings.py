"""MC-020 to MC-030: how calls end that are cancelled, what the connection is good for then, and what it leaves."""

from __future__ import annotations

import asyncio
import gc
import os
from typing import Any

from hypothesis import strategies as st

from ditto_core import JsonObject

from ..labs.mcp_clients import McpClientLab, calling
from .mcp_calls import UNKNOWN, sorted_text
from .model import check, fail


def _points() -> st.SearchStrategy[int]:
    return st.integers(0, 3) | st.integers(0, 30)


async def _cancelled(lab: McpClientLab, point: int) -> asyncio.Task[Any] | None:
    """Cancel the endless call after `point` turns of the event loop, and wait for its end; None if it was over."""
    name, arguments = lab.subject.endless or ("", {})
    task = asyncio.ensure_future(calling(lab.client, name, arguments, "c1"))
    for _ in range(point):
        await asyncio.sleep(0)
    if not task.cancel():
        return None
    await asyncio.wait([task], timeout=lab.capabilities.call_timeout / 2)
    return task


@check(
    "MC-020",
    title="A cancelled call ends as cancelled, and at once",
    fix="let CancelledError through: catch Exception, never BaseException or CancelledError, or raise it again; wait "
    "for no server in the way out",
    draws=True,
    share=0.5,
)
def cancellation_passes(lab: McpClientLab, data: Any) -> None:
    """Whoever cancels waits for the end, and takes a result for what was asked for."""
    if lab.subject.endless is None:
        return
    point = data.draw(_points(), label="turns of the event loop before the cancellation")
    name, arguments = lab.subject.endless

    async def run() -> str:
        # Not through a registry: it sees to cancellation itself.
        task = asyncio.ensure_future(lab.client.call_tool(name, arguments))
        for _ in range(point):
            await asyncio.sleep(0)
        if not task.cancel():
            return "an end before the cancellation: it is not endless"
        await asyncio.wait([task], timeout=lab.capabilities.call_timeout / 2)
        if not task.done():
            task.cancel()
            return "nothing"
        return "" if task.cancelled() else f"{type(task.exception() or task.result()).__name__}"

    came = lab.loop.run(run())
    if came:
        fail("a cancelled call does not end as cancelled", tool=name, came=came, cancelled_after=point)


@check(
    "MC-021",
    title="A call leaves no task behind",
    fix="await every task that you start, in a TaskGroup or in a finally block that cancels and awaits it",
    draws=True,
    share=0.5,
)
def calls_leave_nothing(lab: McpClientLab, data: Any) -> None:
    """What runs on after the end acts without anybody who listens; a thousand calls leave a thousand."""
    probes = [probe for probe in ("echo", "failing", "endless") if getattr(lab.subject, probe)]
    if not probes:
        return
    probe = data.draw(st.sampled_from(probes), label="call")
    point = data.draw(_points(), label="turns of the event loop before the cancellation") if probe == "endless" else 0

    async def run() -> list[str]:
        before = asyncio.all_tasks()
        if probe == "endless":
            await _cancelled(lab, point)
        else:
            call: tuple[str, JsonObject] = (lab.subject.echo, {"value": 1})
            name, arguments = call if probe == "echo" else lab.subject.failing or call
            await asyncio.gather(calling(lab.client, name, arguments, "c1"), return_exceptions=True)
        left = asyncio.all_tasks() - before
        if left:  # telling the server of a cancellation may take a moment
            _, left = await asyncio.wait(left, timeout=lab.capabilities.call_timeout / 2)
        for task in left:
            task.cancel()
        return [getattr(task.get_coro(), "__qualname__", "?") for task in left]

    left = lab.loop.run(run())
    if left:
        fail("a call leaves tasks running", call=probe, left=left)


@check(
    "MC-022",
    title="The connection serves on after a call that failed, was refused or was cancelled",
    fix="end the one call and keep the connection; answers that come too late are dropped",
    draws=True,
    share=0.3,
)
def connection_serves_on(lab: McpClientLab, data: Any) -> None:
    """One bad call of a model must not take all the others with it."""
    if not lab.subject.echo:
        return
    lab.echo("before")
    probes = [probe for probe in ("failing", "endless", "hidden") if getattr(lab.subject, probe)]
    probe = data.draw(st.sampled_from([*probes, "unknown"]), label="call")
    if probe == "endless":
        point = data.draw(_points(), label="turns of the event loop before the cancellation")
        lab.loop.ended(_cancelled(lab, point))
    elif probe == "failing":
        lab.call(*(lab.subject.failing or ("", {})))
    else:
        lab.call(lab.subject.hidden if probe == "hidden" else UNKNOWN, {})
    ended = lab.call(lab.subject.echo, {"value": "after"})
    if ended.error is not None or sorted_text(ended.value.structured_content) != sorted_text({"value": "after"}):
        came = "another answer" if ended.error is None else f"{type(ended.error).__name__}: {ended.error}"
        fail("the connection does not serve on", after=probe, came=came)


@check(
    "MC-030",
    title="A connection that is left leaves nothing behind",
    fix="close the streams, end and reap the server's process, and await every task, before the context manager ends",
)
def leaving_leaves_nothing(lab: McpClientLab, data: Any) -> None:
    """An application connects for each tenant or each request; what each leaves adds up."""

    async def connect() -> list[str]:
        before = asyncio.all_tasks()
        async with lab.subject.make() as client:
            await client.list_tools()
        return [getattr(task.get_coro(), "__qualname__", "?") for task in asyncio.all_tasks() - before]

    lab.loop.run(connect())  # what is made once and kept for all, such as an import, is made now
    before = _held()
    for _ in range(2):
        left = lab.loop.run(connect())
        if left:
            fail("a connection that was left has tasks running", left=left)
    grown = {what: f"{before[what]}, then {now}" for what, now in _held().items() if now > before[what]}
    if grown:
        fail("a connection that was left holds on to something", **grown)


def _held() -> dict[str, int]:
    """Count what this process holds, as far as the system tells it: only Linux does."""
    gc.collect()
    counts = {}
    if os.path.isdir("/proc/self/fd"):  # noqa: PTH112 - a look, no path to go on with
        counts["open_files"] = len(os.listdir("/proc/self/fd"))  # noqa: PTH208
    children = f"/proc/self/task/{os.getpid()}/children"
    if os.path.isfile(children):  # noqa: PTH113
        with open(children, encoding="ascii") as listed:  # noqa: PTH123
            counts["child_processes"] = len(listed.read().split())
    return counts
