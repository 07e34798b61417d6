"""Packs that break one rule each: TP-040 to TP-044, and one that keeps what it found."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from ditto_core import JsonObject, Tool, ToolContext, ToolOutcome
from ditto_testkit import ToolPack
from tests.plugins.testkit import left_behind
from tests.plugins.testkit.breaking import breaks
from tests.plugins.testkit.packs import pack, read, reading, show, showing


async def _go_on() -> None:
    """Work for some turns of the event loop."""
    for _ in range(10):
        await asyncio.sleep(0)


@breaks("TP-040")
def swallows_the_cancellation() -> ToolPack:
    async def swallow(arguments: JsonObject, context: ToolContext) -> ToolOutcome:
        try:
            return await show(arguments, context)
        except asyncio.CancelledError:
            return ToolOutcome(content="never mind")

    return pack(lambda: [showing(execute=swallow)])


@breaks("TP-040")
def swallows_the_cancellation_once_it_has_read() -> ToolPack:
    async def swallow(arguments: JsonObject, context: ToolContext) -> ToolOutcome:
        outcome = await read(arguments, context)
        with suppress(asyncio.CancelledError):
            await _go_on()
        return outcome

    return pack(lambda: [reading(execute=swallow)])


@breaks("TP-041")
def leaves_a_task() -> ToolPack:
    tasks = set()

    async def start(arguments: JsonObject, context: ToolContext) -> ToolOutcome:
        tasks.add(asyncio.ensure_future(asyncio.Event().wait()))
        return await show(arguments, context)

    return pack(lambda: [showing(execute=start)])


@breaks("TP-041")
def leaves_a_task_once_it_has_read() -> ToolPack:
    tasks = set()

    async def start(arguments: JsonObject, context: ToolContext) -> ToolOutcome:
        outcome = await read(arguments, context)
        tasks.add(asyncio.ensure_future(asyncio.Event().wait()))
        return outcome

    return pack(lambda: [reading(execute=start)])


@breaks("TP-042")
def keeps_the_arguments_for_all_calls() -> ToolPack:
    current: JsonObject = {}

    async def share(arguments: JsonObject, context: ToolContext) -> ToolOutcome:
        current.update(arguments)
        outcome = await show(arguments, context)
        return ToolOutcome(
            content=outcome.content, structured_content={"path": current["path"], "truncated": _cut(outcome)}
        )

    return pack(lambda: [showing(execute=share)])


@breaks("TP-042")
def keeps_what_it_found_for_all_calls() -> ToolPack:
    """Only calls that find something show it, and only while another is on its way."""
    found: list[str] = []

    async def seek(arguments: JsonObject, context: ToolContext) -> ToolOutcome:
        found.clear()
        for name in await context.sandbox.list_files():
            if str(arguments["path"]) in name:
                await asyncio.sleep(0)
                found.append(name)
        return ToolOutcome(structured_content={"found": [*found[:50]]})

    return pack(lambda: [reading(execute=seek)])


@breaks("TP-035")
def never_forgets_what_it_found() -> ToolPack:
    found: list[str] = []

    async def seek(arguments: JsonObject, context: ToolContext) -> ToolOutcome:
        found.extend(name for name in await context.sandbox.list_files() if str(arguments["path"]) in name)
        return ToolOutcome(structured_content={"found": [*found[-50:]]})

    return pack(lambda: [reading(execute=seek)])


@breaks("TP-035")
def answers_all_calls_with_its_first_result() -> ToolPack:
    def keeping() -> Tool[Any]:
        kept: list[ToolOutcome] = []

        async def keep(arguments: JsonObject, context: ToolContext) -> ToolOutcome:
            if not kept:
                kept.append(await read(arguments, context))
            return kept[0]

        return reading(execute=keep)

    return pack(lambda: [keeping()])


def _cut(outcome: ToolOutcome) -> bool:
    content: Any = outcome.structured_content
    return bool(content["truncated"])


def _leaving(leave: Callable[[], None], *, when: str = "always") -> ToolPack:
    """Return a pack of which each call leaves something, or those that are cancelled or fail."""

    async def work(arguments: JsonObject, context: ToolContext) -> ToolOutcome:
        if when == "always":
            leave()
        try:
            return await show(arguments, context)
        except asyncio.CancelledError:
            if when == "cancelled":
                leave()
            raise
        except TimeoutError:
            if when == "failed":
                leave()
            raise

    return pack(lambda: [showing(execute=work)])


@breaks("TP-043")
def leaves_a_zombie() -> ToolPack:
    return _leaving(lambda: left_behind.a_process("/bin/true"))


@breaks("TP-043")
def leaves_a_child_once() -> ToolPack:
    started = False

    def once() -> None:
        nonlocal started
        if not started:
            started = True
            left_behind.a_process("/bin/true")

    return _leaving(once)


@breaks("TP-043")
def leaves_a_child_of_a_cancelled_call() -> ToolPack:
    return _leaving(lambda: left_behind.a_process("/bin/sleep", "2"), when="cancelled")


@breaks("TP-043")
def leaves_a_thread() -> ToolPack:
    return _leaving(left_behind.a_thread)


@breaks("TP-043")
def leaves_a_descriptor() -> ToolPack:
    return _leaving(left_behind.an_open_pipe)


@breaks("TP-043")
def leaves_a_descriptor_of_a_cancelled_call() -> ToolPack:
    return _leaving(left_behind.an_open_pipe, when="cancelled")


@breaks("TP-043")
def leaves_a_descriptor_if_cancelled_once_it_has_read() -> ToolPack:
    async def leave(arguments: JsonObject, context: ToolContext) -> ToolOutcome:
        outcome = await read(arguments, context)
        try:
            await _go_on()
        except asyncio.CancelledError:
            left_behind.an_open_pipe()
            raise
        return outcome

    return pack(lambda: [reading(execute=leave)])


@breaks("TP-043")
def leaves_a_descriptor_after_a_timeout() -> ToolPack:
    return _leaving(left_behind.an_open_pipe, when="failed")


def _reading_and(act: Callable[[], object], *, back: Callable[[], object] | None = None) -> ToolPack:
    async def also(arguments: JsonObject, context: ToolContext) -> ToolOutcome:
        act()
        try:
            return await read(arguments, context)
        finally:
            if back is not None:
                back()

    return pack(lambda: [reading(execute=also)])


@breaks("TP-044")
def goes_to_another_directory_and_comes_back() -> ToolPack:
    here = Path.cwd()
    return _reading_and(lambda: os.chdir("/"), back=lambda: os.chdir(here))


@breaks("TP-044")
def goes_to_another_directory() -> ToolPack:
    return _reading_and(lambda: os.chdir("/"))


@breaks("TP-044")
def sets_a_variable() -> ToolPack:
    return _reading_and(lambda: os.environ.update(KIT_BROKEN="1"))


@breaks("TP-044")
def sets_the_umask() -> ToolPack:
    return _reading_and(lambda: os.umask(0o077))


@breaks("TP-044")
def handles_a_signal_once() -> ToolPack:
    handled: list[object] = []

    def once() -> None:
        if not handled:
            handled.append(signal.signal(signal.SIGUSR2, signal.SIG_IGN))

    return _reading_and(once)


@breaks("TP-044")
def configures_logging() -> ToolPack:
    return _reading_and(lambda: logging.getLogger().addHandler(logging.NullHandler()))
