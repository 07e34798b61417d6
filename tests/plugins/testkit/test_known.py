"""A known failure has to be there, and to be the finding of its own check."""

from __future__ import annotations

import pytest

from tests.plugins.testkit.authored import run, source

pytest_plugins = ["pytester"]
pytestmark = pytest.mark.once

SILENT = "def pack(self): return Pack(lambda: [reading(description=' ')])"
"""A pack that breaks TP-005 and nothing else."""


def known(failures: str, pack: str = SILENT, **parts: str) -> str:
    return source(f"known_failures = {failures}\n    {pack}", **parts)


@pytest.mark.promise("D-KIT-07")
@pytest.mark.parametrize("id", ["TP-005", "TP-005[peek]"])
def test_a_known_failure_is_expected(pytester: pytest.Pytester, id: str) -> None:
    found = run(pytester, known(f"{{{id!r}: 'the words are still written'}}"), "-k", "TP_00")
    assert found.ret == 0
    assert found.parseoutcomes()["xfailed"] == 1
    assert "the words are still written" in found.stdout.str()


@pytest.mark.promise("D-KIT-07")
@pytest.mark.parametrize(
    ("failures", "told"),
    [
        ("{'TP-005': 'later', 'TP-006': 'never was'}", "TP-006[peek] is in known_failures (never was) and passes"),
        ("{'TP-005': 'later', 'TP-006[peek]': 'never was'}", "TP-006[peek] is in known_failures (never was) and pass"),
        ("{'TP-005': ' '}", "'TP-005' needs a reason"),
    ],
)
def test_what_is_not_there_or_not_explained_is_a_failure(pytester: pytest.Pytester, failures: str, told: str) -> None:
    found = run(pytester, known(failures), "-k", "TP_00")
    assert found.ret == pytest.ExitCode.TESTS_FAILED
    assert told in found.stdout.str()


@pytest.mark.promise("D-KIT-07")
def test_a_failure_that_is_not_seen_because_of_another_is_not_the_known_one(pytester: pytest.Pytester) -> None:
    broken = "def pack(self): return object()"
    found = run(pytester, known("{'TP-002': 'it changes'}", broken), "-k", "TP_002")
    assert found.ret == pytest.ExitCode.TESTS_FAILED
    assert "TP-002 is in known_failures (it changes), but was not looked at" in found.stdout.str()


@pytest.mark.promise("D-KIT-07")
def test_what_waits_for_a_known_failure_is_expected_too(pytester: pytest.Pytester) -> None:
    broken = "def pack(self): return object()"
    found = run(pytester, known("{'TP-001': 'no pack yet'}", broken), "-k", "TP_001 or TP_002")
    assert found.ret == 0
    assert found.parseoutcomes()["xfailed"] == 2


@pytest.mark.promise("D-KIT-07")
@pytest.mark.parametrize("error", ["RuntimeError('no database')", "SystemExit(1)", "KeyError('x')"])
@pytest.mark.parametrize("where", ["config", "pack"])
def test_a_crash_of_the_preparation_is_not_the_known_failure(
    pytester: pytest.Pytester, where: str, error: str
) -> None:
    crashing = f"{SILENT}\n    def {where}(self): raise {error}"
    found = run(pytester, known("{'TP-005': 'later'}", crashing), "-k", "TP_005")
    assert found.ret in (pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.INTERRUPTED)
    assert "xfailed" not in found.parseoutcomes()


RARE = """
import attrs

def rare():
    tool = reading()
    def validate(arguments):
        if sum(map(ord, arguments["path"])) % 11 == 3:
            raise ValueError("path: must be another one")
        return tool.validate(arguments)
    return attrs.evolve(tool, validate=validate)
"""


@pytest.mark.promise("D-KIT-07")
def test_fewer_examples_do_not_hide_a_known_failure(pytester: pytest.Pytester) -> None:
    text = known("{'TP-010': 'some names come later'}", "def pack(self): return Pack(lambda: [rare()])", before=RARE)
    found = run(pytester, text, "-k", "TP_010", "--ditto-examples=1", "--ditto-seed=3")
    assert found.parseoutcomes()["xfailed"] == 1
