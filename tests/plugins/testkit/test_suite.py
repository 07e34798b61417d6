"""The contracts under pytest, as an author has them: in a folder of their own, without a conftest."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.project import ROOT

pytestmark = pytest.mark.once

PACK = """
from ditto_testkit import Capabilities, ToolPackContract
from tests.plugins.testkit.packs import Pack, reading, showing


class TestGood(ToolPackContract):
    contract = 1

    def pack(self):
        return Pack(lambda: [reading(), showing()])


class TestAgain(ToolPackContract):
    contract = 1

    def pack(self):
        return Pack(lambda: [reading(description=" ")])
"""


def pytest_run(folder: Path, source: str, *words: str, plugin: bool = True) -> subprocess.CompletedProcess[str]:
    (folder / "test_it.py").write_text(source, encoding="utf-8")
    paths = [str(ROOT), *(str(path) for path in (ROOT / "plugins").glob("*/src")), str(ROOT / "core/src")]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "PYTHONDONTWRITEBYTECODE": "1"}
    # Where the kit is installed, its entry point would load the plugin by itself, and then a second time.
    env["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    loaded = ["-p", "_ditto_pytestplugin"] if plugin else []
    command = [
        sys.executable,
        "-m",
        "pytest",
        *loaded,
        "-p",
        "no:cacheprovider",
        "--rootdir",
        str(folder),
        *words,
        "-rA",
    ]
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=300, check=False)


@pytest.mark.promise("D-KIT-02", "D-KIT-06")
def test_two_contracts_in_one_process_do_not_disturb_each_other(tmp_path: Path) -> None:
    found = pytest_run(tmp_path, PACK, "--ditto-examples=3", "--ditto-seed=1")
    assert "1 failed" in found.stdout, found.stdout[-3000:]
    assert "FAILED test_it.py::TestAgain::test_TP_005_every_tool_says_what_it_does[peek]" in found.stdout
    assert "PASSED test_it.py::TestGood::test_TP_010_arguments_that_fit_the_schema_are_accepted[show]" in found.stdout
    assert "examples 3, seed 1" in found.stdout


@pytest.mark.promise("D-KIT-06")
def test_it_works_without_the_pytest_plugin(tmp_path: Path) -> None:
    source = PACK.partition("class TestAgain")[0]
    found = pytest_run(tmp_path, source, "-k", "TP_01 or TP_00", plugin=False)
    assert found.returncode == 0, found.stdout[-3000:]


LEVEL_TWO = """
from ditto_testkit.checks.model import check, fail


@check("TP-900", title="Something new", since=2, fix="do it")
def something_new(lab, data):
    fail("it is not done")

"""


@pytest.mark.promise("D-KIT-07")
@pytest.mark.parametrize(("words", "status"), [([], 0), (["--ditto-level=2"], 1)])
def test_a_check_of_a_higher_level_only_warns(tmp_path: Path, words: list[str], status: int) -> None:
    found = pytest_run(tmp_path, LEVEL_TWO + PACK.partition("class TestAgain")[0], "-k", "TP_900", *words)
    assert found.returncode == status, found.stdout[-3000:]
    assert "it is not done" in found.stdout
    assert ("ContractWarning: level 2" in found.stdout) == (status == 0)


@pytest.mark.promise("D-KIT-05")
def test_a_check_explains_itself(tmp_path: Path) -> None:
    found = pytest_run(tmp_path, "", "--ditto-explain", "tp-022")
    assert found.returncode == 0
    assert found.stdout.startswith("[TP-022] A result is no larger than the pack declares")
    assert "fix: " in found.stdout
    unknown = pytest_run(tmp_path, "", "--ditto-explain", "TP-999")
    assert unknown.returncode == 4
    assert "There is no check 'TP-999'" in unknown.stderr


def test_the_pytest_plugin_imports_nothing_of_the_library() -> None:
    code = "import sys, _ditto_pytestplugin; print([m for m in sys.modules if m.startswith(('ditto_', 'hypothesis'))])"
    found = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT / "plugins/testkit/src",
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert found.stdout.strip() == "[]"


FORGETFUL = """
import subprocess
from ditto_testkit import ToolPackContract
from tests.plugins.testkit.packs import Pack, show, showing


async def start(arguments, context):
    subprocess.Popen(["/bin/sleep", "1"])
    return await show(arguments, context)


class TestForgetful(ToolPackContract):
    contract = 1

    def pack(self):
        return Pack(lambda: [showing(execute=start)])
"""


def test_what_is_raised_where_nobody_catches_it_stands_below_the_message(tmp_path: Path) -> None:
    found = pytest_run(tmp_path, FORGETFUL, "-W", "error", "-k", "TP_043 or TP_001", "--ditto-examples=2")
    assert "[TP-043] 'show' leaves something behind" in found.stdout
    assert "  meanwhile: ResourceWarning: subprocess " in found.stdout
    assert "Traceback" not in found.stdout
    assert "PytestUnraisable" not in found.stdout
    assert "1 failed, 1 passed" in found.stdout


def test_what_is_raised_so_fails_a_check_that_passes(tmp_path: Path) -> None:
    found = pytest_run(tmp_path, FORGETFUL, "-W", "error", "-k", "TP_034", "--ditto-examples=2")
    told = "[TP-034] passes, but meanwhile this was raised where nobody can catch it: ResourceWarning: subprocess "
    assert told in found.stdout
    assert "1 failed" in found.stdout
