"""Each check of MCP clients fails for the one that breaks its rule, and for no other."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ditto_testkit import CHECKS, Capabilities, McpClientSubject, Plan, run_checks
from tests.plugins.testkit.breaking import check_of, chosen, failed
from tests.plugins.testkit.broken_mcp_clients import BROKEN, GoodClient, subject

pytestmark = pytest.mark.once

PLAN = Plan(examples=10, derandomize=True)
UNPROBED = dict.fromkeys(("echo", "failing", "endless", "hidden", "reached"), "there is no server to try it on")


@pytest.mark.parametrize(("name", "broken"), BROKEN.items(), ids=BROKEN)
def test_a_broken_client_fails_exactly_its_check(name: str, broken: Callable[[], McpClientSubject]) -> None:
    assert failed(run_checks(broken(), only=chosen(name, BROKEN), plan=PLAN)) == [check_of(name)]


@pytest.mark.promise("D-KIT-08")
def test_there_is_a_broken_client_for_each_check() -> None:
    assert set(map(check_of, BROKEN)) == {check.id for check in CHECKS.of("MCP client")}


@pytest.mark.promise("D-KIT-08")
def test_a_good_client_passes_all() -> None:
    found = run_checks(subject(GoodClient), plan=PLAN)
    assert {outcome.status for outcome in found} == {"passed"}, found


def test_what_cannot_be_tried_has_to_be_said() -> None:
    bare = subject(GoodClient)
    nothing = McpClientSubject(make=bare.make)
    assert failed(run_checks(nothing, plan=PLAN)) == ["MC-007"]
    said = McpClientSubject(make=bare.make, capabilities=Capabilities(unprobed=UNPROBED))
    assert {outcome.status for outcome in run_checks(said, plan=PLAN)} == {"passed"}
