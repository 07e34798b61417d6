"""What a file and the environment set of what the core owns."""

from __future__ import annotations

import subprocess
import sys
from operator import attrgetter
from pathlib import Path
from typing import Any

import attrs
import pytest

from ditto_core import ConfigError, Sandbox, load_config
from tests.support.configs import Load

SETTINGS = [
    ("timeout", "timeoutMs", 1, 2_147_483_647),
    ("max_turns", "maxTurns", 1, None),
    ("graph_concurrency", "graphConcurrency", 1, None),
    ("loop_max_iterations", "loopMaxIterations", 1, None),
    ("react.max_action_calls", "react.maxActionCalls", 0, None),
    ("react.max_total_tokens", "react.maxTotalTokens", 1, None),
    ("sandbox.timeout", "sandbox.timeoutMs", 1, 2_147_483_647),
    ("sandbox.max_output_bytes", "sandbox.maxOutputBytes", 1, 16_777_216),
]
"""The name in Python and in a file, the least and the greatest value: those of the specification."""


def written(path: str, value: Any) -> str:
    """Give the file that sets one setting of the runtime."""
    group, _, key = path.rpartition(".")
    return f"runtime: {{{group}: {{{key}: {value}}}}}" if group else f"runtime: {{{key}: {value}}}"


@pytest.mark.promise("D-CFG-05")
@pytest.mark.parametrize(("name", "path", "least", "most"), SETTINGS)
def test_a_setting_has_its_bounds_and_is_none_without_a_file(
    name: str, path: str, least: int, most: int | None, load: Load
) -> None:
    assert attrgetter(name)(load_config(None).runtime) is None
    for value in (least, most or 10**30):
        found = attrgetter(name)(load(written(path, value)).runtime)
        assert found == (value / 1000 if name.endswith("timeout") else value)
        assert type(found) is (float if name.endswith("timeout") else int)
    for value in (least - 1, *([most + 1] if most else [])):
        with pytest.raises(ConfigError, match=rf"^ditto.yaml, line 1: runtime.{path} must be an integer "):
            load(written(path, value))


def test_without_a_file_and_an_environment_nothing_is_set_and_nothing_permitted(
    tmp_path: Path, monkeypatch: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    config = load_config(None)
    assert (config.environment, config.workspace, config.plugins) == ("development", tmp_path, ())
    sandbox = config.sandbox()
    assert not any(sandbox.allows(kind) for kind in ("read", "write", "execute"))
    assert (sandbox.tools, sandbox.mcp, sandbox.network) == (frozenset(), frozenset(), frozenset())
    assert (sandbox.workspace, sandbox.executor) == (tmp_path.resolve(), None)


@pytest.mark.promise("CFG-01b")
def test_the_environment_permits_once_a_sandbox_is_asked_for(load: Load, tmp_path: Path) -> None:
    env = {
        "DITTO_RUNTIME_ENV": "production",
        "DITTO_RUNTIME_WORKSPACE": str(tmp_path),
        "DITTO_SHARED_SANDBOX_ALLOW_TOOLS": " grep, cat ,,",
        "DITTO_SHARED_SANDBOX_ALLOW_MCP": "*",
        "DITTO_SHARED_SANDBOX_ALLOW_NETWORK": "https://API.example.com:443/",
        "DITTO_SHARED_SANDBOX_ALLOW_READ": "true",
        "DITTO_SHARED_SANDBOX_ALLOW_WRITE": "false",
        "DITTO_SHARED_SANDBOX_ALLOW_EXECUTE": "true",
    }
    config = load("{}", env)
    assert config.environment == "production"
    assert config.permissions.tools == {"grep", "cat"}
    executor = Executor()
    sandbox = config.sandbox(executor=executor)
    assert isinstance(sandbox, Sandbox)
    assert sandbox is not config.sandbox(executor=executor)
    assert sandbox.executor is executor
    assert (sandbox.tools, sandbox.mcp, sandbox.network) == ({"grep", "cat"}, {"*"}, {"https://api.example.com"})
    assert (sandbox.read, sandbox.write, sandbox.execute) == (True, False, True)
    assert sandbox.workspace == tmp_path.resolve()


class Executor:
    local = False

    async def run(self, command: Any, *, workspace: Path) -> Any:
        raise AssertionError("nothing is run here")


@pytest.mark.parametrize("which", ["", "runtime", "runtime.react", "permissions"])
def test_a_configuration_never_changes(which: str) -> None:
    config = load_config(None)
    thing: Any = attrgetter(which)(config) if which else config
    for field in attrs.fields(type(thing)):
        with pytest.raises(attrs.exceptions.FrozenInstanceError):
            setattr(thing, field.name, None)


def test_a_repr_shows_neither_values_nor_folders(load: Load, tmp_path: Path) -> None:
    config = load("plugins: {x: {key: hunter2-horse}}", {"DITTO_RUNTIME_WORKSPACE": str(tmp_path)})
    assert repr(config) == "Config(environment='development', plugins=('x',))"


@pytest.mark.promise("CFG-05", "CFG-03")
def test_loading_reads_one_file_and_imports_no_plugin(tmp_path: Path) -> None:
    text = "plugins: {commands: {maxEntries: 5}, console: {}}\nworkers: {interaction: {webSearch: {timeoutMs: 1}}}"
    (tmp_path / "ditto.yaml").write_text(text, encoding="utf-8")
    script = """
import os, sys
from ditto_core import load_config
import ruamel.yaml
class Nothing(dict):
    def __getitem__(self, name): raise AssertionError(name)
    get = __iter__ = keys = items = __contains__ = __getitem__
os.environ = os.environb = Nothing()
opened = []
def hook(event, arguments):
    if event in ("open", "os.listdir", "os.scandir", "socket.connect", "socket.bind", "subprocess.Popen", "os.exec"):
        name = arguments[0]  # a descriptor has been opened by name before
        if type(name) is str and not name.endswith((".py", ".pyc")) and not os.path.isdir(name):
            opened.append((event, name))
sys.addaudithook(hook)
config = load_config("ditto.yaml")
print([name for _, name in opened if "ditto" in str(name) or not str(name).startswith("/")])
print(sorted(name for name in sys.modules if name.startswith(("ditto_commands", "ditto_console"))), config.plugins)
"""
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.stderr, done.stdout) == ("", "['ditto.yaml']\n[] ('commands', 'console', 'brave')\n")
