"""Each check of search providers fails for the one that breaks its rule, and for no other."""

from __future__ import annotations

from collections.abc import Callable

import attrs
import pytest

from ditto_testkit import CHECKS, Capabilities, Plan, ProviderSubject, run_checks
from ditto_testkit.checks import providers
from tests.plugins.testkit.breaking import check_of, chosen, failed
from tests.plugins.testkit.broken_providers import BROKEN
from tests.plugins.testkit.good_providers import Http, Memory, http, memory

pytestmark = pytest.mark.once

PLAN = Plan(examples=10, derandomize=True)


@pytest.mark.parametrize(("name", "broken"), BROKEN.items(), ids=BROKEN)
def test_a_broken_provider_fails_exactly_its_check(name: str, broken: Callable[[], ProviderSubject]) -> None:
    assert failed(run_checks(broken(), only=chosen(name, BROKEN), plan=PLAN)) == [check_of(name)]


@pytest.mark.promise("D-KIT-08")
def test_there_is_a_broken_one_for_each_check() -> None:
    assert set(map(check_of, BROKEN)) == {check.id for check in CHECKS.of("search provider")}


@pytest.mark.promise("D-KIT-08", "D-KIT-12")
@pytest.mark.parametrize("good", [memory(Memory), http(Http)], ids=["memory", "http"])
def test_good_ones_pass_all(good: ProviderSubject) -> None:
    assert [outcome.text for outcome in run_checks(good, plan=PLAN) if outcome.status != "passed"] == []


def test_a_contract_without_a_backend_has_to_say_why() -> None:
    assert failed(run_checks(ProviderSubject(make=Memory), plan=PLAN)) == ["WS-011"]


@pytest.mark.promise("D-KIT-12")
def test_a_provider_whose_backend_cannot_be_played_is_never_searched() -> None:
    class Untouched(Memory):
        origin = "https://search.example"

        async def search(self, query: str, limit: int) -> object:
            raise AssertionError

    assert failed(run_checks(memory(Untouched), plan=PLAN)) == []


def test_a_reply_that_is_accepted_with_a_reason_is_not_held_against_it() -> None:
    lenient = attrs.evolve(
        BROKEN["WS-011 skips a BOM"](), capabilities=Capabilities(accepted_replies={"body-with-bom": "it is harmless"})
    )
    assert failed(run_checks(lenient, plan=PLAN)) == []


def test_a_query_that_another_field_is_by_chance_is_no_misreading(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(providers, "OPERATORS", ("5",))  # which is the number of hits that the check asks for
    [found] = run_checks(http(Http), only=["WS-005"], plan=Plan(examples=1, derandomize=True))
    assert found.status == "passed", found.text
