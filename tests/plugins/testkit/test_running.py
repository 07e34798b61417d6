"""What a run of checks tells of plugins that end it, hang in it or cannot be opened."""

from __future__ import annotations

import asyncio
import socket
from typing import Any

import pytest

from ditto_core import Command, JsonObject, Tool, ToolContext, ToolOutcome, hookimpl, tool
from ditto_testkit import Capabilities, Plan, ToolPack, run_checks
from ditto_testkit.labs import alarm
from tests.plugins.testkit.broken_effects import does_not_declare_that_it_reads
from tests.plugins.testkit.broken_ends import leaves_a_child_once
from tests.plugins.testkit.broken_packs import returns_a_dict
from tests.plugins.testkit.broken_services import (
    Ask,
    Client,
    ask_well,
    asks_the_network_for_want_of_a_fake,
    served,
)
from tests.plugins.testkit.broken_words import a_variable_that_is_run
from tests.plugins.testkit.packs import Pack, pack, reading, showing


class Opening(Pack):
    """A plugin whose opening or closing goes wrong."""

    def __init__(self, entering: BaseException | None, leaving: BaseException | None) -> None:
        super().__init__(lambda: [reading()])
        self._entering, self._leaving = entering, leaving

    async def __aenter__(self) -> None:
        if self._entering:
            raise self._entering

    async def __aexit__(self, *_: object) -> None:
        if self._leaving:
            raise self._leaving


@pytest.mark.parametrize("errors", [(ConnectionError("refused"), None), (None, ConnectionError("refused"))])
def test_a_plugin_that_cannot_be_opened_and_closed_is_none(errors: tuple[Any, Any]) -> None:
    found = run_checks(ToolPack(make=lambda: Opening(*errors)), only=["TP-001"])
    assert [one.status for one in found] == ["failed"]
    assert "ConnectionError: refused" in found[0].text


class Leaving(Pack):
    @hookimpl
    def ditto_tools(self) -> list[Tool[Any]]:
        raise SystemExit(0)


@pytest.mark.promise("D-KIT-09")
def test_what_would_end_the_program_is_an_outcome() -> None:
    found = run_checks(ToolPack(make=lambda: Leaving(list)))
    assert {one.status for one in found} == {"failed", "blocked"}
    assert "SystemExit" in found[0].text


def test_a_hang_is_told_and_not_made_smaller() -> None:
    calls: list[str] = []

    @tool()
    async def waits(name: str) -> str:
        """Wait for ever."""
        calls.append(name)
        await asyncio.Event().wait()
        return name

    pack = ToolPack(make=lambda: Pack(lambda: [waits]), capabilities=Capabilities(call_timeout=0.1))
    found = run_checks(pack, only=["TP-020"], plan=Plan(examples=5, derandomize=True))
    assert found[0].status == "failed"
    assert "It did not end within 0.1 s" in found[0].text
    assert len(calls) <= 3


@pytest.mark.parametrize(
    ("broken", "owner"), [(returns_a_dict, "TP-020"), (does_not_declare_that_it_reads, "TP-034")], ids=["20", "34"]
)
def test_a_pack_of_which_no_call_succeeds_waits_for_the_check_that_tells_why(broken: Any, owner: str) -> None:
    [found] = run_checks(broken(), only=["TP-027"])
    assert found.status == "blocked"
    assert found.text.startswith(f"[TP-027] It waits for {owner}: no call of 'peek' succeeds; peek(")
    [cause] = run_checks(broken(), only=[owner])
    assert cause.status == "failed"


def test_a_pack_without_a_fake_is_told_what_belongs_there() -> None:
    [found] = run_checks(asks_the_network_for_want_of_a_fake(), only=["TP-027"])
    assert "asks   : the plugin of pack() opens connections to the network" in found.text
    assert "remedy : give it a fake transport or service in pack()" in found.text
    [other] = run_checks(served(ask_well, reply=lambda _: b"[]"), only=["TP-027"])
    assert other.status == "passed"


def test_a_variable_that_is_run_is_called_one() -> None:
    [found] = run_checks(a_variable_that_is_run(), only=["TP-024"])
    assert "'show' lets a caller set PAGER, which is run or says what is, of 'env'" in found.text


def _blocking(url: str, timeout: float) -> Client:
    async def asking(ask: Ask) -> ToolOutcome:
        with socket.create_connection(("127.0.0.1", int(ask.url.rpartition(":")[2]))) as made:
            made.sendall(b"GET / HTTP/1.1\r\n\r\n")
            return ToolOutcome(content=made.recv(100).decode())

    return Client(asking, url, timeout, None)


def test_a_tool_that_holds_up_the_event_loop_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alarm, "GRACE", 0.05)
    subject = served(ask_well, make_at=_blocking, capabilities=Capabilities(call_timeout=0.3))
    found = {one.check.id: one for one in run_checks(subject, only=["TP-036", "TP-037", "TP-038"])}
    assert "'ask' waits for its service in a way that holds up the event loop" in found["TP-037"].text
    assert [(one.status, "It waits for TP-037" in one.text) for id, one in found.items() if id != "TP-037"] == [
        ("blocked", True),
        ("blocked", True),
    ]


def test_a_child_is_told_of_the_tool_that_started_it() -> None:
    guilty = leaves_a_child_once().tools()["show"]
    subject = pack(lambda: [reading(), guilty, showing(name="late")])
    found = run_checks(subject, only=["TP-040", "TP-043"])
    assert [(one.tool, one.status) for one in found if one.check.id == "TP-043"] == [
        ("peek", "passed"),
        ("show", "failed"),
        ("late", "passed"),
    ]


def test_who_has_asked_a_command_for_little_is_told_that_executors_may_give_more() -> None:
    async def trust(arguments: JsonObject, context: ToolContext) -> ToolOutcome:
        result = await context.sandbox.run(Command("cat", ("--", str(arguments["path"])), max_stdout=1_000))
        return ToolOutcome(content=result.stdout)

    [found] = run_checks(pack(lambda: [showing(execute=trust)]), only=["TP-022"])
    assert "asked    : max_stdout=1000 of 'cat', which this executor does not keep" in found.text
