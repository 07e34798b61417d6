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
from tests.plugins.testkit.breaking import BROKEN, check_of, chosen, failed

pytestmark = pytest.mark.once


@pytest.mark.promise("D-KIT-08", "D-KIT-13")
@pytest.mark.parametrize(("name", "broken"), BROKEN.items(), ids=BROKEN)
def test_a_broken_pack_fails_exactly_its_check(name: str, broken: Callable[[], ToolPack]) -> None:
    found = run_checks(broken(), only=chosen(name, BROKEN), plan=Plan(examples=4, derandomize=True))
    assert failed(found) == [check_of(name)]


@pytest.mark.promise("D-KIT-08")
def test_there_is_a_broken_pack_for_each_check() -> None:
    assert set(map(check_of, BROKEN)) == {check.id for check in CHECKS.of("tool pack")}
