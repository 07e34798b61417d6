"""Runs a script with nothing to import but the standard library, the core and what the core requires."""

from __future__ import annotations

import runpy
import sys
from collections.abc import Sequence
from types import ModuleType

CORE = {"ditto_core", "attr", "attrs", "cattr", "cattrs", "pluggy", "structlog"}
# What the four require themselves on some version of Python.
THEIRS = {"exceptiongroup", "typing_extensions"}


class Blocked:
    """An importer that comes before all others and refuses what the core must do without."""

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> None:
        """Refuse the module, or leave it to the other importers by finding nothing."""
        del path, target
        if name.partition(".")[0] not in CORE | THEIRS | sys.stdlib_module_names:
            raise ModuleNotFoundError(f"{name} is no dependency of the core", name=name)


sys.meta_path.insert(0, Blocked())
runpy.run_path(sys.argv[1], run_name="__main__")
