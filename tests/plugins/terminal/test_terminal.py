"""The command in a real terminal: colours, a question, Ctrl-C, and the session that the guide shows."""

from __future__ import annotations

import os
import re
import select
import shlex
import signal
import sys
from pathlib import Path

import pytest

from tests.support.project import ROOT
from tests.support.terminals import SECONDS, terminal

DITTO = str(Path(sys.executable).parent / "ditto")

OWN_SECONDS = f"3371.{os.getpid()}"
"""How long the program of the pack would sleep: its word among all processes of this machine."""

PACK = """
from ditto_core import Command, Tool, ToolOutcome, hookimpl

class Plugin:
    api_version = 1

    @hookimpl
    def ditto_tools(self):
        async def sleep(arguments, context):
            await context.sandbox.run(Command("sh", ("-c", "echo begun > ready; exec sleep SECONDS")))

        async def wanted(arguments, context):
            return ToolOutcome(content="done")

        def made(name, execute, **more):
            return Tool(name=name, input_schema={"type": "object"}, validate=dict, execute=execute, **more)

        yield made("sleep", sleep, description="A \\x1b[31mred\\x1b[0m word.")
        yield made("wanted", wanted, requires_approval=True)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Give a folder in which a pack is as good as installed, once it is on the path."""
    install(tmp_path, "sleepy", "sleepy_module:Plugin")
    (tmp_path / "sleepy_module.py").write_text(PACK.replace("SECONDS", OWN_SECONDS), encoding="utf-8")
    return tmp_path


def install(site: Path, name: str, value: str) -> None:
    """Write the metadata that an installer writes for a distribution with one plugin."""
    metadata = site / f"{name.replace('-', '_')}-0.1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 0.1.0\n", encoding="utf-8")
    (metadata / "entry_points.txt").write_text(f"[ditto.plugins]\n{name} = {value}\n", encoding="utf-8")


def shown(words: list[str], folder: Path, **environment: str) -> tuple[int, str]:
    """Run the command to its end and give its status and what it showed."""
    with terminal([DITTO, *words], folder=folder, environment={"PYTHONPATH": str(folder), **environment}) as screen:
        return screen.end(), screen.seen


def test_ctrl_c_cancels_the_call_and_leaves_no_process(folder: Path) -> None:
    os.mkfifo(folder / "ready")
    ready = os.open(folder / "ready", os.O_RDWR)
    words = [DITTO, "call", "sleep", "-p", "sleepy", "--allow", "tools:sleep", "--allow", "execute:sh"]
    try:
        with terminal(words, folder=folder, environment={"PYTHONPATH": str(folder)}) as screen:
            assert select.select([ready], [], [], SECONDS)[0], screen.seen
            screen.press(b"\x03")
            assert screen.end() == 128 + signal.SIGINT
    finally:
        os.close(ready)
    assert "interrupted" in screen.seen
    assert "Traceback" not in screen.seen
    assert sleepers() == []


def sleepers() -> list[str]:
    """Give the processes that run the program of the pack."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if path.read_bytes() == f"sleep\0{OWN_SECONDS}\0".encode():
                found.append(path.parent.name)
        except OSError:
            continue
    return found


@pytest.mark.parametrize(("answer", "status"), [(b"y\n", 0), (b"\n", 3), (b"no\n", 3)])
def test_a_tool_that_wants_approval_asks_the_person(folder: Path, answer: bytes, status: int) -> None:
    words = [DITTO, "call", "wanted", "-p", "sleepy", "--allow", "tools:wanted"]
    with terminal(words, folder=folder, environment={"PYTHONPATH": str(folder)}) as screen:
        screen.wait_for("Run it? [y/N] ")
        screen.press(answer)
        assert screen.end() == status
    assert ("done" in screen.seen) == (status == 0)


def test_a_table_has_colours_unless_they_are_not_wanted_and_never_those_of_a_plugin(folder: Path) -> None:
    status, coloured = shown(["tools", "-p", "sleepy"], folder)
    assert status == 0
    assert "\x1b[1m" in coloured
    _, plain = shown(["tools", "-p", "sleepy"], folder, NO_COLOR="1")
    assert "\x1b[31m" not in coloured + plain
    assert "\\x1b[31mred" in plain


def test_help_fits_the_terminal_and_teaches_by_example(folder: Path) -> None:
    status, text = shown(["call", "--help"], folder, NO_COLOR="1")
    assert status == 0
    assert "Example: ditto call grep" in text
    assert max(map(len, re.sub(r"\x1b\[[0-9;]*m", "", text).splitlines())) <= 100


@pytest.mark.promise("D-QUAL-07")
def test_the_session_of_the_guide_is_what_a_terminal_shows(tmp_path: Path) -> None:
    session = (ROOT / "docs/examples/terminal/session.txt").read_text(encoding="utf-8")
    site = tmp_path / "site"
    site.mkdir()
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / "tea.txt").write_text("Green tea wants less heat than black.\n", encoding="utf-8")
    told, expected = [], re.split(r"^\$ (.*)\n", session, flags=re.MULTILINE)[1:]
    for command in expected[::2]:
        words = shlex.split(command)
        screen = ""
        if words[0] == "cd":
            folder = folder / words[1]
        elif words[0] == "pip":  # what it would download and build is tried where the wheels are
            install(site, folder.name, f"{folder.name.replace('-', '_')}:AcmeTea")
        else:
            path = f"{site}{os.pathsep}{folder / 'src'}"
            environment = {"PYTHONPATH": path, "NO_COLOR": "1", "TERM": "dumb"}
            with terminal([DITTO, *words[1:]], folder=folder, environment=environment) as running:
                running.end()
            screen = visible(running.seen)
        told.append(f"$ {command}\n{screen}\n".rstrip() + "\n")
    assert "\n".join(told) == session


def visible(seen: str) -> str:
    """Give what a person sees: what was written over is gone, and times differ from run to run."""
    lines = (line.rpartition("\r")[2].rstrip() for line in seen.rstrip().split("\n"))
    return re.sub(r" +[0-9.]+ s\b", "  0.1 s", "\n".join(lines)).strip("\n")
