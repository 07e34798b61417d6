"""Plugins that a test offers under names, as installed distributions do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ditto_core import OutputReceipt, OutputRequest, OutputSink, Tool, ToolContext, hookimpl, tool
from ditto_testkit.fakes import RecordingSink
from tests.plugins.testkit.packs import Pack, reading, showing


def good() -> Pack:
    return Pack(lambda: [reading(), showing()])


ASKED: list[str] = []
"""What has been asked of the service of `asking`."""


def asking() -> Pack:
    @tool(effects={"network"})
    async def look(name: str, *, context: ToolContext) -> str:
        """Ask a service that costs money."""
        ASKED.append(name)
        context.sandbox.require("network", "https://api.example.com")
        return name

    return Pack(lambda: [look, reading()])


def bad() -> Pack:
    return Pack(lambda: [reading(description=" ")])


class Sinks:
    api_version = 1

    @hookimpl
    def ditto_output_sinks(self) -> Mapping[str, OutputSink]:
        return {"memory": RecordingSink()}


def sink() -> Sinks:
    return Sinks()


class Idle:
    api_version = 1

    @hookimpl
    def ditto_call_started(self) -> None:
        """Watch."""


def idle() -> Idle:
    return Idle()


class Leaving:
    """A plugin that ends the program instead of saying what it offers."""

    api_version = 1

    def __init__(self, hook: str, error: type[BaseException]) -> None:
        self._hook, self._error = hook, error

    @hookimpl
    def ditto_tools(self) -> list[Tool[Any]]:
        if self._hook == "tools":
            raise self._error(0)
        return [reading()]

    @hookimpl
    def ditto_output_sinks(self) -> Mapping[str, OutputSink]:
        if self._hook == "sinks":
            raise self._error(0)
        return {"leaving": LeavingSink(self._error)} if self._hook == "delivery" else {}


class LeavingSink:
    def __init__(self, error: type[BaseException]) -> None:
        self._error = error

    async def deliver(self, request: OutputRequest) -> OutputReceipt:
        raise self._error(0)


def leaves_in_tools() -> Leaving:
    return Leaving("tools", SystemExit)


def leaves_in_sinks() -> Leaving:
    return Leaving("sinks", SystemExit)


def leaves_in_delivery() -> Leaving:
    return Leaving("delivery", SystemExit)


def leaves_in_constructor() -> Leaving:
    raise SystemExit(0)


def interrupts_in_tools() -> Leaving:
    return Leaving("tools", KeyboardInterrupt)


def interrupts_in_delivery() -> Leaving:
    return Leaving("delivery", KeyboardInterrupt)


def interrupts_in_constructor() -> Leaving:
    raise KeyboardInterrupt


def generator_ends_in_sinks() -> Leaving:
    return Leaving("sinks", GeneratorExit)
