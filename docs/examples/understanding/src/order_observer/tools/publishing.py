"""A file that is written once: whole or not at all, and never over another."""

from __future__ import annotations

import os
import secrets
import stat
from pathlib import Path

from ..errors import PublicationFailed


def publish(path: Path, text: str) -> None:
    """Put a text under a name that nothing had, or find just this text there.

    The text is written under a name of its own and on disk before it is linked, so a crash leaves no half of it.
    Raises :class:`PublicationFailed` for anything else that stands there, a link to the same text too.
    """
    data = text.encode()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if not _linked(path, data) and _held(path) != data:
            raise PublicationFailed(f"{path.name} is there already, and is not this report. It was left as it is.")
        _settle(path.parent)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise PublicationFailed(f"{path.name} could not be written: {reason}. The report is kept.") from error


def _linked(path: Path, data: bytes) -> bool:
    """Write the file; False if the name was taken."""
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    try:
        with draft.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.link(draft, path)
    except FileExistsError:
        return False
    finally:
        draft.unlink(missing_ok=True)
    return True


def _held(path: Path) -> bytes | None:
    """Return what a regular file holds; None for a link and all else."""
    if not stat.S_ISREG(path.lstat().st_mode):
        return None
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)  # a link put there meanwhile is not followed
    with os.fdopen(descriptor, "rb") as file:
        return file.read()


def _settle(folder: Path) -> None:
    """See that the folder's list of names is on disk too."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
