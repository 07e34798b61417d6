"""Where a path leads: the one place that decides whether it stays in the workspace."""

from __future__ import annotations

import os
from pathlib import Path, PurePath
from typing import Final

import attrs

from ..errors import FileMissing, FileReason, FileRefused, InvalidValue, PermissionDenied
from ..text import describe, quote
from .names import on_disk, shown

MAX_PATH_BYTES: Final = 4096
"""How long a path may be, in bytes: what Linux takes (``PATH_MAX``). It also bounds the work of following it."""


@attrs.frozen
class GivenPath:
    """A path as a caller gave it: `name` as errors carry it, `raw` as the system takes it."""

    name: str
    raw: str

    @property
    def who(self) -> str:
        """How messages call it. An absolute path, which may tell about the host, is not repeated."""
        return "(an absolute path)" if self.name.startswith("/") else quote(self.name)

    @property
    def is_folder(self) -> bool:
        """Whether the way it is written says that it is a folder: ``"docs/"``, ``"."``, ``"docs/.."``."""
        return self.raw.rpartition("/")[2] in {"", ".", ".."}

    def refused(self, reason: FileReason, problem: str) -> FileRefused:
        """Return the error that says why."""
        kind = FileMissing if reason == "missing" else FileRefused
        return kind(f"File {self.who}: {problem}", path=self.name, reason=reason)


def given_path(path: object, root: str) -> GivenPath:
    """Check a path as text; what it leads to is for :func:`locate`.

    A string is a name as :mod:`names` writes it, a ``Path`` is taken as it is. Raises :class:`FileRefused` for what
    is no path, :class:`InvalidValue` for what is neither a string nor a ``Path``.
    """
    if type(path) is not str and not isinstance(path, PurePath):
        raise InvalidValue("path", f"must be a string or a Path, not {describe(path)}")
    text = str(path)
    try:
        problem, raw = _read(text, is_name=type(path) is str)
    except UnicodeEncodeError:
        problem, raw = "the path holds a lone surrogate, which no file name can.", ""
    if problem:
        raise GivenPath(text, text).refused("invalid_path", problem)
    inside = below(root, raw)
    if inside is not None:
        return GivenPath(shown(inside) or ".", raw)
    return GivenPath(text if type(path) is str else shown(raw), raw)


def _read(text: str, *, is_name: bool) -> tuple[str, str]:
    """Return what is wrong with the path, and the path as the system takes it."""
    if not text:
        return "the path is empty. Write '.' for the workspace itself.", ""
    if "\0" in text:
        return "the path holds a NUL character, which no file name can.", ""
    if len(text) <= MAX_PATH_BYTES * len(r"\xNN"):  # a name may have an escape for each of its bytes
        raw = on_disk(text) if is_name else text
        if len(os.fsencode(raw)) <= MAX_PATH_BYTES:
            return "", raw
    return f"the path is longer than {MAX_PATH_BYTES} bytes.", ""


def locate(root: str, path: GivenPath) -> tuple[str, ...]:
    """Follow every link and return the names that lead from the workspace to the place; none for itself.

    What does not exist is fine, as far as it would lie in the workspace. `root` is a real path, without links.
    Raises :class:`PermissionDenied` for what lies outside.
    """
    target = os.path.realpath(Path(root, path.raw))
    # What stands after a circle of links is given back unfollowed; a second look finds that out.
    if os.path.realpath(target) != target:
        raise path.refused("system", "its links lead in a circle.")
    inside = below(root, target)
    if inside is None:
        raise PermissionDenied(f"File {path.who}: the path leads out of the workspace. Name a file in the workspace.")
    return tuple(inside.split("/")) if inside else ()


def locate_file(root: str, path: GivenPath) -> tuple[tuple[str, ...], str]:
    """Like :func:`locate` for what has to be a file: return the way to its folder, and its name there."""
    *above, name = locate(root, path) or ("",)
    if not name or path.is_folder:
        raise path.refused("not_a_file", "the path is that of a folder. Name a file.")
    return tuple(above), name


def below(root: str, path: str) -> str | None:
    """Return what leads from the folder `root` to `path`, ``""`` for the folder itself, None for what is not in it.

    Compares names and follows nothing.
    """
    if path == root:
        return ""
    inside = root if root.endswith("/") else f"{root}/"
    return path[len(inside) :] if path.startswith(inside) else None
