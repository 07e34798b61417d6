"""MC-010 to MC-030: what becomes of a call, of one that fails or is cancelled, and of a connection that is left."""

from __future__ import annotations

import asyncio
import copy
import gc
import json
import os
from typing import Any

from hypothesis import strategies as st

from ditto_core import InvalidResult, JsonObject, RefusedCall, safe_message

from ..fakes import SECRET
from ..labs.mcp_clients import McpClientLab, calling
from ..strategies.texts import texts
from .model import check, fail

UNKNOWN = "ditto-testkit-no-such-tool"
UNSAFE = "unsafe"


def _values() -> st.SearchStrategy[Any]:
    """Give JSON that every peer reads alike: integers that a double holds, and fractions that it does not round."""
    scalars = (
        st.none()
        | st.booleans()
        | st.integers(1 - 2**53, 2**53 - 1)
        | st.integers(-(10**6), 10**6).map(lambda number: number + 0.5)
        | texts()
    )
    return st.recursive(
        scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts(), inner, max_size=4), max_leaves=8
    )


def _text(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


@check(
    "MC-010",
    title="An answer is one that a registry takes",
    fix="return McpToolResult(content=…, structured_content=…, references=…, is_error=…); leave out (UNSET) what the "
    "server did not send",
    draws=True,
    share=0.5,
)
def answers_are_answers(lab: McpClientLab, data: Any) -> None:
    """What a registry refuses has happened all the same, and nobody learns how it went."""
    if not lab.subject.echo:
        return
    arguments: JsonObject = {"value": data.draw(_values(), label="value")}
    error = lab.call(lab.subject.echo, arguments).error
    if error is not None:
        refused = str(error) if isinstance(error, InvalidResult) else f"{type(error).__name__}: {error}"
        fail(
            "a call that should succeed has no valid answer", tool=lab.subject.echo, arguments=arguments, came=refused
        )


@check(
    "MC-011",
    title="Arguments arrive as they are",
    fix="pass them on without a change of type or text; nothing is left out for being null, empty or false",
    draws=True,
)
def arguments_are_verbatim(lab: McpClientLab, data: Any) -> None:
    """A tool may only act on what was asked for and checked."""
    if not lab.subject.echo:
        return
    value = data.draw(_values(), label="value")
    back = lab.echo(value)
    if _text(back) != _text({"value": value}):
        fail("the server got other arguments", sent={"value": value}, echoed=back)


@check(
    "MC-012",
    title="The arguments stay as they are",
    fix="copy what you change: dict(arguments), or copy.deepcopy",
    draws=True,
    share=0.5,
)
def arguments_stay(lab: McpClientLab, data: Any) -> None:
    """They stand in the history of the application, and in its next attempt."""
    if not lab.subject.echo:
        return
    arguments = {"value": data.draw(_values(), label="value")}
    before = copy.deepcopy(arguments)
    lab.loop.ended(lab.client.call_tool(lab.subject.echo, arguments))
    if _text(arguments) != _text(before):
        fail("the client changes the arguments", before=before, after=arguments)


@check(
    "MC-013",
    title="One call is one request",
    fix="send it once, without a retry of your own; what came of it is the application's to look into",
)
def one_call_is_one_request(lab: McpClientLab, data: Any) -> None:
    """What is sent twice may happen twice."""
    before = lab.reached()
    if before is None:
        return
    made = []
    if lab.subject.echo:
        lab.echo("once")
        made.append(lab.subject.echo)
    if lab.subject.failing:
        lab.call(*lab.subject.failing)
        made.append(lab.subject.failing[0])
    reached = (lab.reached() or [])[len(before) :]
    if reached != made:
        fail("the server got other calls than were made", made=made, reached=reached)


@check(
    "MC-014",
    title="Calls at the same time get their own answers",
    fix="keep requests apart by their ids, and what belongs to one in local variables",
    draws=True,
    share=0.5,
)
def concurrent_calls_keep_apart(lab: McpClientLab, data: Any) -> None:
    """A worker runs many calls over one connection."""
    if not lab.subject.echo:
        return
    lab.echo("alone")
    values = data.draw(st.lists(_values(), min_size=2, max_size=6), label="values")
    sent = [[index, value] for index, value in enumerate(values)]

    async def together() -> list[Any]:
        calls = [calling(lab.client, lab.subject.echo, {"value": one}, f"c{one[0]}") for one in sent]
        return await asyncio.gather(*calls, return_exceptions=True)

    for one, end in zip(sent, lab.loop.run(together()), strict=True):
        if isinstance(end, BaseException):
            fail("a call fails beside others", value=one, raised=f"{type(end).__name__}: {end}")
        if _text(end.structured_content) != _text({"value": one}):
            fail("a call gets the answer of another", value=one, echoed=end.structured_content)


@check(
    "MC-015",
    title="A tool's failure is an answer",
    fix="return McpToolResult(is_error=True, …) with what the server sent; raise only when there is no answer",
)
def failures_are_answers(lab: McpClientLab, data: Any) -> None:
    """A model can act on the failure of a tool. As a success it misleads, as an exception it says nothing."""
    if lab.subject.failing is None:
        return
    name, arguments = lab.subject.failing
    ended = lab.call(name, arguments)
    if isinstance(ended.error, InvalidResult):
        fail("the answer of a tool that fails is not valid", tool=name, refused=str(ended.error))
    if ended.error is not None:
        fail("a tool's failure is raised", tool=name, raised=f"{type(ended.error).__name__}: {ended.error}")
    if ended.value.status != "failed":
        fail("a tool's failure is given as a success", tool=name, status=ended.value.status)


@check(
    "MC-016",
    title="A tool that is not allowed is not listed, and refused before the server is asked",
    fix="filter the pages, and raise PermissionDenied or UnknownTool in call_tool before anything is sent",
)
def hidden_tools_stay_hidden(lab: McpClientLab, data: Any) -> None:
    """A name that a model has guessed must not lead further than one that it was shown."""
    hidden = lab.subject.hidden
    if not hidden:
        return
    if hidden in [tool.name for tool in lab.tools()]:
        fail("a tool that is not allowed is listed", tool=hidden)
    before = lab.reached()
    ended = lab.call(hidden, {})
    if not isinstance(ended.error, RefusedCall):
        came = "an answer" if ended.error is None else type(ended.error).__name__
        fail("a tool that is not allowed is not refused", tool=hidden, came=came)
    if lab.reached() != before:
        fail("a tool that is not allowed is refused after the server was asked", tool=hidden)


@check(
    "MC-017",
    title="What a client raises repeats no argument, no secret and no path",
    fix="raise with a message of your own; what the server or a library said goes into your log",
)
def exceptions_are_safe(lab: McpClientLab, data: Any) -> None:
    """Exceptions end in logs, reports and, through an application, before a model."""
    calls: list[tuple[str, JsonObject]] = [(UNKNOWN, {"value": SECRET, SECRET: "value"})]
    calls += [(lab.subject.hidden, {"value": SECRET})] if lab.subject.hidden else []
    for name, arguments in calls:
        error = lab.call(name, arguments).error
        said = " ".join(str(error).split())[:512] if error is not None else ""
        if SECRET in said:
            fail("an exception repeats the arguments", tool=name, raised=said.replace(SECRET, "<the arguments>"))
        if said and safe_message(said, UNSAFE) == UNSAFE:
            fail("an exception says what may not be shown", tool=name, raised=type(error).__name__)


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
    if ended.error is not None or _text(ended.value.structured_content) != _text({"value": "after"}):
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
