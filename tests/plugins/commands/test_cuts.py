"""A result names the outputs that are not whole, whoever has cut them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ditto_commands import CommandTools
from ditto_local import LocalExecutor
from tests.support.commands import FakeExecutor, about, call, done, on

SMALL = CommandTools(max_entries=3, max_output_bytes=10, max_error_bytes=5)


@pytest.mark.promise("CMD-17", "D-CMD-08")
@pytest.mark.case("OUTP-03", "OUTP-10")
@pytest.mark.parametrize(
    ("stdout", "stderr", "told", "cut"),
    [
        # Nobody has cut anything.
        ("a" * 10, "b" * 5, {}, []),
        ("a\nb\nc\n", "\ufffd", {"stderr_bytes": 1}, []),
        # The tool cuts what an executor has not: bytes, and lines of standard output.
        ("a" * 11, "b" * 5, {}, ["stdout"]),
        ("a\nb\nc\nd", "", {}, ["stdout"]),
        ("", "b" * 6, {}, ["stderr"]),
        ("", "\ufffd\ufffd", {"stderr_bytes": 2}, ["stderr"]),
        ("\n\n\n\n", "b" * 6, {}, ["stdout", "stderr"]),
        # The executor says what it has cut.
        ("a", "b", {"truncated": True, "cut": frozenset({"stderr"})}, ["stderr"]),
        ("a", "\ufffd", {"truncated": True, "stderr_bytes": 2, "cut": frozenset({"stderr"})}, ["stderr"]),
        ("\ufffd", "b", {"truncated": True, "stdout_bytes": 1, "cut": frozenset({"stderr"})}, ["stderr"]),
        ("a" * 11, "b", {"truncated": True, "cut": frozenset({"stderr"})}, ["stdout", "stderr"]),
        ("a\n", "", {"exit_code": None, "stdout_bytes": 3_000_000, "cut": frozenset({"stdout"})}, ["stdout"]),
        # It says only that it has: the sizes tell where,
        ("a", "b", {"truncated": True, "stdout_bytes": 9}, ["stdout"]),
        ("a", "b", {"truncated": True, "stderr_bytes": 9}, ["stderr"]),
        ("a", "b", {"exit_code": None, "stdout_bytes": 9, "stderr_bytes": 9}, ["stdout", "stderr"]),
        ("a" * 11, "b", {"truncated": True, "stderr_bytes": 9}, ["stdout", "stderr"]),
        # or leave it open,
        ("a", "\ufffd", {"truncated": True, "stderr_bytes": 2}, ["stderr"]),
        ("a", "\ufffd", {"truncated": True, "stdout_bytes": 9, "stderr_bytes": 3}, ["stdout", "stderr"]),
        ("a", "\ufffd", {"truncated": True, "stdout_bytes": 9, "stderr_bytes": 1}, ["stdout"]),
        # or tell nothing.
        ("a", "b", {"truncated": True}, ["stdout", "stderr"]),
    ],
)
def test_the_outputs_that_are_not_whole_are_named(stdout: str, stderr: str, told: Any, cut: list[str]) -> None:
    said = about(call("cat", on("cat", "a"), FakeExecutor(done(stdout, stderr, **told)), plugin=SMALL))
    assert (said["cut"], said["truncated"]) == (cut, cut != [])
    assert (said["maxEntries"], said["maxOutputBytes"], said["maxErrorBytes"]) == (3, 10, 5)


@pytest.mark.promise("CMD-17")
@pytest.mark.parametrize(
    ("data", "cut"),
    [(b"1234567890", []), (b"12345678901", ["stdout"]), (b"1\n2\n3\n4", ["stdout"]), (b"\xff" * 4, ["stdout"])],
)
def test_real_output_that_is_not_whole_is_named(data: bytes, cut: list[str], tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(data)
    result = call("cat", on("cat", "a"), LocalExecutor(["cat"], timeout=50), workspace=tmp_path, plugin=SMALL)
    assert (about(result)["cut"], about(result)["stdoutBytes"]) == (cut, len(data))


def test_real_errors_that_are_not_whole_are_named(tmp_path: Path) -> None:
    result = call("cat", on("cat", "gone"), LocalExecutor(["cat"], timeout=50), workspace=tmp_path, plugin=SMALL)
    assert (about(result)["stderr"], about(result)["cut"], about(result)["exitCode"]) == ("cat: ", ["stderr"], 1)
