"""Looks into built wheels: ``python check_wheels.py WHEEL…`` fails with what is missing and what is too much."""

from __future__ import annotations

import re
import sys
from email.parser import Parser
from pathlib import Path
from zipfile import ZipFile

BESIDE = {
    "ditto_terminal": r"ditto_terminal/template/pack/.*\.txt",
    "ditto_testkit": r"_ditto_pytestplugin\.py",
}
"""What a wheel holds besides modules of its package: the template of a new pack; what pytest imports in every run."""

NO_PLUGIN = {
    "ditto_agent",
    "ditto_terminal",
    "ditto_context",
    "ditto_core",
    "ditto_formats",
    "ditto_http",
    "ditto_infer",
    "ditto_local",
    "ditto_mcp",
    "ditto_memory",
    "ditto_openai",
    "ditto_testkit",
    "order_observer",
}
"""The wheels that offer no plugin of Ditto's."""


def problems(wheel: Path) -> list[str]:
    """Give what is wrong with a wheel, in words."""
    name, version, *tags = wheel.stem.split("-")
    info = f"{name}-{version}.dist-info"
    with ZipFile(wheel) as archive:
        names = archive.namelist()
        metadata = Parser().parsestr(archive.read(f"{info}/METADATA").decode())
        points = archive.read(f"{info}/entry_points.txt").decode() if f"{info}/entry_points.txt" in names else ""

    belongs = re.compile(rf"{name}/.*\.(py|typed)|{re.escape(info)}/.*|{BESIDE.get(name, name)}")
    found = [f"lacks {need}" for need in (f"{name}/__init__.py", f"{name}/py.typed") if need not in names]
    found += [f"holds {other}" for other in names if not belongs.fullmatch(other)]
    if tags != ["py3", "none", "any"]:
        found.append(f"is for {'-'.join(tags)}, not for every machine")
    if f"{info}/licenses/LICENSE" not in names or metadata["License-Expression"] != "Apache-2.0":
        found.append("does not carry its licence")
    if not metadata.get_payload():
        found.append("has no readme")
    if name not in NO_PLUGIN and "[ditto.plugins]" not in points:
        found.append("offers no plugin")
    return found


def main(wheels: list[str]) -> str | None:
    """Check each wheel; give what is to be mended, or nothing."""
    bad = [f"{Path(wheel).name} {problem}" for wheel in wheels for problem in problems(Path(wheel))]
    if not wheels:
        bad.append("no wheel was given")
    if not bad:
        print(f"{len(wheels)} wheels checked")
    return "\n".join(bad) or None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
