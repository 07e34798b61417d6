"""Packs that break one rule each: TP-040 to TP-043."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from ditto_core import JsonObject, ToolContext, ToolOutcome
from ditto_testkit import ToolPack
from tests.plugins.testkit import left_behind
from tests.plugins.testkit.breaking import breaks
from tests.plugins.testkit.packs import pack, show, showing


@breaks("TP-040")
def swallows_the_cancellation() -> ToolPack:
    async def swallow(arguments: JsonObject, context: ToolContext) -> ToolOutcome:
        try:
            return await show(arguments, context)
        except asyncio.CancelledError:
            return ToolOutcome(content="never mind")

    return pack(lambda: [showing(execute=swallow)])


@breaks("TP-041")
def leaves_a_task() -> ToolPack:
    tasks = set()

    async def start(arguments: JsonObject, context: ToolContext) -> ToolOutcome:
        tasks.add(asyncio.ensure_future(asyncio.Event().wait()))
        return await show(arguments, context)

    return pack(lambda: [showing(execute=start)])


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
def leaves_a_descriptor_after_a_timeout() -> ToolPack:
    return _leaving(left_behind.an_open_pipe, when="failed")
