"""What holds for the whole project and no linter knows."""

from __future__ import annotations

import ast
import asyncio
import subprocess
import sys
from importlib.metadata import entry_points

import attrs
import pytest

import ditto_core
from tests.support.project import ROOT, files, pyproject


@pytest.mark.promise("COMP-13")
def test_every_name_of_the_specification_comes_from_the_root_package() -> None:
    names = """
        PluginHost load_plugin installed_plugins hookimpl Origin Tool tool ToolOutcome ToolFailed ToolRegistry
        ToolDefinition ToolContext with_prefix with_output_limit with_timeout with_approval safe_message
        WebSearchProvider SearchHit OutputSink OutputRequest OutputReceipt ToolCall ExternalResult Observation
        InteractionError Reference Artifact Message TextPart JsonPart ReferencePart MessageContent JsonValue JsonObject
        Unset UNSET ToolInput ObserveInput observe to_wire from_wire Sandbox Command CommandResult CommandExecutor
        Worker interaction_worker interaction_nodes tool_handler output_handler Node ACT_TOOL OBSERVE OUTPUT Runtime
        Registration CallStarted CallFinished DittoError
    """
    assert set(names.split()) <= set(ditto_core.__all__)


@pytest.mark.promise("COMP-13b")
def test_so_do_the_names_of_composition_web_search_and_mcp() -> None:
    names = """
        McpRegistry McpClient McpPage McpToolResult McpCapability McpDiscover McpInvoke McpDiscovered McpInvoked
        mcp_handler ACT_MCP web_search_tool Graph Step Outputs Loop load_config
    """
    assert set(names.split()) <= set(ditto_core.__all__)


@pytest.mark.promise("COMP-01b")
def test_no_distribution_adds_a_client_to_a_registry() -> None:
    plugins = [found.load() for found in entry_points(group="ditto.plugins") if found.module.startswith("ditto_")]
    assert plugins
    mcp = ditto_core.McpRegistry()
    assert mcp.servers() == ()
    output = asyncio.run(mcp.execute(ditto_core.McpDiscover(), ditto_core.Sandbox(mcp=["*"])))
    assert output.capabilities == ()


@pytest.mark.promise("COMP-14")
def test_importing_prints_nothing_and_starts_nothing() -> None:
    packages = [path.parent.name for path in sorted((ROOT / "plugins").glob("*/src/*/__init__.py"))]
    script = f"""
import sys, threading
seen = []
sys.addaudithook(lambda event, args: seen.append(event))
import ditto_core, {", ".join(packages)}
assert threading.active_count() == 1, threading.enumerate()
effects = ("socket.connect", "socket.bind", "subprocess.", "os.fork", "os.exec", "os.posix_spawn")
assert [event for event in seen if event.startswith(effects)] == []
"""
    command = [sys.executable, "-W", "error", "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.promise("COMP-14", "D-QUAL-02", "D-VAL-02", "D-GRAPH-01")
def test_sources_examples_and_typing_tests_are_checked_strictly() -> None:
    settings = pyproject(ROOT)["tool"]["mypy"]
    assert settings["strict"] is True
    assert {"core/src", "docs/examples", "tests/typing", "noxfile.py"} <= set(settings["files"])
    source = (ROOT / "tests/typing/contracts.py").read_text(encoding="utf-8")
    assert "if result.error is UNSET:" in source
    source = (ROOT / "tests/typing/graphs.py").read_text(encoding="utf-8")
    for wrong in ("the_wrong_class_of_output", "out_of_order", "misspelt"):
        assert f"def {wrong}(" in source


@pytest.mark.promise("D-PLUG-21")
def test_plugin_classes_are_frozen_compare_by_identity_and_name_their_interface() -> None:
    plugins = [
        found.load() for found in entry_points(group="ditto.plugins") if found.module.startswith(("ditto_", "acme"))
    ]
    for plugin in plugins:
        assert attrs.has(plugin), plugin
        assert plugin.__eq__ is object.__eq__
        assert plugin.__setattr__ is not object.__setattr__
        assert plugin.api_version == 1


@pytest.mark.promise("D-QUAL-05")
def test_no_test_sleeps_to_synchronise() -> None:
    """``asyncio.sleep(0)`` gives way to others; any other sleep waits for a guess.

    A nanosecond is no time to wait in: it is the fault itself, in what the contract tests have to find.
    """
    sleeps = []
    for path in files(".py", below=ROOT / "tests"):
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(call, ast.Call) and ast.unparse(call.func) in ("time.sleep", "asyncio.sleep"):
                length = ast.unparse(call.args[0])
                # A random length is the point that a test draws; a nanosecond is what blocks on purpose.
                if length not in {"0", "1e-09"} and "random" not in length:
                    sleeps.append(f"{path.relative_to(ROOT)}:{call.lineno}: {ast.unparse(call)}")
    assert sleeps == []


@pytest.mark.promise("D-QUAL-05")
def test_warnings_are_errors() -> None:
    assert pyproject(ROOT)["tool"]["pytest"]["ini_options"]["filterwarnings"] == ["error"]


@pytest.mark.promise("D-QUAL-06")
def test_tests_name_no_host_but_this_one() -> None:
    opening = ("create_connection", "open_connection", "urlopen")
    connecting = [
        f"{path.relative_to(ROOT)}:{call.lineno}"
        for path in files(".py", below=ROOT / "tests")
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call)
        and ast.unparse(call.func).endswith(opening)
        and not ast.unparse(call.args[0]).lstrip("(").startswith("'127.0.0.1'")
    ]
    assert connecting == []
