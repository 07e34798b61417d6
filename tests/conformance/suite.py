"""The suite itself: what it has, and one run of one side at one version of the protocol."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from typing import Final, Literal, TypeAlias

from tests.support.peers import node_script

Side: TypeAlias = Literal["client", "server"]
VERSIONS: Final = ("2025-11-25", "2026-07-28")
SECONDS_FOR_ALL: Final = 120
"""How long one run may take before it is killed."""
MILLISECONDS_FOR_ONE: Final = 30_000
BAD: Final = ("FAILURE", "WARNING")
_WEIGHT: Final = {"SUCCESS": 1, "WARNING": 2, "FAILURE": 3}

_LISTED = re.compile(r"^  - (\S+) \[", re.MULTILINE)
_STAMP = re.compile(r"-\d{4}-\d\d-\d\dT[\d-]+Z$")


async def scenarios(side: Side, version: str) -> list[str]:
    """Return the names of the scenarios that apply to one side at one version."""
    return _LISTED.findall(await _suite("list", f"--{side}", "--spec-version", version))


async def run(side: Side, version: str, subject: list[str], folder: Path) -> dict[str, dict[str, str]]:
    """Run all scenarios of one side at one version; return for each that ran its checks and what became of them.

    `subject` names what is tested: ``--url …`` or ``--command …``.
    """
    limits = ["--timeout", str(MILLISECONDS_FOR_ONE), "--output-dir", str(folder)]
    await _suite(side, *subject, "--suite", "all", "--spec-version", version, *limits)
    found: dict[str, dict[str, str]] = {}
    for file in folder.rglob("checks.json"):
        name = _STAMP.sub("", file.parent.relative_to(folder).as_posix()).removeprefix("server-" * (side == "server"))
        found[name] = _checks(file)
    return found


def _checks(file: Path) -> dict[str, str]:
    """Return the status of each check; of one that was made several times, the one that weighs most."""
    made = [(check["id"], check["status"]) for check in json.loads(file.read_text(encoding="utf-8"))]
    return dict(sorted(made, key=lambda one: _WEIGHT.get(one[1], 0)))


async def _suite(*words: str) -> str:
    """Run the suite's program to its end and return what it printed; its status says no more than the checks."""
    command = node_script("conformance", *words)
    process = await asyncio.create_subprocess_exec(
        *command, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    try:
        output, _ = await asyncio.wait_for(process.communicate(), SECONDS_FOR_ALL)
    except BaseException:
        process.kill()
        await process.wait()
        raise
    return output.decode("utf-8", "replace")
