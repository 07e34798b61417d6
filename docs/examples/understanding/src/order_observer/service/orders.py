"""The service's own database: the order, what has happened to it, and every request that was taken."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

import attrs

BUSY_TIMEOUT: Final = 5.0
"""How many seconds a lock of the database is waited for."""


@attrs.frozen(kw_only=True)
class Order:
    """The order as it stands. ``retries`` counts the second attempts that had an effect, which is one at the most."""

    quantity: int
    unit_cents: int
    status: str
    retries: int
    fault_used: bool


@attrs.frozen
class Orders:
    """The database in the file ``path``; each use opens it and closes it, so threads and processes may share it."""

    path: Path

    def create(self, id: str, tenant: str, *, quantity: int, unit_cents: int, completed: bool) -> None:
        """Make the tables with the one order, unless they are there."""
        with self._opened() as db:
            db.execute("PRAGMA journal_mode=WAL")
            db.execute(
                "CREATE TABLE IF NOT EXISTS jobs(id TEXT PRIMARY KEY, tenant TEXT, quantity INTEGER, "
                "unit_cents INTEGER, status TEXT, retries INTEGER, fault_used INTEGER)"
            )
            db.execute("CREATE TABLE IF NOT EXISTS requests(method TEXT, path TEXT)")
            status = "completed" if completed else "pending"
            row = (id, tenant, quantity, unit_cents, status)
            db.execute("INSERT OR IGNORE INTO jobs VALUES (?, ?, ?, ?, ?, 0, 0)", row)

    def order(self) -> Order:
        """Return the order as it stands."""
        with self._opened() as db:
            row = db.execute("SELECT quantity, unit_cents, status, retries, fault_used FROM jobs").fetchone()
        quantity, unit_cents, status, retries, fault_used = row
        return Order(
            quantity=quantity, unit_cents=unit_cents, status=status, retries=retries, fault_used=bool(fault_used)
        )

    def requests(self) -> list[str]:
        """Return the requests that were taken, such as ``"GET /result"``, in their order."""
        with self._opened() as db:
            return [f"{method} {path}" for method, path in db.execute("SELECT method, path FROM requests")]

    def log(self, method: str, path: str) -> None:
        """Take note of a request."""
        with self._opened() as db:
            db.execute("INSERT INTO requests VALUES (?, ?)", (method, path))

    def retry(self) -> None:
        """Do what a second attempt does, once: repeated, it changes nothing."""
        with self._opened() as db:
            db.execute("UPDATE jobs SET retries = 1, status = 'completed' WHERE retries = 0")

    def complete_unseen(self) -> None:
        """Complete the order with an answer that will not arrive, as happens once."""
        with self._opened() as db:
            db.execute("UPDATE jobs SET status = 'completed', fault_used = 1")

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        with closing(sqlite3.connect(self.path, timeout=BUSY_TIMEOUT, isolation_level=None)) as db:
            yield db
