"""The pages about the kit say what the code says, and their example passes its own contract."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import _ditto_pytestplugin
import attrs
import pytest

from ditto_testkit import CHECKS, DEFAULT_EXAMPLES, Capabilities, fakes
from tests.plugins.testkit.contract_page import PAGE, written
from tests.plugins.testkit.test_suite import pytest_run
from tests.support.project import ROOT

GUIDE = (ROOT / "docs/testing-a-pack.md").read_text(encoding="utf-8")


@pytest.mark.promise("D-KIT-05")
def test_the_page_of_checks_is_that_of_the_code() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page == written(page), "write it anew: python -m tests.plugins.testkit.contract_page"


@pytest.mark.promise("D-KIT-05")
def test_every_check_has_what_a_reader_needs() -> None:
    for check in CHECKS.all():
        assert re.fullmatch(r"(TP|OS|EX|MC)-\d{3}", check.id)
        assert check.since == 1
        assert check.function.__doc__
        assert not check.title.endswith(".")
        assert check.id in check.explanation()
        assert f"\n### {check.id}\n" in PAGE.read_text(encoding="utf-8")


def test_the_guide_names_every_capability_with_its_default() -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \| (\S+) \|", GUIDE, re.MULTILINE))
    shown = {name: str(value or "none") if not isinstance(value, frozenset) else "none" for name, value in _defaults()}
    assert rows == shown


def _defaults() -> list[tuple[str, object]]:
    made = Capabilities()
    return [(field.name, getattr(made, field.name)) for field in attrs.fields(Capabilities)]


def test_the_guide_names_every_option_and_every_fake(pytestconfig: pytest.Config) -> None:
    source = Path(_ditto_pytestplugin.__file__).read_text(encoding="utf-8")
    assert set(re.findall(r"^\| `(--[\w-]+) ", GUIDE, re.MULTILINE)) == set(re.findall(r'"(--[\w-]+)"', source))
    assert f"tries; {DEFAULT_EXAMPLES} unless told" in GUIDE
    named = set(re.findall(r"`(\w+)`", GUIDE))
    assert {name for name in fakes.__all__ if name.endswith(("Executor", "Sink", "Clock", "workspace"))} <= named


@pytest.mark.promise("D-KIT-01")
def test_the_example_of_the_guide_passes(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "docs/examples/contract", tmp_path, dirs_exist_ok=True)
    found = pytest_run(tmp_path, "", "--ditto-examples=5")
    assert found.returncode == 0, found.stdout[-3000:]
