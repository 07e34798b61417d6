"""The application's own rules, with fakes in the place of everything outside of it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import attrs
import pytest
from application import FILE, Question, answer, composed, runtime_of

from ditto_core import PermissionDenied, load_config
from ditto_testkit.fakes import RecordingSink


@attrs.define(eq=False)
class FakeTracker:
    """Remembers what was asked of it."""

    log: list[str] = attrs.field(factory=list)

    async def connect(self) -> None:
        """Remember it."""
        self.log.append("connect")

    async def create(self, title: str) -> int:
        """Remember the title."""
        self.log.append(title)
        return 7

    async def close(self) -> None:
        """Remember it."""
        self.log.append("close")


def asked(
    folder: Path,
    words: str,
    tracker: FakeTracker,
    sink: RecordingSink,
    *,
    note: bytes = b"Tea is at four.\n",
    approved: bool = True,
) -> str:
    """Ask the application one question about a folder with one note."""
    (folder / "note.txt").write_bytes(note)
    allowed = {"ALLOW_TOOLS": "files_search_text,open_ticket", "ALLOW_READ": "true"}
    environment = {f"DITTO_SHARED_SANDBOX_{name}": value for name, value in allowed.items()}
    config = load_config(FILE, {**environment, "DITTO_RUNTIME_WORKSPACE": str(folder)})

    async def main() -> str:
        host = composed(config, tracker, lambda definition, arguments: approved)
        async with host, runtime_of(config, host, sink) as runtime:
            return await answer(runtime, Question(id="q", words=words))

    return asyncio.run(main())


def test_what_is_found_is_delivered_and_no_ticket_is_opened(tmp_path: Path) -> None:
    """The sink records what it was given."""
    tracker, sink = FakeTracker(), RecordingSink()
    assert asked(tmp_path, "tea", tracker, sink) == "answered"
    assert [request.message.content for request in sink.requests] == ["note.txt:1: Tea is at four."]
    assert tracker.log == ["connect", "close"]


def test_what_is_not_found_becomes_a_ticket(tmp_path: Path) -> None:
    """The fake has given the number."""
    tracker = FakeTracker()
    assert asked(tmp_path, "coffee", tracker, RecordingSink()) == "ticket 7"
    assert tracker.log == ["connect", "coffee", "close"]


def test_a_failure_is_told_and_opens_no_ticket(tmp_path: Path) -> None:
    """A search that failed is no search that found nothing."""
    tracker = FakeTracker()
    assert asked(tmp_path, "tea", tracker, RecordingSink(), note=b"\xff") == "failed: FILE_NOT_TEXT"
    assert tracker.log == ["connect", "close"]


def test_without_approval_no_ticket_is_opened(tmp_path: Path) -> None:
    """The refusal reaches the program, and the connection is closed all the same."""
    tracker = FakeTracker()
    with pytest.raises(PermissionDenied, match="not approved"):
        asked(tmp_path, "coffee", tracker, RecordingSink(), approved=False)
    assert tracker.log == ["connect", "close"]
