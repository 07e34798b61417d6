"""What not everybody installs is needed by the commands that use it, and by no other."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.plugins.terminal.conftest import Ditto

NEEDED = {
    "ditto-mcp": [
        ["mcp", "discover", "--stdio", "server"],
        ["mcp", "call", "read", "--stdio", "server", "--allow", "mcp:server"],
        ["mcp", "serve", "-p", "commands", "--allow", "tools:*"],
    ],
    "ditto-local": [["call", "grep", "pattern=a", "-p", "commands", "--allow", "tools:*", "--allow", "execute:grep"]],
    "ditto-formats": [["tools", "-p", "commands", "--format", "openai"]],
}
ALONE = """
import sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("ditto_testkit", "ditto_mcp", "mcp", "pytest", "hypothesis", "jsonschema"):
            raise ModuleNotFoundError(name, name=name)

sys.meta_path.insert(0, Blocked())
from ditto_terminal import main
sys.argv[:] = ["ditto", *{words!r}]
main()
"""


@pytest.mark.parametrize(
    "words", [["--help"], ["mcp", "--help"], ["plugins"], ["tools", "-p", "commands"]], ids=" ".join
)
@pytest.mark.promise("D-CLI-01")
def test_the_command_starts_without_the_kit_and_without_mcp(words: list[str]) -> None:
    command = [sys.executable, "-W", "error", "-c", ALONE.replace("{words!r}", repr(words))]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout


@pytest.mark.parametrize(
    ("distribution", "words"), [(name, words) for name, calls in NEEDED.items() for words in calls], ids=str
)
@pytest.mark.promise("D-CLI-01")
def test_a_command_says_what_to_install(
    distribution: str, words: list[str], ditto: Ditto, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, distribution.replace("-", "_"), None)
    ran = ditto(*words)
    assert (ran.status, ran.out) == (3, "")
    assert f"Install it: pip install {distribution}" in ran.err
