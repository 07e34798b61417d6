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

_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY
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
        for path, folder in self._files():
            url = address(self._base_url, path)
            if self._taken >= self._bounds.max_files or len(url) > MAX_URL:
                self.skipped["over_limit"] += 1
                continue
            text = self._text(path.rpartition("/")[2], folder)
            if text is not None:
                self._taken += 1
                yield Document(url=url, text=text), _name(path)

    def _files(self) -> Iterator[tuple[str, int]]:
        """Give the paths of the files that the suffixes choose, below the folder, in the order of their names.

        With each comes the descriptor of the folder that it is in, which is good until the next one.
        """
        waiting = [""]
        left = MAX_ENTRIES
        while waiting:
            above = waiting.pop()
            found = self._listed(above, left)
            if found is None:
                continue
            folder, entries = found
            try:
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
                        yield path, folder
                    elif is_folder and path.count("/") >= MAX_DEPTH:
                        self.skipped["over_limit"] += 1
                    elif is_folder:
                        folders.append(path)
                waiting += reversed(folders)
            finally:
                os.close(folder)

    def _listed(self, above: str, left: int) -> tuple[int, list[tuple[str, bool, bool]]] | None:
        """Return a folder's descriptor, and name and kind of what is in it, at most one more than is left.

        None: it is skipped and counted.
        """
        try:
            folder = _opened(self._folder, above)
            try:
                with os.scandir(folder) as found:
                    return folder, sorted(
                        (entry.name, entry.is_dir(follow_symlinks=False), entry.is_file(follow_symlinks=False))
                        for entry in itertools.islice(found, left + 1)
                    )
            except BaseException:
                os.close(folder)
                raise
        except OSError as error:
            reason = errno.errorcode.get(error.errno or 0, "OSError")
        if not above:  # the system's own error holds the path of the folder, so it is not chained
            raise InvalidValue("LocalSearch.folder", f"cannot be listed ({reason}); name a folder that is there")
        self.skipped["unreadable"] += 1
        return None

    def _text(self, name: str, folder: int) -> str | None:
        """Return the text of a file of this name in an open folder, or None when it is skipped and counted."""
        try:
            data = self._read(name, folder)
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

    def _read(self, name: str, folder: int) -> bytearray | None:
        most = min(self._bounds.max_file_bytes, self._room)
        # What has taken the file's place since it was seen is not followed and not waited for.
        descriptor = os.open(name, _FLAGS, dir_fd=folder)
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


def _opened(root: str, path: str) -> int:
    """Open a folder below the root step by step: one that has become a link since it was seen is not followed."""
    folder = os.open(root, _FOLDER)
    for name in filter(None, path.split("/")):
        try:
            deeper = os.open(name, _FOLDER | os.O_NOFOLLOW, dir_fd=folder)
        finally:
            os.close(folder)
        folder = deeper
    return folder


def _name(path: str) -> str:
    return os.fsencode(path.rpartition("/")[2]).decode("utf-8", "replace")
