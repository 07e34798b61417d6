"""The pack keeps the contract of a tool pack."""

from __future__ import annotations

from notes_pack import NotesPack

from ditto_testkit import Capabilities, ToolPackContract


class TestNotesPack(ToolPackContract):
    """Every check of the kit, on the pack as an application would make it."""

    contract = 1
    capabilities = Capabilities(max_result_bytes=100_000)
    files = {"shopping.md": "milk\nbread\n"}  # noqa: RUF012 - declared once, changed by nobody

    def pack(self) -> NotesPack:
        """Return a new pack, with everything outside of it replaced by fakes."""
        return NotesPack()
