"""The pack keeps the contract of a tool pack; no command is run, the kit plays the executor."""

from __future__ import annotations

from history_pack import HistoryPack

from ditto_testkit import ToolPackContract


class TestHistoryPack(ToolPackContract):
    """Every check of the kit."""

    contract = 1

    def pack(self) -> HistoryPack:
        """Return a new pack."""
        return HistoryPack()
