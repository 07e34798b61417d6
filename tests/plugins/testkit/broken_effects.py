"""Packs that break one rule each: TP-030 to TP-035."""

from __future__ import annotations

import os
import socket
import subprocess
from pathlib import Path
from typing import Any

from ditto_core import Command, JsonObject, ToolContext, ToolOutcome
from ditto_testkit import ToolPack
from tests.plugins.testkit.breaking import breaks
from tests.plugins.testkit.packs import pack, printed, read, reading, showing


@breaks("TP-030")
def leaves_a_note() -> ToolPack:
    async def note(arguments: JsonObject, context: ToolContext) -> ToolOutcome:
        outcome = await read(arguments, context)
        (context.sandbox.workspace / "note").write_text("read", encoding="utf-8")
        return outcome

    return pack(lambda: [reading(execute=note)])


@breaks("TP-031")
def looks_up_a_name() -> ToolPack:
    async def look(arguments: JsonObject, context: ToolContext) -> ToolOutcome:
        socket.getaddrinfo("127.0.0.1", 80, flags=socket.AI_NUMERICHOST)
        return await read(arguments, context)

    return pack(lambda: [reading(execute=look)])


@breaks("TP-032")
def starts_a_process() -> ToolPack:
    async def start(arguments: JsonObject, context: ToolContext) -> ToolOutcome:
        outcome = await read(arguments, context)
        subprocess.run(["/bin/true"], check=False)
        return outcome

    return pack(lambda: [reading(execute=start)])


@breaks("TP-033")
def reads_without_asking() -> ToolPack:
    async def open_it(arguments: JsonObject, context: ToolContext) -> ToolOutcome:
        return ToolOutcome(content=(context.sandbox.workspace / "a.txt").read_text(encoding="utf-8"))

    return pack(lambda: [reading(execute=open_it)])


@breaks("TP-033")
def runs_first_and_asks_then() -> ToolPack:
    async def late(arguments: JsonObject, context: ToolContext) -> ToolOutcome:
        executor = context.sandbox.executor
        assert executor is not None
        command = Command("cat", ("--", str(arguments["path"])), max_stdout=1_000)
        result = await executor.run(command, workspace=context.sandbox.workspace)
        context.sandbox.require("execute")
        return printed(result)

    return pack(lambda: [showing(execute=late)])


@breaks("TP-034")
def does_not_declare_that_it_reads() -> ToolPack:
    return pack(lambda: [reading(effects=())])


@breaks("TP-035")
def answers_otherwise_the_second_time() -> ToolPack:
    last = [""]

    async def remember(arguments: JsonObject, context: ToolContext) -> ToolOutcome:
        again = last[0] == context.call_id
        last[0] = "" if again else context.call_id
        return ToolOutcome(content="again" if again else "first")

    return pack(lambda: [reading(execute=remember)])


def _reading_and(act: Any) -> ToolPack:
    async def also(arguments: JsonObject, context: ToolContext) -> ToolOutcome:
        outcome = await read(arguments, context)
        act(context.sandbox.workspace)
        return outcome

    return pack(lambda: [reading(execute=also)])


@breaks("TP-030")
def makes_a_link() -> ToolPack:
    def act(workspace: Path) -> None:
        if not (workspace / "new").is_symlink():
            (workspace / "new").symlink_to(os.devnull)

    return _reading_and(act)


@breaks("TP-030")
def removes_a_link() -> ToolPack:
    return _reading_and(lambda workspace: (workspace / "dangling").unlink(missing_ok=True))


@breaks("TP-030")
def turns_a_link() -> ToolPack:
    def act(workspace: Path) -> None:
        (workspace / "dangling").unlink(missing_ok=True)
        (workspace / "dangling").symlink_to("a.txt")

    return _reading_and(act)


@breaks("TP-030")
def changes_a_mode() -> ToolPack:
    return _reading_and(lambda workspace: workspace.chmod(0o700))


@breaks("TP-030")
def changes_a_time() -> ToolPack:
    return _reading_and(lambda workspace: os.utime(workspace / "a.txt", (1, 1)))


@breaks("TP-030")
def makes_a_pipe() -> ToolPack:
    def act(workspace: Path) -> None:
        if not (workspace / "new").exists():
            os.mkfifo(workspace / "new")

    return _reading_and(act)


@breaks("TP-030")
def writes_elsewhere() -> ToolPack:
    return _reading_and(lambda workspace: (workspace.parent / "note").write_text("read", encoding="utf-8"))


@breaks("TP-031")
def looks_up_a_name_with_a_service() -> ToolPack:
    return _reading_and(lambda _: socket.getaddrinfo("127.0.0.1", "80", flags=socket.AI_NUMERICHOST))


@breaks("TP-033")
def lists_without_asking() -> ToolPack:
    async def names(arguments: JsonObject, context: ToolContext) -> ToolOutcome:
        found = os.listdir(context.sandbox.workspace)  # noqa: PTH208
        return ToolOutcome(content=str(len(found)))

    return pack(lambda: [reading(execute=names)])
