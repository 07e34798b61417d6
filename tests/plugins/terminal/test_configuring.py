"""``ditto config check``."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.plugins.terminal.conftest import Ditto
from tests.support.plugins import Site


def checked(ditto: Ditto, folder: Path, text: str) -> tuple[int, list[str]]:
    """Write a file, check it, and give the status and the lines."""
    (folder / "ditto.yaml").write_text(text, encoding="utf-8")
    ran = ditto("config", "check", str(folder / "ditto.yaml"))
    return ran.status, [*ran.out.splitlines(), *ran.err.splitlines()]


def test_a_right_file_is_right_in_every_part(ditto: Ditto, tmp_path: Path) -> None:
    status, lines = checked(ditto, tmp_path, "plugins: {commands: {maxEntries: 5}, console: {format: text}}")
    assert status == 0
    assert lines == ["ditto.yaml and the variables: right", "commands: right", "console: right"]


def test_each_section_is_checked_by_its_plugin(ditto: Ditto, tmp_path: Path, site: Site) -> None:
    site.install("broken-pack", plugins=["broken = broken_module:Plugin"], broken_module="1 / 0")
    text = "plugins:\n  commands: {maxEntry: 5}\n  console: {format: text}\n  broken: {}\n  comands: {}\n"
    status, lines = checked(ditto, tmp_path, text)
    assert status == 1
    assert lines[1].startswith("commands: ditto.yaml, line 2: plugins.commands.maxEntry is not known. Did you mean")
    assert lines[2:] == [
        "console: right",
        "broken: cannot be checked: broken_module:Plugin could not be imported (ZeroDivisionError)",
        "comands: cannot be checked: no plugins of that name are installed. Did you mean 'commands'?",
    ]


@pytest.mark.parametrize("text", ["runtime: {timeoutMs: soon}", "plugins: [", "runtme: {}"])
def test_what_is_wrong_elsewhere_is_told_with_its_line(ditto: Ditto, tmp_path: Path, text: str) -> None:
    status, lines = checked(ditto, tmp_path, text)
    assert status == 3
    assert lines[0].startswith("ditto: ConfigError: ditto.yaml, line 1: ")


def test_a_file_that_is_not_there_is_told(ditto: Ditto, tmp_path: Path) -> None:
    ran = ditto("config", "check", str(tmp_path / "none.yaml"))
    assert ran.status == 3
    assert "none.yaml: does not exist" in ran.err
