"""The project as files: where it is, which distributions it has, and what they say about themselves."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
_NOT_SOURCES = {"__pycache__", "_build", "dist"}


def pyproject(folder: Path) -> dict[str, Any]:
    """Read the folder's ``pyproject.toml``."""
    return tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))


def members() -> dict[str, Path]:
    """Give the folder of each distribution of the workspace under its name."""
    patterns = pyproject(ROOT)["tool"]["uv"]["workspace"]["members"]
    folders = [path.parent for pattern in patterns for path in sorted(ROOT.glob(f"{pattern}/pyproject.toml"))]
    return {pyproject(folder)["project"]["name"]: folder for folder in folders}


def package(folder: Path) -> Path:
    """Give the one import package of a distribution's folder."""
    (found,) = (path.parent for path in (folder / "src").glob("*/__init__.py"))
    return found


def files(*suffixes: str, below: Path = ROOT) -> Iterator[Path]:
    """Give the project's own files with those suffixes: nothing hidden, nothing built."""
    for folder, folders, names in os.walk(below):
        folders[:] = sorted(f for f in folders if not f.startswith(".") and f not in _NOT_SOURCES)
        yield from (Path(folder, name) for name in sorted(names) if name.endswith(suffixes))
