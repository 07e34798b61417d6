"""How the tests call a tool of the pack: as an application does, but without a runtime."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol

import pytest

from acme_pack import AcmePack
from ditto_core import ExternalResult, PluginHost, Sandbox, ToolCall, ToolContext
from tests.support import run


class Call(Protocol):
    """Call one tool in the workspace of the test."""

    def __call__(self, name: str, /, **arguments: Any) -> ExternalResult: ...


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A folder with text files, a file that is none, and a folder that the pack leaves out."""
    (tmp_path / "src/deep").mkdir(parents=True)
    (tmp_path / ".git").mkdir()
    (tmp_path / "notes.txt").write_bytes(b"one\ntwo\r\nthree")
    (tmp_path / "empty.txt").touch()
    (tmp_path / "src/main.py").write_bytes(b"import os\nprint('One')\n")
    (tmp_path / "src/deep/more.py").write_bytes(b"# one more\n")
    (tmp_path / "logo.png").write_bytes(b"\x89PNG one\n")
    (tmp_path / ".git/HEAD").write_bytes(b"one\n")
    return tmp_path


@pytest.fixture
def pack() -> AcmePack:
    """The pack as it is without options; a test that needs others overrides it."""
    return AcmePack()


@pytest.fixture
def call(workspace: Path, pack: AcmePack) -> Call:
    """Return what calls a tool of the pack and gives its result."""
    host = PluginHost()
    host.register(pack)
    context = ToolContext(sandbox=Sandbox(workspace, tools=["*"], read=True))

    def call_tool(name: str, /, **arguments: Any) -> ExternalResult:
        return run(host.tools.call(ToolCall(id="c1", name=name, arguments=arguments), context))

    return call_tool


@pytest.fixture
def long_names(workspace: Path) -> Path:
    """Files, each with the text ``one``, whose names have more bytes together than a result may."""
    folder = workspace / "/".join(["é" * 120] * 15)
    folder.mkdir(parents=True)
    for number in range(300):
        (folder / f"{number:03}{'é' * 100}").write_bytes(b"one")
    return folder
