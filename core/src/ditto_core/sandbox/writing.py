"""Writing so that a reader sees the old text or the new one, never a part; plain functions that block."""

from __future__ import annotations

import os
import stat
import threading
from collections.abc import Callable
from contextlib import suppress

from .opening import check_regular, explained, folder
from .paths import GivenPath, locate_file


class Commit:
    """The one step of a write that others can see. Once :meth:`revoke` has returned it is done or never will be.

    A cancelled caller is freed at once while the thread runs on; without this, its text could still replace what
    somebody wrote after the cancellation.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._revoked = False

    def perform(self, step: Callable[[], None]) -> bool:
        """Take the step and return True, or return False because it has been revoked."""
        with self._lock:
            if not self._revoked:
                step()
            return not self._revoked

    def revoke(self) -> None:
        """See to it that the step is not taken any more; waits for one that is being taken, a single rename."""
        with self._lock:
            self._revoked = True


@explained
def write_text(root: str, path: GivenPath, text: str, commit: Commit) -> None:
    """Put `text` in place of a regular file, or into a new one in a folder that exists."""
    try:
        data = text.encode()
    except UnicodeEncodeError as error:
        position = error.start
    else:
        above, name = locate_file(root, path)
        with folder(root, above) as parent:
            _replace(parent, name, path, data, commit)
        return
    raise path.refused("not_text", f"the text has a lone surrogate, which UTF-8 cannot write, at offset {position}.")


def _replace(parent: int, name: str, path: GivenPath, data: bytes, commit: Commit) -> None:
    old = _existing(parent, name, path)
    temporary = f".ditto-{os.urandom(8).hex()}.tmp"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
    # What replaces a private file is private from the start; a new file gets what the umask leaves.
    descriptor = os.open(temporary, flags, 0o600 if old else 0o666, dir_fd=parent)
    done = False
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            if old:
                _take_over(descriptor, old)
            os.fsync(descriptor)
        done = commit.perform(lambda: os.replace(temporary, name, src_dir_fd=parent, dst_dir_fd=parent))
    finally:
        if not done:
            with suppress(OSError):
                os.unlink(temporary, dir_fd=parent)


def _existing(parent: int, name: str, path: GivenPath) -> os.stat_result | None:
    """Return the status of the file that is to be replaced; one that could not be written to is refused."""
    try:
        check_regular(os.stat(name, dir_fd=parent, follow_symlinks=False).st_mode, path)
        descriptor = os.open(name, os.O_WRONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY, dir_fd=parent)
    except FileNotFoundError:
        return None
    try:
        status = os.fstat(descriptor)
    finally:
        os.close(descriptor)
    check_regular(status.st_mode, path)
    return status


def _take_over(descriptor: int, old: os.stat_result) -> None:
    """Give the new file the owner, where the system permits it, and the permission bits of the old one."""
    new = os.fstat(descriptor)
    if (new.st_uid, new.st_gid) != (old.st_uid, old.st_gid):
        with suppress(OSError):
            os.fchown(descriptor, old.st_uid, old.st_gid)
    # Not the set-id bits: every write takes them away.
    os.fchmod(descriptor, stat.S_IMODE(old.st_mode) & 0o777)
