"""``ditto check``: the door to the contract kit."""

from __future__ import annotations

import pytest

from tests.plugins.terminal.conftest import Ditto


def test_the_kit_runs_in_a_process_of_its_own_and_its_status_is_ours(
    ditto: Ditto, capfd: pytest.CaptureFixture[str]
) -> None:
    assert ditto("check", "acme", "--only", "TP-002", "--examples", "1").status == 0
    assert "TP-002" in capfd.readouterr().out
    assert ditto("check", "nothing-of-that-name").status == 2
    assert "is not installed" in capfd.readouterr().err


@pytest.mark.promise("D-CLI-01")
def test_without_the_kit_it_says_what_to_install(ditto: Ditto, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ditto_terminal.checking.find_spec", lambda name: None)
    ran = ditto("check", "acme")
    assert ran.status == 3
    assert "pip install ditto-testkit" in ran.err
