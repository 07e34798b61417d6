"""Every example runs as it stands, away from the project, and prints exactly what its ``.out`` file shows.

After a change that is meant: ``python -I docs/examples/NAME.py >docs/examples/NAME.out``.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.project import ROOT

EXAMPLES = ROOT / "docs/examples"
PROGRAMS = {"ask_model", "mcp_filesystem", "mcp_server", "review"}  # take arguments, and have tests of their own
NAMES = sorted({path.stem for path in EXAMPLES.glob("*.py")} - PROGRAMS)


@pytest.mark.parametrize("name", NAMES)
def test_an_example_prints_what_is_shown(name: str, tmp_path: Path) -> None:
    command = [sys.executable, "-I", "-W", "error", EXAMPLES / f"{name}.py"]
    done = subprocess.run(
        command, cwd=tmp_path, stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr.decode()) == (0, "")
    assert done.stdout.decode() == (EXAMPLES / f"{name}.out").read_text(encoding="utf-8")
    assert list(tmp_path.iterdir()) == []


def test_every_output_that_is_shown_belongs_to_an_example() -> None:
    assert sorted(path.stem for path in EXAMPLES.glob("*.out")) == NAMES
