"""For each check of tool packs a pack that breaks that rule and no other."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import tempfile
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import attrs
from hypothesis import strategies as st

from ditto_core import Command, JsonObject, Tool, ToolContext, ToolOutcome, hookimpl
from ditto_testkit import ToolPack
from tests.plugins.testkit.packs import Pack, pack, printed, read, reading, show, showing, validate

BROKEN: dict[str, Callable[[], ToolPack]] = {}
"""By the id of the check that has to fail, and what it is that is broken."""


def breaks(id: str) -> Callable[[Callable[[], ToolPack]], Callable[[], ToolPack]]:
    """Register the pack that the function makes."""

    def register(function: Callable[[], ToolPack]) -> Callable[[], ToolPack]:
        BROKEN[f"{id} {function.__name__}"] = function
        return function

    return register


class OtherVersion(Pack):
    api_version = 2


@breaks("TP-001")
def written_for_another_version() -> ToolPack:
    return ToolPack(make=lambda: OtherVersion(lambda: [reading()]))


@breaks("TP-001")
def offers_nothing() -> ToolPack:
    return pack(list)


@breaks("TP-001")
def cannot_be_made() -> ToolPack:
    return ToolPack(make=lambda: {}["options"])


@breaks("TP-002")
def another_description_each_time() -> ToolPack:
    numbers = count()
    return pack(lambda: [reading(description=f"Tool number {next(numbers)}.")])


@breaks("TP-003")
def a_schema_without_a_type() -> ToolPack:
    return pack(lambda: [_anything({"title": "Anything"})])


def _anything(schema: JsonObject, **changes: Any) -> Tool[Any]:
    return reading(input_schema=schema, validate=lambda arguments: arguments, execute=_nothing, effects=(), **changes)


async def _nothing(arguments: Any, context: ToolContext) -> ToolOutcome:
    return ToolOutcome(content="nothing")


@breaks("TP-004")
def a_schema_that_nothing_fits() -> ToolPack:
    return pack(lambda: [_anything({"type": "object", "not": {"type": "object"}})])


@breaks("TP-005")
def no_description() -> ToolPack:
    return pack(lambda: [reading(description=" ")])


@breaks("TP-006")
def an_output_schema_that_is_none() -> ToolPack:
    return pack(lambda: [reading(output_schema={"type": "text"})])


class WritesAtOnce(Pack):
    @hookimpl
    def ditto_tools(self) -> list[Tool[Any]]:
        with tempfile.TemporaryFile() as file:
            file.write(b"registered")
        return [reading()]


@breaks("TP-007")
def writes_when_it_is_registered() -> ToolPack:
    return ToolPack(make=lambda: WritesAtOnce(list))


@breaks("TP-010")
def narrower_than_its_schema() -> ToolPack:
    def narrow(arguments: JsonObject) -> JsonObject:
        if len(str(validate(arguments)["path"])) > 1:
            raise ValueError("path: must be short")
        return arguments

    return pack(lambda: [reading(validate=narrow)])


@breaks("TP-011")
def accepts_everything() -> ToolPack:
    return pack(lambda: [reading(validate=lambda arguments: {"path": str(arguments.get("path", "a"))[:60] or "a"})])


@breaks("TP-012")
def changes_its_arguments() -> ToolPack:
    def change(arguments: JsonObject) -> JsonObject:
        given = dict(validate(arguments))
        arguments["seen"] = True
        return given

    return pack(lambda: [reading(validate=change)])


@breaks("TP-013")
def validate_opens_a_file_for_writing() -> ToolPack:
    def write(arguments: JsonObject) -> JsonObject:
        with Path(os.devnull).open("w", encoding="utf-8"):
            return validate(arguments)

    return pack(lambda: [reading(validate=write)])


@breaks("TP-014")
def refuses_without_a_word() -> ToolPack:
    def mute(arguments: JsonObject) -> JsonObject:
        try:
            return validate(arguments)
        except ValueError:
            raise ValueError from None

    return pack(lambda: [reading(validate=mute)])


@breaks("TP-020")
def raises_a_key_error() -> ToolPack:
    async def stumble(arguments: JsonObject, context: ToolContext) -> ToolOutcome:
        if "a" in str(arguments["path"]):
            raise KeyError("a")
        return await read(arguments, context)

    return pack(lambda: [reading(execute=stumble)])


@breaks("TP-020")
def returns_a_dict() -> ToolPack:
    async def wrong(arguments: JsonObject, context: ToolContext) -> Any:
        await read(arguments, context)
        return {"status": "success"}

    return pack(lambda: [reading(execute=wrong)])


@breaks("TP-020")
def waits_at_a_pipe() -> ToolPack:
    async def wait(arguments: JsonObject, context: ToolContext) -> ToolOutcome:
        if arguments["path"] == "pipe":
            context.sandbox.require("read")
            (context.sandbox.workspace / "pipe").read_bytes()
        return await read(arguments, context)

    named = st.sampled_from([{"path": "a.txt"}, {"path": "pipe"}])
    return attrs.evolve(pack(lambda: [reading(execute=wait)]), arguments={"peek": named})


@breaks("TP-021")
def other_content_than_announced() -> ToolPack:
    return pack(lambda: [showing(output_schema={"type": "object", "required": ["lines"]})])


@breaks("TP-022")
def returns_two_megabytes() -> ToolPack:
    async def pour(arguments: JsonObject, context: ToolContext) -> ToolOutcome:
        context.sandbox.require("read")
        return ToolOutcome(content="0123456789abcdef" * 131_072)

    return pack(lambda: [reading(execute=pour)])


@breaks("TP-023")
def hides_a_cut() -> ToolPack:
    async def hide(arguments: JsonObject, context: ToolContext) -> ToolOutcome:
        return ToolOutcome(content=str((await show(arguments, context)).content))

    return pack(lambda: [showing(execute=hide)])


@breaks("TP-023")
def cuts_later_than_it_says() -> ToolPack:
    async def late(arguments: JsonObject, context: ToolContext) -> ToolOutcome:
        return printed(await context.sandbox.run(Command("cat", ("--", str(arguments["path"])), max_stdout=999)))

    return pack(lambda: [showing(execute=late)])


@breaks("TP-024")
def forgets_the_two_dashes() -> ToolPack:
    async def option(arguments: JsonObject, context: ToolContext) -> ToolOutcome:
        return printed(await context.sandbox.run(Command("cat", (str(arguments["path"]),), max_stdout=1_000)))

    return pack(lambda: [showing(execute=option)])


@breaks("TP-025")
def takes_every_path() -> ToolPack:
    schema: JsonObject = {"type": "object", "properties": {"path": {"type": "string"}}, "additionalProperties": False}

    def any_text(arguments: JsonObject) -> JsonObject:
        path = arguments.get("path", "a")
        if not arguments.keys() <= {"path"} or type(path) is not str:
            raise ValueError("path: must be a text")
        return {"path": path.replace("\0", "")}

    return pack(lambda: [showing(input_schema=schema, validate=any_text)])


@breaks("TP-026")
def follows_links_out() -> ToolPack:
    async def follow(arguments: JsonObject, context: ToolContext) -> ToolOutcome:
        context.sandbox.require("read")
        path = context.sandbox.workspace / str(arguments["path"])
        return ToolOutcome(content=path.read_text(errors="replace")[:1_000] if path.is_file() else "")

    return pack(lambda: [reading(execute=follow)])


@breaks("TP-028")
def tells_what_its_backend_said() -> ToolPack:
    async def tell(arguments: JsonObject, context: ToolContext) -> ToolOutcome:
        try:
            return await show(arguments, context)
        except (OSError, RuntimeError) as error:
            return ToolOutcome(content="failed", metadata={"debug": repr(error)})

    return pack(lambda: [showing(execute=tell)])


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


@breaks("TP-040")
def swallows_the_cancellation() -> ToolPack:
    async def swallow(arguments: JsonObject, context: ToolContext) -> ToolOutcome:
        try:
            return await show(arguments, context)
        except asyncio.CancelledError:
            return ToolOutcome(content="never mind")

    return pack(lambda: [showing(execute=swallow)])


@breaks("TP-041")
def leaves_a_task() -> ToolPack:
    tasks = set()

    async def start(arguments: JsonObject, context: ToolContext) -> ToolOutcome:
        tasks.add(asyncio.ensure_future(asyncio.Event().wait()))
        return await show(arguments, context)

    return pack(lambda: [showing(execute=start)])


@breaks("TP-042")
def keeps_the_arguments_for_all_calls() -> ToolPack:
    current: JsonObject = {}

    async def share(arguments: JsonObject, context: ToolContext) -> ToolOutcome:
        current.update(arguments)
        outcome = await show(arguments, context)
        return ToolOutcome(
            content=outcome.content, structured_content={"path": current["path"], "truncated": _cut(outcome)}
        )

    return pack(lambda: [showing(execute=share)])


def _cut(outcome: ToolOutcome) -> bool:
    content: Any = outcome.structured_content
    return bool(content["truncated"])
