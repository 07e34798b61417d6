"""Commands that hang, and everything else that goes on meanwhile."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import attrs
import pytest

from ditto_commands import CommandTools
from ditto_core import (
    ACT_TOOL,
    CallTimeout,
    Command,
    CommandResult,
    ExternalResult,
    PermissionDenied,
    PluginHost,
    Runtime,
    RuntimeClosed,
    Sandbox,
    ToolCall,
    ToolInput,
    interaction_worker,
)
from ditto_local import LocalExecutor
from tests.support import run
from tests.support.commands import PROGRAMS, on
from tests.support.processes import children, until


@attrs.frozen
class Unchecked:
    """A local executor whose paths nobody looks at, so that a pipe can be opened and holds a command up."""

    local: bool = False

    async def run(self, command: Command, *, workspace: Path) -> CommandResult:
        return await LocalExecutor(PROGRAMS, timeout=50).run(command, workspace=workspace)


def _runtime(folder: Path, *, prefix: str = "", tools: tuple[str, ...] = ("*",)) -> Runtime:
    (folder / "file").write_text("text\n")
    os.mkfifo(folder / "pipe")
    host = PluginHost()
    host.register(CommandTools(), prefix=prefix)
    sandbox = Sandbox(folder, tools=tools, execute=True, executor=Unchecked())
    return Runtime(workers=[interaction_worker(tools=host.tools)], sandbox=sandbox)


async def _cat(runtime: Runtime, path: str, timeout: float | None = None) -> ExternalResult:
    call = ToolCall(id="call-1", name="cat", arguments={"path": path})
    return await runtime.invoke(ACT_TOOL, ToolInput(call=call), timeout=timeout)


@pytest.mark.promise("RUN-03")
@pytest.mark.case("ARG-06", "RUN-03")
def test_a_command_that_hangs_holds_nobody_up_and_is_freed_when_cancelled(tmp_path: Path) -> None:
    async def scenario() -> None:
        before = children()
        async with _runtime(tmp_path) as runtime:
            hanging = [asyncio.create_task(_cat(runtime, "pipe")) for _ in range(8)]
            await until(lambda: len(children() - before) == 8)
            assert (await _cat(runtime, "file")).content == "text\n"
            for call in hanging:
                call.cancel()
            async with asyncio.timeout(10):
                answers = await asyncio.gather(*hanging, return_exceptions=True)
            assert [type(answer) for answer in answers] == [asyncio.CancelledError] * 8
            assert children() == before

    run(scenario(), timeout=40)


@pytest.mark.case("RUN-03")
def test_the_deadline_of_a_call_ends_its_command(tmp_path: Path) -> None:
    async def scenario() -> None:
        before = children()
        async with _runtime(tmp_path) as runtime:
            with pytest.raises(CallTimeout) as caught:
                await _cat(runtime, "pipe", timeout=0.5)
            assert caught.value.started
            assert children() == before

    run(scenario(), timeout=40)


def test_closing_the_runtime_ends_a_command(tmp_path: Path) -> None:
    async def scenario() -> None:
        before = children()
        runtime = _runtime(tmp_path)
        hanging = asyncio.create_task(_cat(runtime, "pipe"))
        await until(lambda: len(children() - before) == 1)
        await runtime.aclose(timeout=0, grace=10)
        with pytest.raises(RuntimeClosed) as caught:
            await hanging
        assert caught.value.started
        assert children() == before

    run(scenario(), timeout=40)


@pytest.mark.promise("CMD-21")
def test_a_tool_that_was_renamed_is_permitted_under_its_new_name_and_runs_the_same_program(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with _runtime(tmp_path, prefix="unix_", tools=("unix_cat", "stat")) as runtime:
            call = ToolCall(id="call-1", name="unix_cat", arguments=on("cat", "file"))
            result = await runtime.invoke(ACT_TOOL, ToolInput(call=call))
            assert (result.source, result.content) == ("unix_cat", "text\n")
            with pytest.raises(PermissionDenied):
                await runtime.invoke(ACT_TOOL, ToolInput(call=ToolCall(id="2", name="unix_stat", arguments={})))

    run(scenario(), timeout=40)
