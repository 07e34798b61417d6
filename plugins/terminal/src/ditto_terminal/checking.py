"""The contract kit, in a process of its own: it watches what the whole interpreter does."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from importlib.util import find_spec

from .missing import MissingDistribution


def check_plugin(words: Sequence[str]) -> int:
    """Run ``python -m ditto_testkit`` with these words and return its exit status; raises `MissingDistribution`."""
    if find_spec("ditto_testkit") is None:
        raise MissingDistribution.named("ditto-testkit", "to check a plugin")
    return subprocess.run([sys.executable, "-m", "ditto_testkit", *words], check=False).returncode  # noqa: S603 - no shell
