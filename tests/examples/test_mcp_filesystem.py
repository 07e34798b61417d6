"""The example of a graph that reads through the filesystem server does what the specification says of it."""

from __future__ import annotations

import json
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from ditto_core import CallTimeout
from tests.support import run
from tests.support.peers import node_server
from tests.support.processes import children
from tests.support.project import ROOT

PROGRAM = ROOT / "docs/examples/mcp_filesystem.py"
RAW = [sys.executable, "-I", "-S", str(ROOT / "tests/support/mcp_servers/raw_server.py")]


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    (tmp_path / "hello.txt").write_text("Hello from MCP\n")
    return tmp_path


def program(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-I", "-W", "error", str(PROGRAM), *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.promise("SDK-03", "SDK-08")
def test_the_program_discovers_reads_and_prints_what_it_observed(workspace: Path) -> None:
    done = program(str(workspace), "hello.txt", *node_server("filesystem"))
    assert done.returncode == 0
    observed = json.loads(done.stdout)
    assert (observed["callId"], observed["source"]) == ("read-1", "files:read_text_file")
    assert observed["message"]["content"][0] == {"type": "text", "text": "Hello from MCP\n"}
    assert observed["structuredContent"] == {"content": "Hello from MCP\n"}


@pytest.mark.promise("SDK-08")
@pytest.mark.parametrize("words", [[], ["."]])
def test_the_program_says_how_it_is_used(words: list[str]) -> None:
    done = program(*words)
    usage = "Usage: python mcp_filesystem.py WORKSPACE RELATIVE_FILE [COMMAND ...]\n"
    assert (done.returncode, done.stdout, done.stderr) == (1, "", usage)


@pytest.mark.promise("SDK-04", "SDK-07")
def test_a_missing_file_is_a_failure_and_everything_is_closed(workspace: Path) -> None:
    run_mcp = runpy.run_path(str(PROGRAM))["run_mcp"]
    before = children()
    with pytest.raises(RuntimeError, match="reported an error"):
        run(run_mcp(workspace, "missing.txt", node_server("filesystem")), timeout=30)
    assert children() == before


@pytest.mark.promise("SDK-05", "SDK-07")
def test_a_server_without_the_tool_is_not_asked_for_it(workspace: Path) -> None:
    run_mcp = runpy.run_path(str(PROGRAM))["run_mcp"]
    before = children()
    with pytest.raises(LookupError, match="does not offer read_text_file"):
        run(run_mcp(workspace, "hello.txt", RAW))
    assert children() == before


@pytest.mark.promise("SDK-06", "SDK-07")
def test_a_run_that_takes_too_long_ends_with_a_timeout_and_everything_is_closed(workspace: Path) -> None:
    names = runpy.run_path(str(PROGRAM))
    assert names["SECONDS"] == 15.0
    names["run_mcp"].__globals__["SECONDS"] = 0.2
    before = children()
    with pytest.raises(CallTimeout):
        run(names["run_mcp"](workspace, "hello.txt", [*RAW, "silent-read"]))
    assert children() == before
