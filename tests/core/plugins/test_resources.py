"""Plugins that hold resources."""

from __future__ import annotations

import asyncio
from types import TracebackType
from typing import Any, Self

import pytest

from ditto_core import InvalidPlugin, PluginHost, PluginLoadFailed
from tests.support import run
from tests.support.plugins import SECRET, Pack
from tests.support.tools import make_tool


class Resource(Pack):
    """Writes down when it is entered and left, and fails where it is told to."""

    def __init__(self, name: str, log: list[str], **failures: BaseException) -> None:
        super().__init__(name=name)
        self.log = log
        self.failures = failures

    async def __aenter__(self) -> Self:
        await asyncio.sleep(0)
        if "enter" in self.failures:
            raise self.failures["enter"]
        self.log.append(f"enter {self.name}")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        self.log.append(f"leave {self.name}" + (f" after {kind.__name__}" if kind else ""))
        if "leave" in self.failures:
            raise self.failures["leave"]
        return True


def host_of(*plugins: Any) -> PluginHost:
    host = PluginHost()
    for plugin in plugins:
        host.register(plugin)
    return host


@pytest.mark.promise("D-PLUG-16")
def test_plugins_are_entered_in_order_and_left_in_reverse_each_time() -> None:
    log: list[str] = []

    async def scenario() -> None:
        host = host_of(Resource("a", log), Pack(name="plain"), Resource("b", log))
        for _ in range(2):
            async with host as entered:
                assert entered is host
                log.append("body")
        assert log == ["enter a", "enter b", "body", "leave b", "leave a"] * 2

    run(scenario())


@pytest.mark.promise("D-PLUG-16")
def test_a_plugin_that_cannot_be_entered_is_named_and_the_others_are_left() -> None:
    log: list[str] = []
    cause = OSError("disk-full")

    async def scenario() -> None:
        host = host_of(Resource("a", log), Resource("b", log), Resource("bad", log, enter=cause), Resource("c", log))
        message = "Plugin 'bad'.*: its resources could not be opened: OSError: disk-full. .* have been left"
        with pytest.raises(PluginLoadFailed, match=message) as failure:
            await host.__aenter__()
        assert failure.value.__cause__ is cause
        assert log == ["enter a", "enter b", "leave b after PluginLoadFailed", "leave a after PluginLoadFailed"]

    run(scenario())


def test_the_message_of_a_failed_entry_shows_no_secret() -> None:
    async def scenario() -> None:
        host = host_of(Resource("bad", [], enter=OSError(f"password={SECRET}")))
        with pytest.raises(PluginLoadFailed, match="could not be opened: OSError") as failure:
            await host.__aenter__()
        assert SECRET not in str(failure.value)

    run(scenario())


def test_leaving_after_a_failed_entry_may_fail_too() -> None:
    async def scenario() -> None:
        bad = Resource("bad", [], enter=OSError("disk-full"))
        host = host_of(Resource("a", [], leave=RuntimeError("stuck")), bad)
        with pytest.raises(PluginLoadFailed, match="Plugin 'bad'") as failure:
            await host.__aenter__()
        assert "Leaving the plugins that had been entered failed too: ExceptionGroup" in failure.value.__notes__[0]

    run(scenario())


def test_all_plugins_are_left_and_what_they_raise_comes_out_together_with_their_names() -> None:
    log: list[str] = []

    async def scenario() -> None:
        first, second = RuntimeError("first"), RuntimeError("second")
        host = host_of(Resource("a", log, leave=first), Resource("b", log), Resource("c", log, leave=second))
        with pytest.raises(ExceptionGroup, match="PluginHost: plugins could not be left") as failure:
            async with host:
                log.clear()
        assert failure.value.exceptions == (second, first)
        assert [error.__notes__[0].split(" (")[0] for error in failure.value.exceptions] == [
            "while leaving plugin 'c'",
            "while leaving plugin 'a'",
        ]
        assert log == ["leave c", "leave b", "leave a"]

    run(scenario())


def test_a_plugin_hears_of_the_exception_that_ends_the_block_and_cannot_swallow_it() -> None:
    log: list[str] = []

    async def scenario() -> None:
        with pytest.raises(KeyError):
            async with host_of(Resource("a", log)):
                raise KeyError
        assert log[-1] == "leave a after KeyError"

    run(scenario())


def test_a_cancellation_while_leaving_comes_out_when_all_are_left() -> None:
    log: list[str] = []

    async def scenario() -> None:
        stuck = RuntimeError("stuck")
        host = host_of(Resource("a", log, leave=stuck), Resource("b", log, leave=asyncio.CancelledError()))
        with pytest.raises(asyncio.CancelledError) as failure:
            async with host:
                log.clear()
        assert log == ["leave b", "leave a"]
        assert isinstance(failure.value.__cause__, ExceptionGroup)
        assert failure.value.__cause__.exceptions == (stuck,)

    run(scenario())


def test_a_cancellation_while_entering_leaves_the_entered_ones() -> None:
    log: list[str] = []

    async def scenario() -> None:
        host = host_of(Resource("a", log), Resource("b", log, enter=asyncio.CancelledError()))
        with pytest.raises(asyncio.CancelledError):
            await host.__aenter__()
        assert log == ["enter a", "leave a after CancelledError"]

    run(scenario())


def test_a_host_is_entered_once_at_a_time() -> None:
    log: list[str] = []

    async def scenario() -> None:
        host = host_of(Resource("a", log))
        async with host:
            with pytest.raises(PluginLoadFailed, match=r"PluginHost: it is entered already. Leave it before"):
                await host.__aenter__()
        assert log == ["enter a", "leave a"]

    run(scenario())


def test_a_plugin_with_resources_comes_before_the_host_is_entered() -> None:
    async def scenario() -> None:
        host = PluginHost()
        late = Resource("late", [])
        async with host:
            with pytest.raises(InvalidPlugin, match=r"Plugin 'late'.* Register it before 'async with host'"):
                host.register(late)
            host.register(Pack(make_tool("grep")))
        host.register(late)
        assert [origin.plugin for origin in host.plugins] == ["pack", "late"]

    run(scenario())


def test_a_plugin_that_was_entered_and_removed_is_left_with_the_host() -> None:
    log: list[str] = []

    async def scenario() -> None:
        host = PluginHost()
        undo = host.register(Resource("a", log))
        async with host:
            assert undo() is True
            assert log == ["enter a"]
        assert log == ["enter a", "leave a"]

    run(scenario())
