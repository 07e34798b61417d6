"""What a run of checks tells of plugins that end it, hang in it or cannot be opened."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from ditto_core import Tool, hookimpl, tool
from ditto_testkit import Capabilities, Plan, ToolPack, run_checks
from tests.plugins.testkit.broken_effects import does_not_declare_that_it_reads
from tests.plugins.testkit.broken_packs import returns_a_dict
from tests.plugins.testkit.packs import Pack, reading


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
