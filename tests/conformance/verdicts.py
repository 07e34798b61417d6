"""What a scenario's checks amount to, beside the list of what is left out."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import TypeAlias

import attrs

from tests.conformance.suite import BAD, VERSIONS, Side

LIST = Path(__file__).parent / "left_out.toml"

Reasons: TypeAlias = Mapping[tuple[str, str], Mapping[str, str]]
"""For a side and a version: what is left out, as ``scenario`` or ``scenario:check``, and why."""


@attrs.frozen(kw_only=True)
class Verdict:
    """Whether a scenario is as it should be, and a line about it."""

    is_good: bool
    line: str


def left_out() -> Reasons:
    """Read the list."""
    reasons: dict[tuple[str, str], dict[str, str]] = {}
    for entry in tomllib.loads(LIST.read_text(encoding="utf-8"))["left_out"]:
        for version in entry.get("versions", VERSIONS):
            held = reasons.setdefault((entry["side"], version), {})
            twice = held.keys() & set(entry["names"])
            if twice:
                raise ValueError(f"{entry['side']} {version}: listed twice: {', '.join(sorted(twice))}")
            held.update(dict.fromkeys(entry["names"], entry["reason"]))
    return reasons


def unknown(side: Side, version: str, names: list[str], reasons: Mapping[str, str]) -> list[Verdict]:
    """Complain of what is listed and not in the suite."""
    strange = {name for name in reasons if name.partition(":")[0] not in names}
    return [
        Verdict(is_good=False, line=f"FAILED {side} {version} {name}: is left out, and the suite has none")
        for name in sorted(strange)
    ]


def judge(what: str, name: str, checks: Mapping[str, str], failure: str | None, reasons: Mapping[str, str]) -> Verdict:
    """Tell whether a scenario passed, or is left out and did not.

    `failure` is how the client ended, if that was not well. What is left out and passes is not good: the list would
    say less than is true.
    """
    bad = {check for check, status in checks.items() if status in BAD}
    good = sum(status == "SUCCESS" for status in checks.values())
    excused = {item.partition(":")[2]: why for item, why in reasons.items() if item.startswith(f"{name}:")}
    if not good and not bad:
        return Verdict(
            is_good=False, line=f"FAILED {what} {name}: nothing was checked; {failure or 'no reason known'}"
        )
    if name in reasons:
        if bad or failure:
            return Verdict(is_good=True, line=f"left out {what} {name}: {reasons[name]}")
        return Verdict(is_good=False, line=f"FAILED {what} {name}: is left out, and passes")
    wrong = [f"{check}: {checks[check].lower()}" for check in sorted(bad - excused.keys())]
    wrong += [f"{check}: is left out, and passes" for check in sorted(excused.keys() - bad)]
    wrong += [failure] if failure else []
    if wrong:
        return Verdict(is_good=False, line=f"FAILED {what} {name}: {'; '.join(wrong)}")
    rest = f", but for {len(bad)}: {' '.join(sorted(set(excused.values())))}" if bad else ""
    return Verdict(is_good=True, line=f"passed {what} {name}: {good} checks{rest}")
