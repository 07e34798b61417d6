"""Plugins that a test offers under names, as installed distributions do."""

from __future__ import annotations

from collections.abc import Mapping

from ditto_core import OutputSink, hookimpl
from ditto_testkit.fakes import RecordingSink
from tests.plugins.testkit.packs import Pack, reading, showing


def good() -> Pack:
    return Pack(lambda: [reading(), showing()])


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
