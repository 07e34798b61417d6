"""Folders with everything in them that tools stumble over."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

SECRET: Final = "OUTSIDE-5f1c0e9a7b"  # noqa: S105 - a mark to look for
"""Stands in every file outside of the workspace and nowhere else."""
INSIDE: Final = "INSIDE-c47d21b8e0"
"""Stands in some files of the workspace."""
LONG: Final = "long"
"""The folder that :func:`add_long_names` makes."""


def awkward_workspace(folder: Path, files: Mapping[str, str | bytes] | None = None, *, large: int = 65_536) -> Path:
    """Make a workspace in `folder` and return it, ``folder/workspace``.

    It holds plain files, names that begin with ``-``, have blanks, ends of lines or no ASCII, files that are empty,
    large (`large` bytes), no UTF-8 or without an end of line, a deep folder, a pipe, and links: to a file, to nothing,
    in a circle, and out of the workspace to files that hold :data:`SECRET`. `files` are added, or replace these.
    """
    workspace, outside = folder / "workspace", folder / "outside"
    outside.mkdir(parents=True)
    (outside / "secret.txt").write_text(f"{SECRET}\n", encoding="utf-8")
    workspace.mkdir()
    content: dict[str, str | bytes] = {
        "a.txt": f"first {INSIDE}\nsecond\nthird\n",
        "b.py": "def b():\n    return 1\n",
        "-x": "begins with a dash\n",
        "--help": "looks like an option\n",
        "with blank.txt": "a b\n",
        "line\nend.txt": "its name has two lines\n",
        "é.txt": "é ß 😀\n",
        "empty.txt": "",
        "no end.txt": "no end of line",
        "crlf.txt": "a\r\nb\r\n",
        "not utf-8.txt": b"\xff\xfe\x00a",
        "large.txt": ("0123456789abcdef" * 256 + "\n") * (large // 4097 + 1),
        "sub/c.txt": f"c {INSIDE}\n",
        "sub/deep/er/d.txt": "d\n",
        **(files or {}),
    }
    for name, data in content.items():
        path = workspace / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
    links = {"link": "a.txt", "dangling": "nowhere", "circle": "circle", "out": "../outside/secret.txt"}
    for name, target in {**links, "out-folder": "../outside"}.items():
        (workspace / name).symlink_to(target)
    if hasattr(os, "mkfifo"):
        os.mkfifo(workspace / "pipe")
    return workspace


def add_long_names(workspace: Path, size: int) -> None:
    """Add empty files in the folder ``long`` whose paths have more than `size` bytes together, or 4,000 of them."""
    folder = Path(LONG, *["d" * 200] * 4)
    (workspace / folder).mkdir(parents=True, exist_ok=True)
    each = len(str(folder)) + 206
    for number in range(min(size // each + 1, 4_000)):
        (workspace / folder / f"{number:05}{'n' * 200}").touch()


def snapshot(workspace: Path) -> dict[str, tuple[int, bytes]]:
    """Return everything in a folder by name: mode, and content or the target of a link."""
    found: dict[str, tuple[int, bytes]] = {}
    for folder, folders, names in os.walk(workspace):
        for name in (*folders, *names):
            path = Path(folder, name)
            mode = path.lstat().st_mode
            content = b""
            if path.is_symlink():
                content = os.fsencode(path.readlink())
            elif path.is_file():
                content = path.read_bytes()
            found[str(path.relative_to(workspace))] = (mode, content)
    return found


def differences(before: Mapping[str, tuple[int, bytes]], after: Mapping[str, tuple[int, bytes]]) -> list[str]:
    """Return what was made, removed or changed between two snapshots, in words."""
    made = [f"made {name!r}" for name in after.keys() - before.keys()]
    removed = [f"removed {name!r}" for name in before.keys() - after.keys()]
    changed = [f"changed {name!r}" for name in before.keys() & after.keys() if before[name] != after[name]]
    return sorted([*made, *removed, *changed])
