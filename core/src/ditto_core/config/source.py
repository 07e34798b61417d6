"""Where a configuration comes from, for messages: the file's name, never its folder, and the lines of its keys."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import attrs

from ..errors import ConfigError
from ..text import MAX_QUOTED, escape
from ..tools.shapes.shape import Misfit

MAX_DEPTH: Final = 32
"""How many lists and objects a file may have inside each other."""

_NO_LINES: Final[Mapping[str, int]] = MappingProxyType({})


@attrs.frozen(eq=False, repr=False)
class Source:
    """A file by its name; ``lines`` has the line, from 1, of each dotted path that the file holds, if it is known."""

    name: str = "the configuration"
    lines: Mapping[str, int] = _NO_LINES

    def error(self, path: str, problem: str) -> ConfigError:
        """Return the error of a dotted path, with the line of what is nearest to it in the file."""
        near = max((known for known in self.lines if path.startswith(known)), key=len, default=None)
        return self.at(None if near is None else self.lines[near], f"{path} {problem}".lstrip())

    def misfit(self, misfit: Misfit, path: str = "") -> ConfigError:
        """Return the error of what does not fit somewhere below a dotted path."""
        below = misfit.path if not path or not misfit.path or misfit.path.startswith("[") else f".{misfit.path}"
        return self.error(f"{path}{below}", misfit.problem)

    def at(self, line: int | None, problem: str) -> ConfigError:
        """Return the error of a line."""
        name = escape(self.name[:MAX_QUOTED])
        return ConfigError(f"{name}: {problem}." if line is None else f"{name}, line {line}: {problem}.")
