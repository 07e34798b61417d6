"""The seeded faults are whole: enough of them, each with a text that is there and a check that exists."""

from __future__ import annotations

import pytest

from ditto_testkit import CHECKS
from tests.plugins.testkit.mutants.run import Mutant, mutants, survived

ALL = list(mutants())


@pytest.mark.promise("D-KIT-10")
@pytest.mark.parametrize("mutant", ALL, ids=str)
def test_a_fault_can_be_seeded(mutant: Mutant) -> None:
    compile(mutant.changed(), mutant.file, "exec")
    assert CHECKS[mutant.check]


@pytest.mark.promise("D-KIT-10")
def test_there_are_faults_enough() -> None:
    assert len(ALL) >= 40
    assert {mutant.target for mutant in ALL} == {"commands", "local", "console", "local_search", "brave", "acme"}


@pytest.mark.promise("D-KIT-10")
def test_one_of_them_is_caught() -> None:
    (mutant,) = [mutant for mutant in ALL if str(mutant) == "commands/no-description"]
    assert survived(mutant) == ""
