"""What the README promises is there: its commands are the ones that CI runs, its example the one that tests run."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from tests.support.project import ROOT, members, package

README = (ROOT / "README.md").read_text(encoding="utf-8")
CI = (ROOT / ".ci/run").read_text(encoding="utf-8")
NOXFILE = (ROOT / "noxfile.py").read_text(encoding="utf-8")
DITTO = [line.split()[1:] for line in README.splitlines() if line.startswith(".venv/bin/ditto ")]
FIRST_STEPS = "python3 -m venv .venv && .venv/bin/python -m pip install -q nox && .venv/bin/nox -s "


def test_the_readme_gives_two_commands_that_need_only_python_and_pip() -> None:
    assert commands(README) == [f"{FIRST_STEPS}review", f"{FIRST_STEPS}tests"]


@pytest.mark.promise("D-QUAL-11")
def test_ci_runs_the_second_command_to_the_letter() -> None:
    assert commands(CI) == [f"{FIRST_STEPS}tests"]


@pytest.mark.promise("D-QUAL-02", "D-QUAL-11")
def test_ci_runs_every_session_that_guards_something() -> None:
    guards = re.search(r"nox.options.sessions = \[(.*?)]", NOXFILE, re.DOTALL)
    assert guards
    assert set(re.findall(r'"(\w+)"', guards[1])) == sessions(CI)


def test_every_session_that_is_named_exists() -> None:
    defined = set(re.findall(r"^@nox\.session.*\ndef (\w+)\(", NOXFILE, re.MULTILINE))
    assert sessions(README) | sessions(CI) <= defined
    assert defined >= {"tests", "minimal", "lint", "typing", "docs", "packaging", "benchmarks", "review"}


def test_the_readme_shows_the_quickstart_to_the_letter() -> None:
    shown = re.search(r"<!-- quickstart: .* -->\n```python\n(.*?)```\n<!-- end of quickstart -->", README, re.DOTALL)
    assert shown
    assert shown[1] == (ROOT / "docs/examples/quickstart.py").read_text(encoding="utf-8")


def test_the_readme_names_every_distribution() -> None:
    rows = re.findall(r"^\| `([\w-]+)` \| `(\w+)` \|", README, re.MULTILINE)
    assert dict(rows) == {name: package(folder).name for name, folder in members().items()}


def test_every_link_of_the_readme_leads_to_a_file() -> None:
    links = re.findall(r"\]\(([^)#]+)\)", README)
    assert [link for link in links if not (ROOT / link).exists()] == []


@pytest.mark.parametrize("words", [words for words in DITTO if "acme-tea" not in words], ids=" ".join)
def test_a_command_of_the_terminal_ends_as_the_readme_says(words: list[str]) -> None:
    command = [sys.executable, "-m", "ditto_terminal", *words]
    ran = subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=False)
    is_refused = words[0] == "call" and "--allow" not in words
    assert (ran.returncode, bool(ran.stderr)) == ((3, True) if is_refused else (0, False)), ran.stderr
    assert ran.stdout or is_refused


def test_the_terminal_lists_calls_begins_and_checks() -> None:
    assert {name for name, *_ in DITTO} == {"plugins", "tools", "call", "new", "check"}


def test_ci_waits_for_no_input() -> None:
    assert "exec </dev/null" in CI


def commands(text: str) -> list[str]:
    """Give the set-up commands of a text, each up to the session it runs."""
    return re.findall(re.escape(FIRST_STEPS) + r"\w+", text)


def sessions(text: str) -> set[str]:
    """Give the names of the sessions that a text has nox run."""
    return {name for line in re.findall(r"nox -s ([a-z ]+)", text) for name in line.split()}
