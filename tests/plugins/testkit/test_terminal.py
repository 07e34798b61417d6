"""The kit from a command line and from a REPL."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path

import pytest

from ditto_testkit import CHECKS, Plan, run_checks, terminal
from tests.plugins.testkit import installed
from tests.plugins.testkit.packs import Pack, reading, showing

POINTS = """[ditto.plugins]
good = tests.plugins.testkit.installed:good
asking = tests.plugins.testkit.installed:asking
bad = tests.plugins.testkit.installed:bad
sink = tests.plugins.testkit.installed:sink
idle = tests.plugins.testkit.installed:idle
leaves_in_import = leaving_on_import:plugin
""" + "".join(f"{name} = tests.plugins.testkit.installed:{name}\n" for name in vars(installed) if "s_in_" in name)


@pytest.fixture(name="installed")
def offered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Offer the plugins of `installed.py` as an installed distribution does."""
    info = tmp_path / "kit_examples-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: kit-examples\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(POINTS, encoding="utf-8")
    (tmp_path / "leaving_on_import.py").write_text("raise SystemExit(0)\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))


@pytest.mark.promise("D-KIT-09")
@pytest.mark.usefixtures("installed")
def test_a_good_pack_gives_a_table_and_status_zero(capsys: pytest.CaptureFixture[str]) -> None:
    assert terminal.main(["good", "--examples", "2"]) == 0
    out = capsys.readouterr().out
    assert [line.split()[0] for line in out.splitlines() if line.startswith("TP-")] == [
        check.id for check in CHECKS.of("tool pack")
    ]
    assert "tool pack 'good': " in out.splitlines()[-1]
    assert " 0 not," in out


@pytest.mark.promise("D-KIT-09")
@pytest.mark.usefixtures("installed")
def test_a_bad_pack_gives_the_failure_and_status_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert terminal.main(["bad", "--only", "TP-005", "--only", "TP-006", "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    told = [(row["id"], row["tool"], row["status"]) for row in found["checks"]]
    assert told == [("TP-005", "peek", "failed"), ("TP-006", "peek", "passed")]
    assert "[TP-005]" in found["checks"][0]["text"]


@pytest.mark.promise("D-KIT-09")
@pytest.mark.usefixtures("installed")
def test_a_tool_that_asks_a_service_is_not_called_and_not_passed(capsys: pytest.CaptureFixture[str]) -> None:
    assert terminal.main(["asking", "--examples", "2", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["checks"]
    assert installed.ASKED == []
    of = {name: {row["id"]: row for row in rows if row["tool"] == name} for name in ("look", "peek")}
    assert {row["status"] for row in rows} == {"passed", "skipped"}
    assert {id for id, row in of["peek"].items() if row["status"] == "skipped"} == {"TP-036"}
    calling = {"TP-020", "TP-022", "TP-027", "TP-033", "TP-037", "TP-038", "TP-040", "TP-041", "TP-043", "TP-044"}
    not_seen = {id for id, row in of["look"].items() if row["status"] == "skipped"}
    assert not_seen >= {*calling, "TP-036"}
    assert not not_seen & {"TP-003", "TP-004", "TP-005", "TP-010", "TP-011"}
    assert all("'look' declares network and is not called from here" in of["look"][id]["text"] for id in calling)


@pytest.mark.usefixtures("installed")
def test_the_table_says_what_was_not_looked_at_and_who_can(capsys: pytest.CaptureFixture[str]) -> None:
    assert terminal.main(["asking", "--only", "TP-005", "--only", "TP-027", "--only", "TP-036"]) == 0
    out = capsys.readouterr().out
    assert [line.split()[:3] for line in out.splitlines() if line.startswith("TP-")] == [
        ["TP-005", "passed", "2/2"],
        ["TP-027", "skipped", "1/2"],
        ["TP-036", "skipped", "0/2"],
    ]
    assert "Not looked at: TP-027\n  'look' declares network" in out
    assert "Not looked at: TP-036\n  no secret is known here" in out
    assert out.count("docs/testing-a-pack.md#services-and-secrets") == 2
    assert "3 passed, 0 not, 3 not looked at," in out.splitlines()[-1]


@pytest.mark.usefixtures("installed")
def test_a_sink_is_checked_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert terminal.main(["sink", "--examples", "2"]) == 0
    assert "output sink 'memory'" in capsys.readouterr().out


@pytest.mark.promise("D-KIT-09")
@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["good", "--only", "TP-999"], "There is no check 'TP-999'"),
        (["good", "--only", "OS-001"], "None of the checks OS-001 is about tool pack 'good'"),
        ([], "Name an installed plugin"),
        (["nobody"], "is not installed"),
        (["idle"], "offers nothing that can be proved from here"),
    ],
)
def test_what_cannot_be_run_gives_status_two(words: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert terminal.main(words) == 2
    assert told in capsys.readouterr().err


@pytest.mark.promise("D-KIT-09")
@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize(
    ("name", "status", "told"),
    [
        ("leaves_in_import", 2, "SystemExit"),
        ("leaves_in_constructor", 2, "SystemExit"),
        ("leaves_in_sinks", 2, "SystemExit"),
        ("leaves_in_tools", 1, "SystemExit"),
        ("leaves_in_delivery", 1, "SystemExit"),
        ("generator_ends_in_sinks", 2, "GeneratorExit"),
        ("interrupts_in_constructor", 2, "KeyboardInterrupt"),
        ("interrupts_in_tools", 2, "KeyboardInterrupt"),
        ("interrupts_in_delivery", 2, "KeyboardInterrupt"),
    ],
)
def test_a_plugin_that_ends_the_program_is_named(
    name: str, status: int, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert terminal.main([name, "--examples", "2", "--only", "TP-001", "--only", "OS-002"]) == status
    found = capsys.readouterr()
    assert told in found.out + found.err
    assert name in found.out + found.err or "'leaving'" in found.out + found.err


THREAD = """
import sys, threading, runpy
from ditto_testkit import terminal
threading.Thread(target=threading.Event().wait).start()
sys.argv = ["ditto_testkit", "nobody"]
runpy.run_module("ditto_testkit", run_name="__main__", alter_sys=True)
"""


def test_a_thread_that_runs_on_does_not_hold_up_the_end() -> None:
    found = subprocess.run([sys.executable, "-c", THREAD], capture_output=True, text=True, timeout=60, check=False)
    assert found.returncode == 2
    assert "is not installed" in found.stderr


def test_a_check_explains_itself(capsys: pytest.CaptureFixture[str]) -> None:
    assert terminal.main(["--explain", "TP-022"]) == 0
    assert capsys.readouterr().out.startswith("[TP-022] ")
    assert terminal.main(["--explain", "XX"]) == 2


@pytest.mark.promise("D-KIT-02")
def test_the_checks_run_from_a_repl_also_beside_a_running_loop() -> None:
    async def notebook() -> list[str]:
        found = run_checks(Pack(lambda: [reading(), showing()]), plan=Plan(examples=2), only=["TP-020", "TP-041"])
        return [f"{one.check.id} {one.tool} {one.status}" for one in found]

    assert asyncio.run(notebook()) == [
        "TP-020 peek passed",
        "TP-020 show passed",
        "TP-041 peek passed",
        "TP-041 show passed",
    ]


def test_only_wants_ids_that_there_are() -> None:
    with pytest.raises(KeyError, match="There is no check 'TP-999'"):
        run_checks(Pack(lambda: [reading()]), only=["TP-999"])


@pytest.mark.promise("D-KIT-09")
def test_a_search_provider_is_proved_with_the_options_that_it_needs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.md").write_text("ditto", encoding="utf-8")
    words = ["local_search", "--option", f"folder={tmp_path}", "--option", "max_files=5", "--examples", "2"]
    assert terminal.main(words) == 0
    out = capsys.readouterr().out
    assert [line.split()[0] for line in out.splitlines() if line.startswith("WS-")] == [
        check.id for check in CHECKS.of("search provider")
    ]
    assert terminal.main(["local_search"]) == 2
    assert "LocalSearch.folder" in capsys.readouterr().err


@pytest.mark.parametrize("option", ["folder", "=docs", ""])
def test_an_option_without_a_name_or_a_value_is_refused(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        terminal.main(["local_search", "--option", option])
    assert "must be NAME=VALUE" in capsys.readouterr().err


def test_a_secret_option_comes_from_the_environment(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.md").write_text("# Tea\n", encoding="utf-8")
    words = ["local_search", "--option", "folder=@DOCUMENTS", "--only", "WS-001"]
    with pytest.raises(SystemExit):
        terminal.main(words)
    assert "the variable DOCUMENTS, which is not set" in capsys.readouterr().err
    monkeypatch.setenv("DOCUMENTS", str(tmp_path))
    assert terminal.main(words) == 0


def test_a_missing_option_is_told_with_the_way_to_give_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert terminal.main(["brave", "--only", "WS-001"]) == 2
    assert "Options are given with --option NAME=VALUE." in capsys.readouterr().err
