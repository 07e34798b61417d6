"""Plain functions: on the runtime's own daemon threads."""

from __future__ import annotations

import asyncio
import contextvars
import subprocess
import sys
import threading
from typing import Any

import pytest

from ditto_core import (
    ACT_TOOL,
    ContextClosed,
    InvalidInput,
    InvalidValue,
    Runtime,
    Sandbox,
    ToolCall,
    ToolContext,
    ToolInput,
    ToolOutcome,
    in_thread,
    interaction_worker,
)
from tests.support import run
from tests.support.tools import Gate, make_tool, settle

ALL = Sandbox(tools=["*"])
VARIABLE: contextvars.ContextVar[str] = contextvars.ContextVar("variable", default="unset")


def _runtime(*tools: Any, threads: int = 32, **options: Any) -> Runtime:
    return Runtime(workers=[interaction_worker(tools=tools, **options)], sandbox=ALL, threads=threads)


def _input(name: str = "plain", id: str = "1") -> ToolInput:
    return ToolInput(call=ToolCall(id=id, name=name, arguments={}))


@pytest.mark.promise("D-TOOL-13")
def test_a_plain_function_runs_in_a_daemon_thread_with_the_context_copied() -> None:
    def plain(arguments: Any, context: ToolContext) -> ToolOutcome:
        thread = threading.current_thread()
        content = f"{VARIABLE.get()} {thread.daemon} {thread is threading.main_thread()}"
        VARIABLE.set("changed")
        return ToolOutcome(content=content)

    async def scenario() -> None:
        VARIABLE.set("caller")
        async with _runtime(make_tool("plain", plain)) as runtime:
            assert (await runtime.invoke(ACT_TOOL, _input())).content == "caller True False"
            assert VARIABLE.get() == "caller"

    run(scenario())


def test_a_plain_function_that_hands_on_an_async_one_is_awaited() -> None:
    async def later() -> ToolOutcome:
        return ToolOutcome(content="later")

    async def scenario() -> None:
        runtime = _runtime(make_tool("plain", lambda arguments, context: later()))
        assert (await runtime.invoke(ACT_TOOL, _input())).content == "later"

    run(scenario())


@pytest.mark.parametrize("error", [ValueError("a"), StopIteration("a")])
def test_what_it_raises_reaches_the_caller(error: Exception) -> None:
    def plain(arguments: Any, context: ToolContext) -> ToolOutcome:
        raise error

    async def scenario() -> None:
        runtime = _runtime(make_tool("plain", plain))
        with pytest.raises((ValueError, RuntimeError)) as caught:
            await runtime.invoke(ACT_TOOL, _input())
        assert caught.value is error or caught.value.__cause__ is error

    run(scenario())


@pytest.mark.promise("D-TOOL-14")
def test_cancelling_frees_the_caller_and_the_slot_stays_taken_until_the_function_ends() -> None:
    async def scenario() -> None:
        begun, let_go = threading.Event(), threading.Event()

        def plain(arguments: Any, context: ToolContext) -> ToolOutcome:
            begun.set()
            assert let_go.wait(10)
            return ToolOutcome(content="")

        gate = Gate()
        gate.open.set()
        runtime = _runtime(make_tool("plain", plain), make_tool("gate", gate), concurrency=1)
        call = asyncio.create_task(runtime.invoke(ACT_TOOL, _input()))
        assert await in_thread(begun.wait, 10)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        after = asyncio.create_task(runtime.invoke(ACT_TOOL, _input("gate", id="2")))
        await settle()
        assert gate.entered == []
        let_go.set()
        assert (await after).content == "2"

    run(scenario())


def test_a_function_whose_caller_left_before_it_began_never_runs() -> None:
    async def scenario() -> None:
        let_go, ran = threading.Event(), []

        def block(arguments: Any, context: ToolContext) -> ToolOutcome:
            assert let_go.wait(10)
            return ToolOutcome(content="")

        def mark(arguments: Any, context: ToolContext) -> ToolOutcome:
            ran.append(context.call_id)
            return ToolOutcome(content="")

        runtime = _runtime(make_tool("block", block), make_tool("mark", mark), threads=1)
        first = asyncio.create_task(runtime.invoke(ACT_TOOL, _input("block")))
        second = asyncio.create_task(runtime.invoke(ACT_TOOL, _input("mark", id="2")))
        await settle()
        second.cancel()
        await settle()
        let_go.set()
        await first
        await runtime.invoke(ACT_TOOL, _input("mark", id="3"))
        assert ran == ["3"]

    run(scenario())


def test_no_more_threads_than_allowed() -> None:
    async def scenario() -> None:
        lock, inside, peak = threading.Lock(), 0, 0

        def plain(arguments: Any, context: ToolContext) -> ToolOutcome:
            nonlocal inside, peak
            with lock:
                inside += 1
                peak = max(peak, inside)
            threading.Event().wait(0.001)
            with lock:
                inside -= 1
            return ToolOutcome(content="")

        runtime = _runtime(make_tool("plain", plain), threads=3)
        await asyncio.gather(*[runtime.invoke(ACT_TOOL, _input(id=str(n))) for n in range(60)])
        assert 1 <= peak <= 3

    run(scenario())


@pytest.mark.parametrize("threads", [0, -1, True, 1.5, "1"])
def test_a_bad_number_of_threads_is_refused(threads: Any) -> None:
    with pytest.raises(InvalidValue, match="threads"):
        Runtime(threads=threads)


@pytest.mark.promise("D-TOOL-21")
def test_a_thread_may_wait_for_what_the_loop_has_to_do() -> None:
    def plain(arguments: Any, context: ToolContext) -> ToolOutcome:
        inner = context.wait(context.invoke(ACT_TOOL, _input("gate", id="inner")))
        return ToolOutcome(content=f"got {inner.content}")

    async def scenario() -> None:
        gate = Gate()
        gate.open.set()
        runtime = _runtime(make_tool("plain", plain), make_tool("gate", gate), concurrency=1)
        assert (await runtime.invoke(ACT_TOOL, _input())).content == "got inner"

    run(scenario())


def test_waiting_is_for_threads_only_and_leaves_no_coroutine_behind() -> None:
    async def execute(arguments: Any, context: ToolContext) -> ToolOutcome:
        with pytest.raises(InvalidInput, match="only a plain function in a thread"):
            context.wait(asyncio.sleep(0))
        return ToolOutcome(content="")

    async def scenario() -> None:
        await _runtime(make_tool("plain", execute)).invoke(ACT_TOOL, _input())

    run(scenario())


def test_when_the_call_is_cancelled_its_wait_ends_too() -> None:
    async def scenario() -> None:
        waiting, ended = threading.Event(), threading.Event()

        async def for_ever() -> None:
            waiting.set()
            await asyncio.Event().wait()

        def plain(arguments: Any, context: ToolContext) -> ToolOutcome:
            try:
                context.wait(for_ever())
            finally:
                with pytest.raises(ContextClosed):
                    context.wait(asyncio.sleep(0))
                ended.set()
            return ToolOutcome(content="")

        runtime = _runtime(make_tool("plain", plain))
        call = asyncio.create_task(runtime.invoke(ACT_TOOL, _input()))
        assert await in_thread(waiting.wait, 10)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        assert await in_thread(ended.wait, 10)

    run(scenario())


def test_closing_lets_idle_threads_end() -> None:
    async def scenario() -> None:
        seen: list[threading.Thread] = []

        def plain(arguments: Any, context: ToolContext) -> ToolOutcome:
            seen.append(threading.current_thread())
            return ToolOutcome(content="")

        async with _runtime(make_tool("plain", plain)) as runtime:
            await runtime.invoke(ACT_TOOL, _input())
        seen[0].join(10)
        assert not seen[0].is_alive()

    run(scenario())


@pytest.mark.promise("D-TOOL-14")
def test_neither_closing_nor_the_end_of_the_process_waits_for_a_stuck_function() -> None:
    program = """
import asyncio, threading
from ditto_core import *
begun = threading.Event()
def stuck(arguments, context):
    begun.set()
    threading.Event().wait()
async def main():
    tool = Tool(name="stuck", input_schema={}, validate=dict, execute=stuck)
    runtime = Runtime(workers=[interaction_worker(tools=[tool])], sandbox=Sandbox(tools=["stuck"]))
    call = asyncio.create_task(runtime.invoke(ACT_TOOL, ToolInput(call=ToolCall(id="1", name="stuck", arguments={}))))
    await in_thread(begun.wait, 10)
    await runtime.aclose(timeout=0.01, grace=0.01)
    try:
        await call
    except RuntimeClosed as error:
        print(error.started)
asyncio.run(main())
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=30, check=True)
    assert (done.stdout, done.stderr) == ("True\n", "")
