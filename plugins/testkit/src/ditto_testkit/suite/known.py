"""Failures that an author knows of: they have a reason, and they have to be there."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from ..checks import CheckFailed
from ..labs.blocked import Blocked


def reason_for(known: Mapping[str, str], id: str, tool: str | None) -> str | None:
    """Return why the check is known to fail, or None."""
    return known.get(f"{id}[{tool}]", known.get(id)) if tool else known.get(id)


def tell_known(
    known: Mapping[str, str], id: str, tool: str | None, reason: str, found: CheckFailed | Blocked | None
) -> None:
    """End the test as an expected failure if the check itself found it, and as a failure otherwise."""
    name = f"{id}[{tool}]" if tool else id
    if isinstance(found, CheckFailed):
        pytest.xfail(f"{id}: {reason}")
    if isinstance(found, Blocked):
        tell_blocked(known, tool, found)
        text = f"{name} is in known_failures ({reason}), but was not looked at, so it did not fail. {found}"
        pytest.fail(text, pytrace=False)
    pytest.fail(f"{name} is in known_failures ({reason}) and passes. Take it out.", pytrace=False)


def tell_blocked(known: Mapping[str, str], tool: str | None, found: Blocked) -> None:
    """End the test as an expected failure if the check that it waits for is known to fail."""
    reason = reason_for(known, found.id, tool)
    if reason is not None:
        pytest.xfail(f"waits for {found.id}: {reason}")
