"""The sink in a process of its own: standard output as the shell gives it, and the end of the process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import pytest

DELIVER = """
import asyncio, sys
from ditto_console import ConsoleSink
from ditto_core import Message, OutputRequest, UNSET

async def main(format, timeout, *contents):
    sink = ConsoleSink(None, format, float(timeout))
    for number, content in enumerate(contents):
        text = eval(content)
        request = OutputRequest(delivery_id=str(number), message=Message(role="assistant", content=text))
        receipt = await sink.deliver(request)
        print(receipt.status, receipt.error.code if receipt.error else "", file=sys.stderr)

PRINT_BEFORE
asyncio.run(main(*sys.argv[1:]))
PRINT_AFTER
"""
TEXT = "caf\u00e9 \u2192 \U0001f600"
SHORT, LONG = "'short'", "'x' * 1_000_000"


def start(*args: str, stdout: Any, before: str = "", after: str = "", **env: str) -> subprocess.CompletedProcess[str]:
    script = DELIVER.replace("PRINT_BEFORE", before).replace("PRINT_AFTER", after)
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHONUNB", "PYTHONIO", "LC_"))}
    return subprocess.run(
        [sys.executable, "-c", script, *args],
        stdout=stdout,
        stderr=subprocess.PIPE,
        env={**kept, "PYTHONPATH": os.pathsep.join(sys.path), **env},
        encoding="utf-8",
        timeout=60,
        check=False,
    )


@pytest.mark.case("SINK-01")
@pytest.mark.parametrize(
    ("before", "after", "env"),
    [
        pytest.param("", "", {}, id="buffered"),
        pytest.param("", "", {"PYTHONUNBUFFERED": "1"}, id="unbuffered"),
        pytest.param("print('before')", "print('after')", {}, id="application prints too"),
    ],
)
def test_with_a_closed_pipe_nothing_is_accepted_and_the_end_is_quiet(
    before: str, after: str, env: dict[str, str]
) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = start("json", "10", SHORT, LONG, stdout=writing, before=before, after=after, **env)
    finally:
        os.close(writing)
    assert done.stderr.splitlines() == ["unknown CONSOLE_WRITE_FAILED"] * 2
    assert done.returncode == 0


@pytest.mark.case("SINK-01")
def test_with_a_reader_that_leaves_at_once_only_what_was_flushed_is_accepted() -> None:
    head = subprocess.Popen(["head", "-c", "0"], stdin=subprocess.PIPE)
    assert head.stdin is not None
    done = start("json", "10", SHORT, LONG, SHORT, stdout=head.stdin)
    head.stdin.close()
    assert head.wait(60) == 0
    first, *later = done.stderr.splitlines()
    assert first in ("accepted ", "unknown CONSOLE_WRITE_FAILED")  # the pipe may have taken it before head ended
    assert later == ["unknown CONSOLE_WRITE_FAILED"] * 2
    assert done.returncode == 0


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_reader_that_does_not_read_does_not_hold_up_the_end(unbuffered: str) -> None:
    reading, writing = os.pipe()
    try:
        done = start("json", "0.2", SHORT, LONG, SHORT, stdout=writing, PYTHONUNBUFFERED=unbuffered)
        assert os.read(reading, 10) == b'{"id":"0",'
    finally:
        os.close(writing)
        os.close(reading)
    assert done.stderr.splitlines() == ["accepted ", "unknown CONSOLE_TIMEOUT", "unknown CONSOLE_TIMEOUT"]
    assert done.returncode == 0


@pytest.mark.case("SINK-01")
def test_a_standard_output_that_was_closed_is_rejected() -> None:
    done = start("json", "10", SHORT, stdout=subprocess.DEVNULL, before="sys.stdout.close()")
    assert (done.stderr, done.returncode) == ("rejected CONSOLE_CLOSED\n", 0)


NARROW = pytest.mark.parametrize(
    "env",
    [
        {"PYTHONIOENCODING": "ascii"},
        {"PYTHONIOENCODING": "cp1252"},
        {"LANG": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
        {"PYTHONIOENCODING": "utf-8"},
    ],
    ids=lambda env: " ".join(map("=".join, env.items())),
)


@NARROW
@pytest.mark.case("SINK-02")
def test_json_is_one_full_line_in_any_charset(env: dict[str, str]) -> None:
    done = start("json", "10", ascii(TEXT), stdout=subprocess.PIPE, **env)
    assert (done.stderr, done.returncode) == ("accepted \n", 0)
    (line,) = done.stdout.splitlines()
    assert json.loads(line)["message"]["content"] == TEXT


@NARROW
@pytest.mark.case("SINK-02")
def test_text_is_accepted_in_any_charset(env: dict[str, str]) -> None:
    known = {"ascii": "caf? ? ?", "cp1252": "café ? ?", "utf-8": TEXT}
    encoding = env.get("PYTHONIOENCODING", "ascii")
    reading, writing = os.pipe()
    try:
        done = start("text", "10", ascii(TEXT), stdout=writing, **env)
    finally:
        os.close(writing)
    with open(reading, "rb") as stream:  # noqa: PTH123
        read = stream.read().decode(encoding)
    assert (done.stderr, done.returncode) == ("accepted \n", 0)
    assert read == f"{known[encoding]}\n"


@NARROW
@pytest.mark.case("SINK-02")
def test_importing_prints_nothing(env: dict[str, str]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", "import ditto_core, ditto_console"],
        capture_output=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **env},
        timeout=60,
        check=False,
    )
    assert (done.stdout, done.stderr, done.returncode) == (b"", b"", 0)
