"""The contracts beside other plugins of pytest, each in a process of its own: pytest-xdist, and under coverage."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.plugins.testkit.authored import source
from tests.support.project import ROOT

pytestmark = pytest.mark.once

ENV = {
    **os.environ,
    "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "core/src"), *map(str, (ROOT / "plugins").glob("*/src"))]),
    "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
}
PYTEST = ["-m", "pytest", "-p", "_ditto_pytestplugin", "-p", "no:cacheprovider", "--ditto-examples=2", "-k", "TP_00"]


def run(folder: Path, *words: str, text: str) -> subprocess.CompletedProcess[str]:
    (folder / "test_it.py").write_text(text, encoding="utf-8")
    command = [sys.executable, *words, "--rootdir", str(folder)]
    return subprocess.run(command, cwd=folder, env=ENV, capture_output=True, text=True, timeout=300, check=False)


@pytest.mark.promise("D-KIT-06")
def test_the_checks_spread_over_the_processes_of_xdist(tmp_path: Path) -> None:
    silent = source("def pack(self): return Pack(lambda: [reading(description=' ')])")
    found = run(tmp_path, *PYTEST, "-p", "xdist", "-n", "2", "-rA", text=silent)
    assert found.returncode == 1, found.stdout[-3000:]
    assert "FAILED test_it.py::TestIt::test_TP_005_every_tool_says_what_it_does[peek]" in found.stdout
    assert "1 failed, 7 passed" in found.stdout


@pytest.mark.promise("D-KIT-06")
def test_coverage_sees_what_the_checks_run(tmp_path: Path) -> None:
    found = run(tmp_path, "-m", "coverage", "run", "--branch", "--include=test_it.py", *PYTEST, text=source())
    assert found.returncode == 0, found.stdout[-3000:]
    command = [sys.executable, "-m", "coverage", "report", "--fail-under=100"]
    told = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert told.returncode == 0, told.stdout
