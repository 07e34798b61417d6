"""The read-only commands keep the contract of a tool pack."""

from __future__ import annotations

from ditto_commands import CommandTools
from ditto_testkit import ToolPackContract


class TestCommands(ToolPackContract):
    contract = 1

    def pack(self) -> CommandTools:
        return CommandTools()
