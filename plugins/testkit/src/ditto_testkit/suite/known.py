"""Failures that an author knows of: they have a reason, and they have to be there."""

from __future__ import annotations

from collections.abc import Mapping

import pytest


def reason_for(known: Mapping[str, str], id: str, tool: str | None) -> str | None:
    """Return why the check is known to fail, or None."""
    return known.get(f"{id}[{tool}]", known.get(id)) if tool else known.get(id)


def tell_known(id: str, tool: str | None, reason: str, failure: str) -> None:
    """End the test as an expected failure, or as a failure because it passes."""
    if failure:
        pytest.xfail(f"{id}: {reason}")
    name = f"{id}[{tool}]" if tool else id
    pytest.fail(f"{name} is in known_failures ({reason}) and passes. Take it out.", pytrace=False)
