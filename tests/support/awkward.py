"""A workspace in which everything is that can be in one, and what it looks like before and after."""

from __future__ import annotations

import hashlib
import os
import socket
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Final

SECRET: Final = "the-secret-outside"
"""Stands in a file beside the workspace, and in the environment of who runs commands on it."""
LINES: Final = 1_500
LONG_LINE: Final = "x" * 650_000 + " stats\n"

TEXTS: Final = {
    "plain.txt": "one\ntwo needle\nthree\n",
    "with blank.txt": "blank\n",
    " at both ends ": "ends\n",
    "[slug]/p (1).txt": "slug\n",
    "[s]": "brackets\n",
    "a*b": "star\n",
    "{x}.md": "braces\n",
    "q?.txt": "question\n",
    "$HOME": "home\n",
    "$(id)": "substitution\n",
    "a;id": "semicolon\n",
    "a&b|c>d": "shell\n",
    "quo'te\"s": "quotes\n",
    "-": "dash\n",
    "--": "dashes\n",
    "-rf": "rf\n",
    "--help": "help\n",
    "--files0-from=plain.txt": "files0\n",
    "--output=written": "output\n",
    "-delete/inside.txt": "delete\n",
    "(/inside.txt": "parenthesis\n",
    "!/inside.txt": "bang\n",
    "~": "tilde\n",
    "é.txt": "accent\n",
    "日本/語.txt": "words\n",
    "\U0001f600": "smile\n",
    "new\nline.txt": "newline\n",
    "tab\there.txt": "tab\n",
    "esc\x1b[31mred": "escape\n",
    "back\\slash": "backslash\n",
    ".hidden/.also": "hidden\n",
    "...": "dots\n",
    "crlf.txt": "a\r\nb\rc\n",
    "empty": "",
    "no-final-newline": "first\nlast",
    "long-line.txt": LONG_LINE,
    "numbers.csv": "10,b\n9,a\n9,a\n100,c\n",
    "patterns.txt": "-r\n--include=x\n-f/etc/hostname\n--\n-e\n--follow\n[\na\\(\n\\{\n",
    "/".join(["deep", *"abcdefghijklmnopqrstuvwxyzabcdefghijklmn", "bottom.txt"]): "bottom\n",
}
BYTES: Final = {
    b"caf\xe9.txt": b"latin name\n",
    b"\xff\xfe/inside": b"bytes\n",
    b"binary": b"needle\0x",
    b"latin.txt": b"caf\xe9 needle\n",
    b"ff": b"\xff" * 65_536,
    b"half": b"\xf0",
    b"picture.png": b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00",
}
LINKS: Final = {
    "link-inside": "plain.txt",
    "link-folder": "[slug]",
    "link-self": ".",
    "link-up": "..",
    "link-outside": "../outside",
    "link-secret": "../outside/secret.txt",
    "link-absolute": "/etc/hostname",
    "link-zero": "/dev/zero",
    "link-environ": "/proc/self/environ",
    "link-proc": "/proc",
    "link-dangling": "nothing",
    "link-dangling-outside": "../nothing",
    "link-loop": "link-loop",
    "link-loop-1": "link-loop-2",
    "link-loop-2": "link-loop-1",
    "many/link-cycle": "../many",
}


def build(around: Path) -> Path:
    """Make the workspace and what lies beside it in the folder `around`; return the workspace."""
    outside, inside = around / "outside", around / "inside"
    outside.mkdir()
    (outside / "secret.txt").write_text(f"needle {SECRET}\n")
    inside.mkdir()
    for name, text in TEXTS.items():
        _written(inside, os.fsencode(name), text.encode())
    for raw, data in BYTES.items():
        _written(inside, raw, data)
    for number in range(LINES):
        _written(inside, b"many/%04d.txt" % number, b"")
    for link, target in LINKS.items():
        (inside / link).symlink_to(target)
    _written(inside, b"locked/inside.txt", b"locked\n")
    _written(inside, b"unreadable.txt", b"unreadable\n")
    (inside / "large.bin").touch()
    os.truncate(inside / "large.bin", 2 * 1024**3)
    os.mkfifo(inside / "pipe")
    _bind(inside / "socket")
    _make_device(inside / "null-device")
    (inside / "locked").chmod(0)
    (inside / "unreadable.txt").chmod(0)
    return inside


def give_to(around: Path, user: int) -> None:
    """Let another user own all of it, and nobody else stand in the way."""
    for path in _everything(around):
        os.chown(path, user, user, follow_symlinks=False)


def remove_locks(around: Path) -> None:
    """Let its owner remove the workspace again."""
    (around / "inside/locked").chmod(0o700)


def snapshot(around: Path) -> dict[Path, tuple[object, ...]]:
    """Return what everything below the folder is, but for when it was last read."""
    seen = {}
    for path in _everything(around):
        status = path.lstat()
        seen[path] = (
            *(status.st_mode, status.st_ino, status.st_uid, status.st_nlink, status.st_size),
            *(status.st_mtime_ns, status.st_ctime_ns),
            path.readlink() if path.is_symlink() else "",
            _digest(path) if stat.S_ISREG(status.st_mode) and status.st_size < 10**6 else b"",
        )
    return seen


def _everything(around: Path) -> Iterator[Path]:
    for folder, folders, files in os.walk(around):
        for name in (".", *folders, *files):
            yield Path(folder, name)


def _written(folder: Path, name: bytes, data: bytes) -> None:
    path = folder / os.fsdecode(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def _bind(path: Path) -> None:
    here = Path.cwd()
    os.chdir(path.parent)  # the name of a socket has to be short
    try:
        with socket.socket(socket.AF_UNIX) as bound:
            bound.bind(path.name)
    finally:
        os.chdir(here)


def _make_device(path: Path) -> None:
    """Make a device that is as good as ``/dev/null``; where that is not permitted, a pipe takes its place."""
    try:
        os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, 3))
    except PermissionError:
        os.mkfifo(path)


def _digest(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").digest()
    except PermissionError:
        return b""
