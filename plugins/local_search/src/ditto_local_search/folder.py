"""The text documents of a folder: bounded, in a fixed order, without following a link."""

from __future__ import annotations

import errno
import itertools
import os
import stat
from collections import Counter
from collections.abc import Iterator
from typing import Final

import attrs

from ditto_core import InvalidValue

from .addresses import address
from .documents import Document, SkipReason
from .limits import MAX_DEPTH, MAX_ENTRIES, MAX_URL

_FLAGS: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY


@attrs.frozen(kw_only=True)
class Bounds:
    """Which files are taken, and how much of them."""

    suffixes: tuple[str, ...]
    max_files: int
    max_file_bytes: int
    max_total_bytes: int


class Reader:
    """Reads the documents of a folder once, and counts what it leaves out in ``skipped``."""

    def __init__(self, folder: str, base_url: str, bounds: Bounds) -> None:
        self._folder = folder
        self._base_url = base_url
        self._bounds = bounds
        self._room = bounds.max_total_bytes
        self._taken = 0
        self.skipped: Counter[SkipReason] = Counter()

    def documents(self) -> Iterator[tuple[Document, str]]:
        """Give each document with the name of its file.

        Raises :class:`InvalidValue` when the folder itself cannot be listed; whatever is inside of it is skipped and
        counted.
        """
        for path in self._files():
            url = address(self._base_url, path)
            if self._taken >= self._bounds.max_files or len(url) > MAX_URL:
                self.skipped["over_limit"] += 1
                continue
            text = self._text(path)
            if text is not None:
                self._taken += 1
                yield Document(url=url, text=text), _name(path)

    def _files(self) -> Iterator[str]:
        """Give the paths of the files that the suffixes choose, below the folder, in the order of their names."""
        waiting = [""]
        left = MAX_ENTRIES
        while waiting:
            above = waiting.pop()
            entries = self._entries(above, left)
            if len(entries) > left:
                self.skipped["over_limit"] += 1
                return
            left -= len(entries)
            folders = []
            for name, is_folder, is_file in entries:
                if name.startswith("."):
                    continue
                path = f"{above}/{name}" if above else name
                if is_file and name.lower().endswith(self._bounds.suffixes):
                    yield path
                elif is_folder and path.count("/") >= MAX_DEPTH:
                    self.skipped["over_limit"] += 1
                elif is_folder:
                    folders.append(path)
            waiting += reversed(folders)

    def _entries(self, above: str, left: int) -> list[tuple[str, bool, bool]]:
        """Return name and kind of what is in a folder, at most one more than is left."""
        try:
            with os.scandir(os.path.join(self._folder, above)) as found:  # noqa: PTH118 - a name may be no text
                return sorted(
                    (entry.name, entry.is_dir(follow_symlinks=False), entry.is_file(follow_symlinks=False))
                    for entry in itertools.islice(found, left + 1)
                )
        except OSError as error:
            reason = errno.errorcode.get(error.errno or 0, "OSError")
        if not above:  # the system's own error holds the path of the folder, so it is not chained
            raise InvalidValue("LocalSearch.folder", f"cannot be listed ({reason}); name a folder that is there")
        self.skipped["unreadable"] += 1
        return []

    def _text(self, path: str) -> str | None:
        """Return the text of a file, or None when it is skipped and counted."""
        try:
            data = self._read(path)
        except OSError:
            self.skipped["unreadable"] += 1
            return None
        if data is None:
            return None
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = "\0"
        if "\0" in text:
            self.skipped["not_text"] += 1
            return None
        self._room -= len(data)
        return text

    def _read(self, path: str) -> bytearray | None:
        most = min(self._bounds.max_file_bytes, self._room)
        # What has taken the file's place since it was seen is not followed and not waited for.
        descriptor = os.open(os.path.join(self._folder, path), _FLAGS)  # noqa: PTH118
        try:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                raise OSError
            data = bytearray()
            # The size is only a hint: the file may grow, and some systems' files do not tell it.
            while status.st_size <= most and len(data) <= most:
                chunk = os.read(descriptor, most + 1 - len(data))
                if not chunk:
                    return data
                data += chunk
        finally:
            os.close(descriptor)
        is_alone = max(status.st_size, len(data)) > self._bounds.max_file_bytes
        self.skipped["too_large" if is_alone else "over_limit"] += 1
        return None


def _name(path: str) -> str:
    return os.fsencode(path.rpartition("/")[2]).decode("utf-8", "replace")
