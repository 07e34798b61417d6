"""Each check of sinks and executors fails for the one that breaks its rule, and for no other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ditto_testkit import CHECKS, Plan, Sink, run_checks
from tests.plugins.testkit import broken_executors, broken_sinks
from tests.plugins.testkit.breaking import check_of, chosen, failed

pytestmark = pytest.mark.once

PLAN = Plan(examples=10, derandomize=True)


@pytest.mark.parametrize(("name", "broken"), broken_sinks.BROKEN.items(), ids=broken_sinks.BROKEN)
def test_a_broken_sink_fails_exactly_its_check(name: str, broken: Callable[[], Sink]) -> None:
    assert failed(run_checks(broken(), plan=PLAN, only=chosen(name, broken_sinks.BROKEN))) == [check_of(name)]


@pytest.mark.parametrize(("name", "broken"), broken_executors.BROKEN.items(), ids=broken_executors.BROKEN)
def test_a_broken_executor_fails_exactly_its_check(name: str, broken: Callable[[float], Any]) -> None:
    found = run_checks(broken_executors.executor(broken), plan=PLAN, only=chosen(name, broken_executors.BROKEN))
    assert failed(found) == [check_of(name)]


@pytest.mark.promise("D-KIT-08")
def test_there_is_a_broken_one_for_each_check() -> None:
    ids = set(map(check_of, (*broken_sinks.BROKEN, *broken_executors.BROKEN)))
    assert ids == {check.id for kind in ("output sink", "executor") for check in CHECKS.of(kind)}


@pytest.mark.promise("D-KIT-08")
def test_good_ones_pass_all() -> None:
    found = run_checks(broken_sinks.sink(broken_sinks.GoodSink), plan=PLAN)
    for good in (broken_executors.Good, broken_executors.own()):
        found += run_checks(broken_executors.executor(good), plan=Plan(examples=5))
    assert [outcome.text for outcome in found if outcome.status in {"failed", "error"}] == []


def test_a_contract_that_cannot_look_has_to_say_why() -> None:
    found = run_checks(Sink(make=broken_sinks.GoodSink), plan=PLAN)
    assert failed(found) == ["OS-004", "OS-007"]
