"""``ditto mcp``: a server of others, and the plugins as one."""

from __future__ import annotations

import json
import shlex
import signal
import sys
from pathlib import Path

import pytest

from ditto_core import ExternalResult, from_wire
from tests.plugins.terminal.conftest import Ditto
from tests.support.project import ROOT
from tests.support.terminals import terminal

DITTO = str(Path(sys.executable).parent / "ditto")


@pytest.fixture
def server(tmp_path: Path) -> str:
    """Give the command of a server that reads the files of a folder."""
    (tmp_path / "a.txt").write_text("here\n", encoding="utf-8")
    return shlex.join([sys.executable, str(ROOT / "docs/examples/mcp_server.py"), str(tmp_path)])


def test_the_tools_of_a_server_are_listed(ditto: Ditto, server: str) -> None:
    ran = ditto("mcp", "discover", "--stdio", server)
    assert ran.status == 0
    assert [line.partition("\t")[0] for line in ran.out.splitlines()] == ["read_text", "search_text"]
    (first, _) = json.loads(ditto("mcp", "discover", "--stdio", server, "--json").out)
    assert (first["server"], first["name"]) == ("server", "read_text")


def test_a_tool_of_a_server_is_called_once_it_is_permitted(ditto: Ditto, server: str) -> None:
    words = ["mcp", "call", "read_text", "path=a.txt", "--stdio", server]
    refused = ditto(*words)
    assert refused.status == 3
    assert refused.err.splitlines()[-1] == "On the command line: --allow mcp:server"
    assert ditto(*words, "--allow", "mcp:server").out == "here\n"
    result = from_wire(ExternalResult, json.loads(ditto(*words, "--allow", "mcp:server", "--json").out))
    assert (result.status, result.source) == ("success", "server:read_text")
    missing = ditto("mcp", "call", "read_text", "path=b.txt", "--stdio", server, "--allow", "mcp:server")
    assert missing.status == 1
    assert "MCP_TOOL_ERROR" in missing.err


def test_plugins_are_served_as_far_as_they_are_permitted(ditto: Ditto, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("served\n", encoding="utf-8")
    permissions = ["--allow", "tools:cat", "--allow", "execute:cat", "--workspace", str(tmp_path)]
    command = shlex.join([DITTO, "mcp", "serve", "-p", "commands", *permissions])
    assert ditto("mcp", "discover", "--stdio", command).out == "cat\tPrint a file.\n"
    called = ditto("mcp", "call", "cat", "path=a.txt", "--stdio", command, "--allow", "mcp:server")
    assert called.out == "served\n"


def test_a_server_over_http_says_where_it_is_and_ends_with_ctrl_c(ditto: Ditto, tmp_path: Path) -> None:
    words = [DITTO, "mcp", "serve", "-p", "acme", "--allow", "tools:read_text", "--allow", "read", "--port", "0"]
    with terminal(words, folder=tmp_path, environment={"NO_COLOR": "1"}) as screen:
        screen.wait_for("/mcp")
        url = screen.seen.partition("listening on ")[2].split()[0]
        assert ditto("mcp", "discover", "--http", url).out.startswith("read_text\t")
        screen.press(b"\x03")
        assert screen.end() == 128 + signal.SIGINT
    assert "Traceback" not in screen.seen


@pytest.mark.parametrize(
    ("words", "status", "told"),
    [
        (["mcp", "discover"], 2, "name one server"),
        (["mcp", "discover", "--stdio", "a", "--http", "http://127.0.0.1:9/mcp"], 2, "name one server"),
        (["mcp", "discover", "--stdio", " "], 2, "write a program"),
        (["mcp", "discover", "--stdio", "'"], 2, "cannot be split into words"),
        (["mcp", "discover", "--stdio", "a", "--header", "X=@Y"], 2, "has no headers"),
        (["mcp", "discover", "--http", "http://127.0.0.1:9/mcp", "--header", "X=y"], 2, "write NAME=@VARIABLE"),
        (["mcp", "discover", "--http", "http://127.0.0.1:9/mcp", "--header", "X=@NOT_SET"], 2, "export it"),
        (["mcp", "discover", "--http", "http://127.0.0.1:9/mcp"], 3, "McpConnectFailed"),
        (["mcp", "discover", "--stdio", "no-such-program-at-all"], 3, "McpConnectFailed"),
        (["mcp", "discover", "--http", "no address"], 3, "InvalidValue"),
        (["mcp", "serve"], 2, "name a plugin"),
        (["mcp", "serve", "-p", "commands"], 3, "--allow tools:NAME"),
    ],
)
def test_what_cannot_be_asked_or_served_is_told(ditto: Ditto, words: list[str], status: int, told: str) -> None:
    ran = ditto(*words)
    assert (ran.status, ran.out) == (status, "")
    assert told in ran.err
