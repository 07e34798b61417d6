"""The kit from a command line and from a REPL."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from ditto_testkit import CHECKS, Plan, run_checks, terminal
from tests.plugins.testkit.packs import Pack, reading, showing

POINTS = """[ditto.plugins]
good = tests.plugins.testkit.installed:good
bad = tests.plugins.testkit.installed:bad
sink = tests.plugins.testkit.installed:sink
idle = tests.plugins.testkit.installed:idle
"""


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Offer the plugins of `installed.py` as an installed distribution does."""
    info = tmp_path / "kit_examples-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: kit-examples\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(POINTS, encoding="utf-8")
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


@pytest.mark.usefixtures("installed")
def test_a_sink_is_checked_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert terminal.main(["sink", "--examples", "2"]) == 0
    assert "output sink 'memory'" in capsys.readouterr().out


@pytest.mark.promise("D-KIT-09")
@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize(
    ("words", "told"),
    [([], "Name an installed plugin"), (["nobody"], "is not installed"), (["idle"], "no contract applies")],
)
def test_what_cannot_be_run_gives_status_two(words: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert terminal.main(words) == 2
    assert told in capsys.readouterr().err


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
