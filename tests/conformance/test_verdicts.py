"""The list of what is left out, and that it cannot hide anything."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.conformance.suite import BAD, VERSIONS
from tests.conformance.verdicts import judge, left_out, unknown

CHECKS = st.dictionaries(
    st.sampled_from("abcd"), st.sampled_from(["SUCCESS", "INFO", "SKIPPED", "WARNING", "FAILURE"])
)
REASONS = st.sets(st.sampled_from(["one:a", "one:b", "other", "other:a"]))


def is_good(checks: dict[str, str], failure: str | None = None, listed: set[str] = frozenset()) -> bool:  # type: ignore[assignment]
    verdict = judge("client 1", "one", checks, failure, dict.fromkeys(listed, "Because."))
    assert verdict.line.startswith("FAILED client 1 one: ") != verdict.is_good
    return verdict.is_good


def test_every_entry_of_the_list_is_about_a_side_and_a_version_and_has_a_reason() -> None:
    reasons = left_out()
    assert set(reasons) == {(side, version) for side in ("client", "server") for version in VERSIONS}
    assert all(why.endswith(".") for held in reasons.values() for why in held.values())


@given(CHECKS, REASONS, st.none() | st.just("McpClosed: …"))
def test_a_scenario_passes_if_exactly_what_is_left_out_fails(
    checks: dict[str, str], listed: set[str], failure: str | None
) -> None:
    bad = {check for check, status in checks.items() if status in BAD}
    is_checked = bool(bad) or "SUCCESS" in checks.values()
    excused = {item.removeprefix("one:") for item in listed if item.startswith("one:")}
    assert is_good(checks, failure, listed) == (is_checked and bad == excused and failure is None)


@given(CHECKS, st.none() | st.just("McpClosed: …"))
def test_a_scenario_that_is_left_out_has_to_fail(checks: dict[str, str], failure: str | None) -> None:
    bad = any(status in BAD for status in checks.values())
    is_checked = bad or "SUCCESS" in checks.values()
    assert is_good(checks, failure, {"one"}) == (is_checked and (bad or failure is not None))


def test_what_is_left_out_and_not_in_the_suite_is_complained_of() -> None:
    found = unknown("client", "1", ["one"], {"one": "", "one:a": "", "gone": "", "lost:a": ""})
    assert [verdict.line.split(":")[0] for verdict in found] == ["FAILED client 1 gone", "FAILED client 1 lost"]
    assert not any(verdict.is_good for verdict in found)
