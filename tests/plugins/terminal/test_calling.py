"""``ditto call`` and ``ditto search``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ditto_core import ExternalResult, from_wire
from tests.plugins.terminal.conftest import Ditto
from tests.support.plugins import Site

OUTCOMES = """
from ditto_core import UNSET, InteractionError, Tool, ToolOutcome, hookimpl
import asyncio

class Plugin:
    api_version = 1

    def __init__(self, *, api_key: str = "", greeting: str = "hello"):
        self.api_key, self.greeting = api_key, greeting

    @hookimpl
    def ditto_tools(self):
        def made(name, execute, **more):
            return Tool(name=name, input_schema={"type": "object"}, validate=dict, execute=execute, **more)

        async def end(arguments, context):
            status = arguments.get("status", "success")
            error = UNSET if status == "success" else InteractionError(code="NO", message="It did not work.")
            return ToolOutcome(status=status, content="partly", error=error)

        async def broken(arguments, context):
            raise RuntimeError("/home/me/secret is gone")

        async def invalid(arguments, context):
            return "no outcome"

        async def slow(arguments, context):
            await asyncio.Event().wait()

        async def ask(arguments, context):
            return ToolOutcome(content=f"{self.greeting} {len(self.api_key)}")

        yield made("end", end)
        yield made("broken", broken)
        yield made("invalid", invalid)
        yield made("slow", slow)
        yield made("wanted", ask, requires_approval=True)
        yield made("ask", ask)
"""


@pytest.fixture
def outcomes(site: Site) -> None:
    """Install a pack whose tools end in every way."""
    site.install("outcomes", plugins=["outcomes = outcomes_module:Plugin"], outcomes_module=OUTCOMES)


def test_a_call_writes_the_content_of_its_result(ditto: Ditto, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("one\ntwo\n", encoding="utf-8")
    words = ["call", "cat", "path=a.txt", "-p", "commands", "-w", str(tmp_path)]
    ran = ditto(*words, "--allow", "tools:cat", "--allow", "execute:cat")
    assert (ran.status, ran.out, ran.err) == (0, "one\ntwo\n", "")
    ran = ditto(*words, "--allow", "tools:cat", "--allow", "execute:cat", "--json")
    result = from_wire(ExternalResult, json.loads(ran.out))
    assert (result.source, result.status, result.content) == ("cat", "success", "one\ntwo\n")


def test_a_refusal_names_the_flag_and_with_all_that_were_named_the_call_runs(ditto: Ditto, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("one\n", encoding="utf-8")
    words = ["call", "read_text", "path=a.txt", "-p", "acme", "-w", str(tmp_path)]
    for _ in range(2):
        refused = ditto(*words)
        assert refused.status == 3
        assert refused.err.startswith("ditto: refused: ")
        words += refused.err.splitlines()[-1].removeprefix("On the command line: ").split()
    assert words[-4:] == ["--allow", "tools:read_text", "--allow", "read"]
    assert ditto(*words).status == 0


@pytest.mark.parametrize(
    ("outcome", "status"), [("success", 0), ("failed", 1), ("timeout", 4), ("unknown", 4), ("cancelled", 5)]
)
@pytest.mark.usefixtures("outcomes")
def test_the_exit_status_is_that_of_the_result(ditto: Ditto, outcome: str, status: int) -> None:
    ran = ditto("call", "end", f"status={outcome}", "-p", "outcomes", "--allow", "tools:end")
    assert (ran.status, ran.out) == (status, "partly\n")
    assert ran.err == ("" if outcome == "success" else f"ditto: {outcome}: NO: It did not work.\n")


@pytest.mark.parametrize(
    ("tool", "status", "told"),
    [
        ("broken", 1, "ditto: RuntimeError: its text is not shown\n"),
        ("invalid", 4, "ditto: InvalidResult: "),
        ("slow", 4, "ditto: CallTimeout: "),
    ],
)
@pytest.mark.usefixtures("outcomes")
def test_an_error_is_told_without_a_traceback(ditto: Ditto, tool: str, status: int, told: str) -> None:
    words = ["call", tool, "-p", "outcomes", "--allow", f"tools:{tool}", "--timeout", "0.05"]
    ran = ditto(*words)
    assert ran.status == status
    assert ran.err.startswith(told)
    assert "Traceback" not in ran.err
    assert "/home/me" not in ran.err
    assert "Traceback" in ditto("--debug", *words).err


@pytest.mark.usefixtures("outcomes")
def test_options_and_secrets_reach_the_plugin_and_no_message(ditto: Ditto, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OUTCOMES_KEY", "hunter22")
    words = ["call", "ask", "-p", "outcomes:greeting=bye", "-p", "outcomes:api_key=@OUTCOMES_KEY"]
    assert ditto(*words, "--allow", "tools:ask").out == "bye 8\n"
    refused = ditto(*words, "-p", "outcomes:nothing=1")
    assert refused.status == 3
    assert "hunter22" not in refused.err


CODE_ONLY = """
import attrs
from ditto_core import hookimpl

@attrs.frozen(kw_only=True, eq=False)
class Plugin:
    api_version = 1
    api_key: str = attrs.field(converter=str.strip, repr=False)

    @hookimpl
    def ditto_tools(self):
        return []
"""


@pytest.mark.parametrize("name", ["keyed", "keyed-pack"])
def test_a_key_on_the_command_line_is_told_how_it_is_given(
    name: str, ditto: Ditto, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.install("keyed", plugins=[f"{name} = keyed_module:Plugin"], keyed_module=CODE_ONLY)
    refused = ditto("tools", "-p", f"{name}:api_key=hunter22")
    assert f"{name}:api_key cannot stand on a command line; " in refused.err
    assert f"-p {name}:api_key=@VARIABLE\n" in refused.err
    assert "hunter22" not in refused.err
    monkeypatch.setenv("KEYED", "hunter22")
    assert ditto("tools", "-p", f"{name}:api_key=@KEYED").err == ""


@pytest.mark.usefixtures("outcomes")
def test_what_wants_approval_is_not_run_where_nobody_can_give_it(ditto: Ditto) -> None:
    words = ["call", "wanted", "-p", "outcomes", "--allow", "tools:wanted"]
    refused = ditto(*words)
    assert refused.status == 3
    assert "Approve it: --yes" in refused.err
    assert ditto(*words, "--yes").out == "hello 0\n"


def test_a_broken_plugin_does_not_hinder_the_others(ditto: Ditto, site: Site) -> None:
    site.install("broken-pack", plugins=["broken = broken_module:Plugin"], broken_module="raise SystemExit(0)")
    site.install("outcomes", plugins=["outcomes = outcomes_module:Plugin"], outcomes_module=OUTCOMES)
    ran = ditto("call", "ask", "-p", "broken", "-p", "outcomes", "--allow", "tools:ask")
    assert (ran.status, ran.out) == (0, "hello 0\n")
    assert "'broken' (broken-pack 1.0)" in ran.err
    ran = ditto("call", "aks", "-p", "broken", "-p", "outcomes")
    assert ran.status == 3
    assert "Did you mean 'ask'? broken could not be loaded." in ran.err


def test_a_configuration_file_is_used_and_the_command_line_wins(ditto: Ditto, tmp_path: Path) -> None:
    (tmp_path / "five.txt").write_text("1\n2\n3\n4\n5\n", encoding="utf-8")
    file = tmp_path / "ditto.json"
    file.write_text('{"plugins": {"commands": {"maxEntries": 2}}}', encoding="utf-8")
    words = ["call", "cat", "path=five.txt", "-w", str(tmp_path), "--allow", "tools:cat", "--allow", "execute:cat"]
    assert ditto(*words, "-p", "commands", "--config", str(file)).out == "1\n2\n"
    assert ditto(*words, "-p", "commands:max_entries=3", "--config", str(file)).out == "1\n2\n3\n"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["call", "grep"], "name the plugin of the tool"),
        (["call", "grep", "-p", "commands", "--allow", "everything"], "is no permission"),
        (["call", "grep", "pattern", "-p", "commands"], "is no argument"),
        (["call", "grep", "-p", "commands", "--timeout", "0"], "0.001"),
        (["call", "-p", "commands"], "Missing argument 'TOOL'"),
    ],
)
def test_wrong_usage_is_told_and_nothing_runs(ditto: Ditto, words: list[str], told: str) -> None:
    ran = ditto(*words)
    assert (ran.status, ran.out) == (2, "")
    assert told in ran.err


def test_a_search_writes_its_hits(ditto: Ditto, tmp_path: Path) -> None:
    (tmp_path / "tea.md").write_text("# Tea\n\nGreen tea wants less heat.\n", encoding="utf-8")
    words = ["search", "heat", "--provider", "local_search", "-p", f"local_search:folder={tmp_path}"]
    ran = ditto(*words)
    assert ran.status == 0, ran.err
    title, url, snippet = ran.out.splitlines()
    assert title == "Tea"
    assert url.endswith("/tea.md")
    assert "less heat" in snippet
    assert json.loads(ditto(*words, "--json").out)["status"] == "success"


def test_a_search_through_the_network_needs_its_origin(ditto: Ditto, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BRAVE_KEY", "key-0123456789")
    ran = ditto("search", "tea", "--provider", "brave", "-p", "brave:api_key=@BRAVE_KEY")
    assert ran.status == 3
    assert ran.err.splitlines()[-1] == "On the command line: --allow network:https://api.search.brave.com"
    assert "key-0123456789" not in ran.err


def test_a_provider_that_nobody_offers_is_told(ditto: Ditto) -> None:
    ran = ditto("search", "tea", "--provider", "bing", "-p", "commands")
    assert ran.status == 3
    assert "'bing'" in ran.err
