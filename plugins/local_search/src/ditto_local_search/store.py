"""Where an index is kept: in memory, or in a file that is replaced as a whole once the index is built."""

from __future__ import annotations

import errno
import os
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from ditto_core import InvalidValue

APPLICATION_ID: Final = 0x44695373
"""Marks a file as ours: no other one is ever replaced."""
_HEADER: Final = 72
_SETTINGS: Final = f"""
PRAGMA application_id = {APPLICATION_ID};
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
"""


@contextmanager
def store(file: str | None) -> Iterator[sqlite3.Connection]:
    """Give a connection to an empty database, for the block to fill; whoever takes the connection closes it.

    A file takes the place of the one before when the block ends, and is removed when it fails. Whoever still reads the
    one before goes on reading it. Raises :class:`InvalidValue` for a file that cannot be written or is somebody
    else's, and ``sqlite3.Error``.
    """
    if file is None:
        yield _connected(":memory:")
        return
    target = Path(file)
    made = _explained(_new_file_for, target)
    try:
        yield _connected(str(made))
        _explained(made.replace, target)
    except BaseException:
        with suppress(OSError):
            made.unlink()
        raise


def _explained(function: Callable[[Path], Path], target: Path) -> Path:
    try:
        return function(target)
    except OSError as error:
        reason = errno.errorcode.get(error.errno or 0, "OSError")
    # Out here: the system's own error holds the path.
    raise InvalidValue("LocalSearch.index_file", f"cannot be written ({reason}); name one in a folder that can be")


def _new_file_for(target: Path) -> Path:
    """Make an empty file beside the target, which is what will take its place."""
    _check_ours(target)
    descriptor, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    os.close(descriptor)
    return Path(name)


def _connected(name: str) -> sqlite3.Connection:
    # One thread after the other uses it; the lock of the index sees to that.
    connection = sqlite3.connect(name, check_same_thread=False, isolation_level=None)
    try:
        connection.executescript(_SETTINGS)
    except BaseException:
        connection.close()
        raise
    return connection


def _check_ours(file: Path) -> None:
    if not file.exists():
        return
    header = b"no regular file"
    if file.is_file():
        with file.open("rb") as existing:
            header = existing.read(_HEADER)
    if header and header[68:72] != APPLICATION_ID.to_bytes(4, "big"):
        raise InvalidValue("LocalSearch.index_file", "is a file of something else; name one that may be replaced")
