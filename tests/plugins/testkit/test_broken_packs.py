"""Each check of tool packs fails for the pack that breaks its rule, and for no other."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ditto_testkit import CHECKS, Plan, ToolPack, run_checks
from tests.plugins.testkit import (  # noqa: F401 - registered
    broken_effects,
    broken_ends,
    broken_packs,
    broken_services,
    broken_telling,
    broken_words,
)
from tests.plugins.testkit.breaking import BROKEN, VARIANTS

pytestmark = pytest.mark.once


@pytest.mark.promise("D-KIT-08", "D-KIT-13")
@pytest.mark.parametrize(("name", "broken"), BROKEN.items(), ids=BROKEN)
def test_a_broken_pack_fails_exactly_its_check(name: str, broken: Callable[[], ToolPack]) -> None:
    found = run_checks(broken(), plan=Plan(examples=4, derandomize=True))
    failed = {outcome.check.id: outcome.text for outcome in found if outcome.status == "failed"}
    assert list(failed) == [name.split(maxsplit=1)[0]], failed
    assert not [outcome for outcome in found if outcome.status == "error"]
    text = failed[name.split(maxsplit=1)[0]]
    check = CHECKS[name.split(maxsplit=1)[0]]
    assert text.startswith(f"[{check.id}] ")
    assert check.title in text
    assert check.fix.splitlines()[0] in text
    assert f"docs/contract.md#{check.id.lower()}" in text


@pytest.mark.promise("D-KIT-13")
@pytest.mark.parametrize(("name", "broken"), VARIANTS.items(), ids=VARIANTS)
def test_a_variant_fails_its_check(name: str, broken: Callable[[], ToolPack]) -> None:
    [found] = run_checks(broken(), only=[name.split(maxsplit=1)[0]], plan=Plan(examples=4, derandomize=True))
    assert found.status == "failed", found.text


@pytest.mark.promise("D-KIT-08")
def test_there_is_a_broken_pack_for_each_check() -> None:
    assert {name.split()[0] for name in BROKEN} == {check.id for check in CHECKS.of("tool pack")}
