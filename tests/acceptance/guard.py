"""Refuses what only the repository would make possible; as ``sitecustomize`` it comes before everything else.

The application and its tests import public names alone, and nothing of Ditto is loaded from the repository, whose
place is in ``DITTO_REPOSITORY``; the environment itself may lie in it.
"""

from __future__ import annotations

import builtins
import os
import re
import sys
from collections.abc import Mapping, Sequence
from typing import Any, Final

BOUND: Final = re.compile(r"(order_observer|tests|__main__)(\.|$)")
"""Whose imports are looked at: the distributions may look into themselves."""
PRIVATE: Final = re.compile(r"ditto_\w+\.|\w*\.?_ditto")

_import = builtins.__import__


def guarded(
    name: str,
    globals: Mapping[str, Any] | None = None,
    locals: Mapping[str, Any] | None = None,
    fromlist: Sequence[str] | None = (),
    level: int = 0,
) -> Any:
    """Import as ever, unless a module of the application's looks into a distribution, or it lies in the repository."""
    importer = str((globals or {}).get("__name__", ""))
    if level == 0 and BOUND.match(importer) and PRIVATE.match(name):
        raise ImportError(f"{importer} must not import {name}: it is not public")
    module = _import(name, globals, locals, fromlist or (), level)
    if name.startswith(("ditto_", "order_observer")):
        file = str(sys.modules[name.partition(".")[0]].__file__)
        in_repository = file.startswith(os.environ["DITTO_REPOSITORY"] + os.sep)
        if in_repository and not file.startswith(sys.prefix + os.sep):
            raise ImportError(f"{name} comes from the repository: {file}")
    return module


if __name__ == "sitecustomize":
    builtins.__import__ = guarded
