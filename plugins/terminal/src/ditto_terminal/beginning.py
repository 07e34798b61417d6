"""A new pack: the template of this distribution, with the name that was chosen."""

from __future__ import annotations

import keyword
import re
import sys
from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

import typer

from .printing import write

_NAME: Final = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_MOST_CHARACTERS: Final = 50


def begin_pack(name: str, parent: Path) -> None:
    """Make the folder `name` in `parent` with a whole distribution; raises :class:`typer.BadParameter`.

    Nothing is written into a folder that exists.
    """
    package = name.replace("-", "_")
    if not _NAME.fullmatch(name) or len(name) > _MOST_CHARACTERS:
        raise _bad(f"{name[:100]!r} must be lower-case words with hyphens, at most {_MOST_CHARACTERS} characters")
    if keyword.iskeyword(package) or package in sys.stdlib_module_names:
        raise _bad(f"{name!r} is a name of Python itself; choose another, such as {name}-tools")
    folder = parent / name
    try:
        folder.mkdir()
    except FileExistsError:
        raise _bad(f"{folder} exists already; choose another name, or remove it") from None
    except FileNotFoundError:
        raise _bad(f"{parent} does not exist; make it, or choose another with --in") from None
    words = {"{{name}}": name, "{{package}}": package, "{{class}}": _class(name)}
    for path, text in sorted(_template(files("ditto_terminal") / "template" / "pack")):
        target = folder / _filled(path.removesuffix(".txt"), words)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(_filled(text, words), encoding="utf-8", newline="\n")
    write(
        f"{folder} is made. Next:\n  cd {folder}\n  pip install -e . --group test\n  pytest\n  ditto tools -p {name}"
    )


def _template(folder: Traversable, below: str = "") -> Iterator[tuple[str, str]]:
    """Give name and text of each file of the template; ``.txt`` at the end keeps tools from taking them for code."""
    for one in folder.iterdir():
        if one.is_dir():
            yield from _template(one, f"{below}{one.name}/")
        elif one.name.endswith(".txt"):
            yield f"{below}{one.name}", one.read_text(encoding="utf-8")


def _filled(text: str, words: dict[str, str]) -> str:
    for mark, word in words.items():
        text = text.replace(mark, word)
    return text


def _class(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("-"))


def _bad(problem: str) -> typer.BadParameter:
    return typer.BadParameter(problem, param_hint="NAME")
