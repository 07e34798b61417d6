"""Looks at the application where it is installed: ``python check_installed.py``, with the guard in place.

The five entries are imported without a word and start nothing, and the guard lets none of its probes pass.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import threading

ENTRIES = ("read", "normalize", "errors", "state", "interpret")
PROBES = (
    "from ditto_core.errors import DittoError",
    "import ditto_memory.sqlite",
    "from ditto_core.observe import observe",
)


def main() -> None:
    """Import and probe; whatever is wrong is raised."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        entries = [importlib.import_module(f"order_observer.workflows.{name}") for name in ENTRIES]
    if said.getvalue() or threading.active_count() > 1:
        raise SystemExit("importing the entries says or starts something")
    if not all(callable(entry.run) for entry in entries):
        raise SystemExit("an entry has no run")
    for probe in PROBES:
        try:
            exec(probe, {"__name__": "order_observer.probe"})
        except ImportError as error:
            print(f"refused: {error}")
        else:
            raise SystemExit(f"the guard let this pass: {probe}")


if __name__ == "__main__":
    main()
