"""Reading and listing, as plain functions that block."""

from __future__ import annotations

import itertools
import os
from typing import Final

from ..errors import FileMissing
from .names import shown
from .opening import check_regular, explained, folder
from .paths import GivenPath, locate, locate_file

_CHUNK: Final = 65_536


@explained
def resolve(root: str, path: GivenPath) -> tuple[str, ...]:
    """Return what :func:`locate` returns."""
    return locate(root, path)


@explained
def check_workspace(root: str, path: GivenPath) -> None:
    """Refuse a workspace that is no folder, or that a link has replaced since it was chosen."""
    with folder(root, locate(root, path)):
        pass


@explained
def read_text(root: str, path: GivenPath, max_bytes: int) -> str:
    """Return the text of a regular file; nothing is cut or changed, and no pipe or device is waited for."""
    data = _read(root, path, max_bytes)
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        position = error.start
    # Out here: the decoder's own error holds the whole file.
    raise path.refused("not_text", f"it is not UTF-8 text: the first bad byte is at offset {position}.")


def _read(root: str, path: GivenPath, max_bytes: int) -> bytearray:
    above, name = locate_file(root, path)
    with folder(root, above) as parent:
        check_regular(os.stat(name, dir_fd=parent, follow_symlinks=False).st_mode, path)
        # What has taken the file's place since then is not followed and not waited for, and is looked at again.
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY
        descriptor = os.open(name, flags, dir_fd=parent)
    try:
        status = os.fstat(descriptor)
        check_regular(status.st_mode, path)
        data = bytearray()
        # The size is only a hint: the file may grow, and some systems' files do not tell it.
        if status.st_size <= max_bytes:
            while len(data) <= max_bytes:
                chunk = os.read(descriptor, _CHUNK)
                if not chunk:
                    return data
                data += chunk
    finally:
        os.close(descriptor)
    raise path.refused("too_large", f"it has more than {max_bytes} bytes. Give a higher max_bytes, or read a part.")


@explained
def list_files(root: str, path: GivenPath, max_entries: int) -> list[str]:
    """Return the names, from the workspace on, of the regular files in a folder and all folders below it, sorted."""
    top = locate(root, path)
    waiting = [top]
    names = []
    seen = 0
    while waiting:
        parts = waiting.pop()
        name = shown("/".join(parts))
        try:
            entries = _entries(root, path if parts is top else GivenPath(name, name), parts, max_entries + 1 - seen)
        except FileMissing:
            if parts is top:
                raise
            continue  # removed since it was seen, so there is nothing to list
        seen += len(entries)
        if seen > max_entries:
            raise path.refused(
                "too_large", f"it has more than {max_entries} entries. Give a higher max_entries, or list a part."
            )
        for entry, is_folder, is_file in entries:
            if is_folder:
                waiting.append((*parts, entry))
            elif is_file:
                names.append(shown("/".join((*parts, entry))))
    return sorted(names)


@explained
def _entries(root: str, path: GivenPath, parts: tuple[str, ...], most: int) -> list[tuple[str, bool, bool]]:
    """Return up to `most` entries of a folder: the name, whether it is a folder, whether it is a regular file."""
    with folder(root, parts) as passage:
        descriptor = os.open(".", os.O_RDONLY | os.O_DIRECTORY, dir_fd=passage)
    try:
        with os.scandir(descriptor) as found:
            return [
                (entry.name, entry.is_dir(follow_symlinks=False), entry.is_file(follow_symlinks=False))
                for entry in itertools.islice(found, most)
            ]
    finally:
        os.close(descriptor)
