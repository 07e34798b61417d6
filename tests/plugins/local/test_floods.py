"""Commands that print more than is kept."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ditto_core import Command, CommandResult
from ditto_local import LocalExecutor
from tests.support import run

KIB, MIB = 1_024, 1_048_576


def _sh(script: str, folder: Path, **limits: Any) -> CommandResult:
    return run(LocalExecutor(["sh"], timeout=50).run(Command("sh", ("-c", script), **limits), workspace=folder), 60)


@pytest.mark.parametrize(("full", "other"), [("2", "1"), ("1", "2")])
@pytest.mark.case("RUN-05")
def test_a_flood_on_one_output_does_not_block_the_other(full: str, other: str, tmp_path: Path) -> None:
    result = _sh(f"head -c 1048576 /dev/zero >&{full}; echo ok >&{other}", tmp_path)
    assert result.exit_code == 0
    assert result.truncated
    assert (result.stdout if other == "1" else result.stderr) == "ok\n"
    assert len(result.stderr if full == "2" else result.stdout) == (8 * KIB if full == "2" else 64 * KIB)
    assert (result.stderr_bytes if full == "2" else result.stdout_bytes) == MIB


@pytest.mark.promise("D-CMD-07", "D-CMD-08")
@pytest.mark.case("RUN-06")
@pytest.mark.parametrize("stream", ["1", "2"])
def test_endless_output_is_bounded_and_stopped(stream: str, tmp_path: Path) -> None:
    result = _sh(f"exec yes >&{stream}", tmp_path, max_stderr=64 * KIB)
    kept, seen = (result.stdout, result.stdout_bytes) if stream == "1" else (result.stderr, result.stderr_bytes)
    assert (result.exit_code, result.stopped, result.truncated) == (None, True, True)
    assert kept == "y\n" * (32 * KIB)
    assert 64 * KIB + MIB < seen < 64 * KIB + 2 * MIB


@pytest.mark.promise("D-CMD-07")
def test_a_flood_is_stopped_also_when_the_command_does_not_mind_that_nobody_reads(tmp_path: Path) -> None:
    command = Command("sh", ("-c", "trap '' PIPE; yes; exec sleep 60"))
    result = run(LocalExecutor(["sh"], timeout=500).run(command, workspace=tmp_path), timeout=40)
    assert (result.stopped, result.exit_code) == (True, None)


@pytest.mark.promise("D-CMD-07")
def test_a_grandchild_that_floods_when_the_command_has_ended_is_ended_too(tmp_path: Path) -> None:
    result = _sh("yes & exit 3", tmp_path, max_lines=10)
    assert (result.stdout, result.exit_code) in [("", 3), ("y\n" * 10, 3), ("y\n" * 10, None)]


@pytest.mark.promise("D-CMD-07", "D-CMD-08")
@pytest.mark.parametrize("extra", [0, 1])
@pytest.mark.parametrize("limits", [{}, {"max_lines": 7}])
def test_the_status_depends_on_what_the_command_did_alone(extra: int, limits: dict[str, int], tmp_path: Path) -> None:
    kept = 2 * 7 if limits else 64 * KIB
    script = f"yes | head -c {kept + MIB + extra}; exit 7"
    for _ in range(20):
        result = _sh(script, tmp_path, **limits)
        assert (result.exit_code, result.stopped) == ((7, False) if not extra else (None, True))
        assert result.truncated
        assert len(result.stdout) == kept


@pytest.mark.promise("D-CMD-06", "D-SPEED-06")
@pytest.mark.case("RUN-06")
@pytest.mark.parametrize("script", ["exec yes", "head -c 2147483648 /dev/zero", "exec yes >&2"])
def test_memory_grows_by_little_whatever_comes(script: str, tmp_path: Path) -> None:
    program = f"""
import asyncio, re
from pathlib import Path
from ditto_core import Command
from ditto_local import LocalExecutor

async def main():
    executor = LocalExecutor(["sh"], timeout=50)
    async def peak_after(script):
        await executor.run(Command("sh", ("-c", script)), workspace=Path({str(tmp_path)!r}))
        return int(re.search(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text())[1])
    print(-await peak_after("printf hi") + await peak_after({script!r}))

asyncio.run(main())
"""
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert int(ended.stdout) < KIB  # each a KiB: one MiB


@pytest.mark.case("OUTP-05")
def test_a_line_of_any_length_is_read(tmp_path: Path) -> None:
    result = _sh("head -c 200000 /dev/zero | tr '\\0' a; head -c 200000 /dev/zero | tr '\\0' b >&2", tmp_path)
    assert (len(result.stdout), len(result.stderr)) == (64 * KIB, 8 * KIB)
    assert (result.stdout_bytes, result.stderr_bytes, result.exit_code) == (200_000, 200_000, 0)
