"""The task's own database: its state and version, one event for each committed round, and what was attempted."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

import attrs

from ditto_core import JsonValue, quote

from ..errors import ConflictingCommit, NotAdmitted, StaleTask, TaskStoreUnavailable
from ..json_text import canonical, fingerprint
from ..states import TaskState, admitted_tool, round_of

BUSY_TIMEOUT: Final = 5.0
"""How many seconds a lock of the database is waited for, unless the store is told otherwise."""


@attrs.frozen(kw_only=True)
class Task:
    """A task as it stands; the version is how many rounds are committed."""

    state: str
    version: int


@attrs.frozen(kw_only=True)
class Event:
    """A committed round: the fingerprint of its decision and result, and the state that it led to."""

    round: int
    fingerprint: str
    state: str


@attrs.frozen
class TaskStore:
    """The database in the file ``path`` for the task ``id``; each use opens the file and closes it.

    Raises :class:`TaskStoreUnavailable` when the database is gone, locked for too long, or not what it should be.
    """

    path: Path
    id: str
    busy_timeout: float = BUSY_TIMEOUT

    def prepare(self) -> None:
        """Make the tables, and the task in its first state, unless they are there."""
        with self._opened() as db:
            db.execute("PRAGMA journal_mode=WAL")
            db.execute("CREATE TABLE IF NOT EXISTS task(id TEXT PRIMARY KEY, state TEXT, version INTEGER)")
            db.execute(
                "CREATE TABLE IF NOT EXISTS events(round INTEGER PRIMARY KEY, fingerprint TEXT, decision TEXT, "
                "state TEXT)"
            )
            db.execute("CREATE TABLE IF NOT EXISTS attempts(call_id TEXT)")
            db.execute("INSERT OR IGNORE INTO task VALUES (?, 'pending', 0)", (self.id,))

    def task(self) -> Task:
        """Return the task as it stands."""
        with self._opened() as db:
            return self._task(db)

    def events(self) -> list[Event]:
        """Return the committed rounds in their order."""
        with self._opened() as db:
            rows = db.execute("SELECT round, fingerprint, state FROM events ORDER BY round").fetchall()
        return [Event(round=round, fingerprint=print_, state=state) for round, print_, state in rows]

    def attempts(self) -> list[str]:
        """Return the ids of the follow-ups that were about to be sent, once for each time."""
        with self._opened() as db:
            return [call_id for (call_id,) in db.execute("SELECT call_id FROM attempts")]

    def admit(self, tool: str, call_id: str) -> None:
        """Take note that a tool is about to act; raises :class:`NotAdmitted` when it is not this one's turn.

        The note is on disk before anything is sent: after a crash, a call without a result was perhaps sent.
        """
        with self._opened() as db:
            db.execute("BEGIN IMMEDIATE")
            state = self._task(db).state
            if admitted_tool(state) != tool:
                raise NotAdmitted(f"{tool} is not admitted: the task is {state}. Nothing was sent.")
            db.execute("INSERT INTO attempts VALUES (?)", (call_id,))
            db.execute("COMMIT")

    def commit(self, round: int, *, tool: str, evidence: JsonValue, decision: JsonValue, state: TaskState) -> None:
        """Take a task to its next state, once: the same again changes nothing.

        `tool` is the one that gave the result. Raises :class:`ConflictingCommit` when the round is committed with
        something else, and :class:`StaleTask` when it is not this round's or this tool's turn.
        """
        print_ = fingerprint(evidence)
        with self._opened() as db:
            db.execute("BEGIN IMMEDIATE")
            there = db.execute("SELECT fingerprint FROM events WHERE round = ?", (round,)).fetchone()
            if there is not None:
                if there[0] != print_:
                    raise ConflictingCommit(f"Round {round} is committed already, with something else.")
                return
            task = self._task(db)
            if task.version != round or admitted_tool(task.state) != tool or round_of(tool) != round:
                raise StaleTask(
                    f"Round {round} of {tool} cannot be committed: the task is {task.state}, version {task.version}."
                )
            db.execute("INSERT INTO events VALUES (?, ?, ?, ?)", (round, print_, canonical(decision), state))
            db.execute("UPDATE task SET state = ?, version = version + 1 WHERE id = ?", (state, self.id))
            db.execute("COMMIT")

    def _task(self, db: sqlite3.Connection) -> Task:
        row = db.execute("SELECT state, version FROM task WHERE id = ?", (self.id,)).fetchone()
        if row is None:
            raise TaskStoreUnavailable(f"The database of tasks has no task {quote(self.id)}.")
        return Task(state=row[0], version=row[1])

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        """Open the database; what is not committed when it closes has not happened."""
        try:
            with closing(sqlite3.connect(self.path, timeout=self.busy_timeout, isolation_level=None)) as db:
                yield db
        except sqlite3.Error as error:
            raise TaskStoreUnavailable(f"The database of tasks failed: {error}. Nothing was committed.") from error
