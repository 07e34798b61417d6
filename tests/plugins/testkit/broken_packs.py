"""Packs that break one rule each: TP-001 to TP-023, TP-027 and TP-029."""

from __future__ import annotations

import os
import tempfile
from itertools import count
from pathlib import Path
from typing import Any

import attrs
from hypothesis import strategies as st

from ditto_core import Command, JsonObject, Tool, ToolContext, ToolFailed, ToolOutcome, hookimpl
from ditto_testkit import ToolPack
from tests.plugins.testkit.breaking import breaks
from tests.plugins.testkit.packs import Pack, pack, printed, read, read_whole, reading, show, showing, validate


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
    nothing: dict[str, object] = {}
    return ToolPack(make=lambda: nothing["options"])


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
        if " " in str(validate(arguments)["path"]):
            raise ValueError("path: must have no blank")
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
def returns_too_much() -> ToolPack:
    async def pour(arguments: JsonObject, context: ToolContext) -> ToolOutcome:
        context.sandbox.require("read")
        return ToolOutcome(content="0123456789abcdef" * 8_192)

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


@breaks("TP-004")
def a_pattern_that_contradicts_its_length() -> ToolPack:
    schema: JsonObject = {
        "type": "object",
        "properties": {"path": {"type": "string", "pattern": "^a?$", "minLength": 5}},
        "required": ["path"],
    }

    def refuse(arguments: JsonObject) -> JsonObject:
        raise ValueError("path: must be longer than its pattern")

    return pack(lambda: [reading(input_schema=schema, validate=refuse)])


@breaks("TP-004")
def a_list_of_nothing() -> ToolPack:
    nothing: JsonObject = {"type": "array", "items": False, "minItems": 1}
    schema: JsonObject = {"type": "object", "properties": {"paths": nothing}, "required": ["paths"]}

    def refuse(arguments: JsonObject) -> JsonObject:
        raise ValueError("paths: must hold nothing, and something")

    return pack(lambda: [reading(input_schema=schema, validate=refuse)])


@breaks("TP-004")
def refuses_everything() -> ToolPack:
    def refuse(arguments: JsonObject) -> JsonObject:
        raise ValueError("path: must be another")

    return pack(lambda: [reading(validate=refuse)], narrower_than_schema={"peek": "only what is right"})


@breaks("TP-022")
def names_everything() -> ToolPack:
    async def name(arguments: JsonObject, context: ToolContext) -> ToolOutcome:
        names = await context.sandbox.list_files()
        return ToolOutcome(content="\n".join(names), structured_content={"count": len(names)})

    return pack(lambda: [reading(execute=name)])


@breaks("TP-027")
def never_succeeds() -> ToolPack:
    async def fail(arguments: JsonObject, context: ToolContext) -> ToolOutcome:
        context.sandbox.require("read")
        raise ToolFailed("NOT_FOUND", "There is no such record.")

    return pack(lambda: [reading(execute=fail)])


@breaks("TP-029")
def cuts_silently() -> ToolPack:
    async def cut(arguments: JsonObject, context: ToolContext) -> ToolOutcome:
        whole = (await read_whole(arguments, context)).content
        return ToolOutcome(content=str(whole)[:10_000], metadata={"path": arguments["path"]})

    return pack(lambda: [reading(execute=cut)])
