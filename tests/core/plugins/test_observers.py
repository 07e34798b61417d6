"""Plugins that observe calls."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable
from typing import Any

import pytest

from ditto_core import (
    ACT_TOOL,
    OBSERVE,
    OUTPUT,
    CallFinished,
    CallStarted,
    CallTimeout,
    ExternalResult,
    InteractionError,
    InvalidArguments,
    ObserveInput,
    Origin,
    PermissionDenied,
    PluginHost,
    Runtime,
    Sandbox,
    ToolCall,
    ToolContext,
    ToolFailed,
    ToolInput,
    ToolOutcome,
    UnknownTool,
    hookimpl,
    interaction_worker,
)
from tests.support import run
from tests.support.plugins import Pack, Secretive, Sink
from tests.support.tools import Gate, make_tool

EVERYTHING = Sandbox(tools=["*"])
HOSTILE = "x\n2026-01-01 INFO ok\r\x85\u2028\x1b[2J\x07"


class Watcher(Secretive):
    """Keeps what it is told."""

    def __init__(self, name: str = "watcher") -> None:
        self.name = name
        self.events: list[CallStarted | CallFinished] = []

    @hookimpl
    def ditto_call_started(self, event: CallStarted) -> None:
        self.events.append(event)

    @hookimpl
    def ditto_call_finished(self, event: CallFinished) -> None:
        self.events.append(event)

    def pair(self) -> tuple[CallStarted, CallFinished]:
        """Give the two events of the one call."""
        started, finished = self.events
        assert isinstance(started, CallStarted)
        assert isinstance(finished, CallFinished)
        assert finished.call is started
        return started, finished


async def succeed(arguments: Any, context: ToolContext) -> ToolOutcome:
    return ToolOutcome(content="fine")


async def fail(arguments: Any, context: ToolContext) -> ToolOutcome:
    raise ToolFailed("NO_LUCK", "not today")


async def time_out(arguments: Any, context: ToolContext) -> ToolOutcome:
    return ToolOutcome(status="timeout", error=InteractionError(code="SLOW", message="too slow"))


async def break_down(arguments: Any, context: ToolContext) -> ToolOutcome:
    raise ZeroDivisionError


async def cancel(arguments: Any, context: ToolContext) -> ToolOutcome:
    raise asyncio.CancelledError


def refuse(arguments: Any) -> Any:
    raise ValueError("no")


def call(name: str = "grep", id: str = "c1") -> ToolInput:
    return ToolInput(call=ToolCall(id=id, name=name, arguments={"secret": "argument"}))


async def invoke(host: PluginHost, input: ToolInput | None = None, sandbox: Sandbox = EVERYTHING) -> ExternalResult:
    """Make one call of a tool of the host, through a runtime."""
    async with Runtime(workers=[interaction_worker(tools=host.tools)], sandbox=sandbox) as runtime:
        return await runtime.invoke(ACT_TOOL, input or call())


@pytest.mark.promise("D-PLUG-18")
@pytest.mark.case("ASYNC-01")
@pytest.mark.parametrize(
    ("tool", "sandbox", "raised", "outcome", "error"),
    [
        (make_tool("grep", succeed), EVERYTHING, None, "success", None),
        (make_tool("grep", fail), EVERYTHING, None, "failed", "NO_LUCK"),
        (make_tool("grep", time_out), EVERYTHING, None, "timeout", "SLOW"),
        (make_tool("grep", succeed), Sandbox(), PermissionDenied, "refused", "PermissionDenied"),
        (make_tool("cat", succeed), EVERYTHING, UnknownTool, "refused", "UnknownTool"),
        (make_tool("grep", validate=refuse), EVERYTHING, InvalidArguments, "refused", "InvalidArguments"),
        (make_tool("grep", break_down), EVERYTHING, ZeroDivisionError, "raised", "ZeroDivisionError"),
        (make_tool("grep", cancel), EVERYTHING, asyncio.CancelledError, "cancelled", "CancelledError"),
    ],
)
def test_each_call_has_one_started_and_one_finished_event(
    tool: Any, sandbox: Sandbox, raised: type[BaseException] | None, outcome: str, error: str | None
) -> None:
    async def scenario() -> None:
        host, watcher = PluginHost(), Watcher()
        host.register(watcher)
        host.register(Pack(tool))
        if raised is None:
            await invoke(host, sandbox=sandbox)
        else:
            with pytest.raises(raised):
                await invoke(host, sandbox=sandbox)
        _, finished = watcher.pair()
        assert (finished.outcome, finished.error) == (outcome, error)

    run(scenario())


@pytest.mark.promise("D-PLUG-17")
def test_events_tell_who_was_called_when_and_nothing_of_its_content() -> None:
    async def scenario() -> None:
        host, watcher = PluginHost(), Watcher()
        host.register(Pack(make_tool("grep", succeed)), name="acme")
        host.register(watcher)
        before = time.time_ns()
        await invoke(host)
        started, finished = watcher.pair()
        assert (started.node, started.name, started.call_id) == ("INTERACTION.ACT.TOOL", "grep", "c1")
        assert isinstance(started.origin, Origin)
        assert started.origin.plugin == "acme"
        assert started.parent is None
        assert before <= started.started_ns <= time.time_ns()
        assert 0 < finished.duration_ns < 10**10
        assert not {"secret", "argument", "fine"} & set(repr(watcher.events).replace("'", " ").split())
        assert watcher.events[0] != started.__class__(
            node=started.node, name="grep", call_id="c1", origin=None, parent=None, started_ns=started.started_ns
        )

    run(scenario())


@pytest.mark.promise("D-PLUG-17")
def test_a_call_made_inside_a_call_names_it_as_its_parent() -> None:
    async def scenario() -> None:
        host, watcher = PluginHost(), Watcher()

        async def outer(arguments: Any, context: ToolContext) -> ToolOutcome:
            await asyncio.gather(*[context.invoke(ACT_TOOL, call("inner", id)) for id in ("i1", "i2")])
            return ToolOutcome(content="done")

        def in_a_thread(arguments: Any, context: ToolContext) -> ToolOutcome:
            context.wait(context.invoke(ACT_TOOL, call("inner", "from a thread")))
            return ToolOutcome(content="done")

        host.register(watcher)
        host.register(Pack(make_tool("outer", outer), make_tool("plain", in_a_thread), make_tool("inner", succeed)))
        inputs = [call("outer", "o"), call("plain", "p"), call("inner", "other")]
        await asyncio.gather(*[invoke(host, input) for input in inputs])
        parents = {
            e.call_id: e.parent.call_id if e.parent else None for e in watcher.events if isinstance(e, CallStarted)
        }
        assert parents == {"o": None, "p": None, "other": None, "i1": "o", "i2": "o", "from a thread": "p"}
        watcher.events.clear()
        await invoke(host, call("inner"))
        assert watcher.pair()[0].parent is None

    run(scenario())


@pytest.mark.promise("D-PLUG-19")
def test_a_call_keeps_the_observers_of_its_beginning() -> None:
    async def scenario() -> None:
        host, gate = PluginHost(), Gate()
        early, late = Watcher("early"), Watcher("late")
        undo = host.register(early)
        host.register(Pack(make_tool("grep", gate)))
        running = asyncio.create_task(invoke(host))
        await gate.wait_for(1)
        undo()
        host.register(late)
        gate.open.set()
        await running
        assert early.pair()[1].outcome == "success"
        assert late.events == []
        await invoke(host)
        assert len(early.events) == len(late.events) == 2

    run(scenario())


def observer(hook: str, body: Callable[..., Any], name: str) -> Any:
    return type("Observer", (Secretive,), {hook: hookimpl(body), "name": name})()


@pytest.mark.promise("D-PLUG-20")
@pytest.mark.case("SEC-06")
@pytest.mark.parametrize("hook", ["ditto_call_started", "ditto_call_finished"])
def test_an_observer_that_raises_is_logged_and_changes_nothing(hook: str, log: pytest.LogCaptureFixture) -> None:
    async def nobody_awaits() -> None: ...

    def broken(self: object) -> None:
        raise RuntimeError(HOSTILE)

    def hidden_async(self: object, event: object) -> Any:
        return nobody_awaits()

    async def scenario() -> None:
        host, watcher = PluginHost(), Watcher()
        host.register(observer(hook, broken, "broken"))
        host.register(observer(hook, hidden_async, "hidden"))
        host.register(watcher)
        host.register(Pack(make_tool("grep", succeed)))
        log.clear()
        result = await invoke(host, call(id=HOSTILE))
        assert (result.call_id, result.content) == (HOSTILE, "fine")
        assert watcher.pair()[1].outcome == "success"

    run(scenario())
    failures = [record.message for record in log.records if record.levelname == "ERROR"]
    assert [line.split(" ")[:3] for line in failures] == [
        ["observer_failed", 'plugin="broken"', f'hook="{hook}"'],
        ["observer_failed", 'plugin="hidden"', f'hook="{hook}"'],
    ]
    assert all(record.message.isprintable() for record in log.records)


@pytest.mark.promise("D-PLUG-20")
def test_without_observers_no_event_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    host = PluginHost()
    host.register(Pack(make_tool("grep", succeed)))
    monkeypatch.setattr("ditto_core.events.CallStarted", None)
    assert run(invoke(host)).content == "fine"


def test_observers_of_the_application_stay_when_plugins_come_and_go() -> None:
    class Own:
        def started(self, event: CallStarted) -> None: ...
        def finished(self, event: CallFinished) -> None: ...

    host, own = PluginHost(), Own()
    host.tools.observers = (own,)
    undo = host.register(Watcher())
    assert len(host.tools.observers) == 2
    undo()
    assert host.tools.observers == (own,)


@pytest.mark.promise("D-PLUG-17")
def test_every_node_of_the_worker_is_observed() -> None:
    async def act_and_observe(arguments: Any, context: ToolContext) -> ToolOutcome:
        result = ExternalResult(call_id="o1", source="elsewhere", status="success", content="x")
        await context.invoke(OBSERVE, ObserveInput(result=result))
        return ToolOutcome(content="done")

    async def scenario() -> None:
        host, watcher = PluginHost(), Watcher()
        host.register(watcher)
        host.register(Pack(make_tool("grep", act_and_observe)))
        worker = interaction_worker(tools=host.tools, output=Sink())
        async with Runtime(workers=[worker], sandbox=EVERYTHING) as runtime:
            await runtime.invoke(ACT_TOOL, call())
            await runtime.invoke(OUTPUT, {"deliveryId": "d1", "message": {"role": "assistant", "content": "x"}})
        started = [event for event in watcher.events if isinstance(event, CallStarted)]
        assert [(e.node, e.name, e.call_id, e.parent and e.parent.call_id) for e in started] == [
            ("INTERACTION.ACT.TOOL", "grep", "c1", None),
            ("INTERACTION.OBSERVE", "elsewhere", "o1", "c1"),
            ("INTERACTION.OUTPUT", None, "d1", None),
        ]
        assert [e.outcome for e in watcher.events if isinstance(e, CallFinished)] == [
            "success",
            "success",
            "accepted",
        ]

    run(scenario())


@pytest.mark.promise("D-PLUG-18")
@pytest.mark.parametrize("timeout", [None, 0.01])
def test_observers_hear_what_the_caller_gets(timeout: float | None) -> None:
    async def stubborn(arguments: Any, context: ToolContext) -> ToolOutcome:
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.Event().wait()
        return ToolOutcome(content="too late")

    async def scenario() -> None:
        host, watcher = PluginHost(), Watcher()
        host.register(watcher)
        host.register(Pack(make_tool("grep", stubborn)))
        async with Runtime(workers=[interaction_worker(tools=host.tools)], sandbox=EVERYTHING) as runtime:
            running = asyncio.create_task(runtime.invoke(ACT_TOOL, call(), timeout=timeout))
            for _ in range(5):
                await asyncio.sleep(0)
            if timeout is None:
                running.cancel()
            with pytest.raises((asyncio.CancelledError, CallTimeout)):
                await running
        (finished,) = [event for event in watcher.events if isinstance(event, CallFinished)]
        assert finished.outcome == ("cancelled" if timeout is None else "raised")

    run(scenario())


def test_a_call_that_has_ended_is_nobodys_parent() -> None:
    async def scenario() -> None:
        host, watcher = PluginHost(), Watcher()
        tasks: list[asyncio.Task[Any]] = []

        async def again(arguments: Any, context: ToolContext) -> ToolOutcome:
            if len(tasks) < 50:
                tasks.append(asyncio.create_task(later()))
            return ToolOutcome(content="")

        async def later() -> None:
            for _ in range(5):
                await asyncio.sleep(0)
            await runtime.invoke(ACT_TOOL, call())

        host.register(watcher)
        host.register(Pack(make_tool("grep", again)))
        async with Runtime(workers=[interaction_worker(tools=host.tools)], sandbox=EVERYTHING) as runtime:
            await runtime.invoke(ACT_TOOL, call())
            for number in range(50):
                await tasks[number]
        assert {event.parent for event in watcher.events if isinstance(event, CallStarted)} == {None}

    run(scenario())
