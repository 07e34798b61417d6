"""Packs that break one rule each: TP-024 to TP-026."""

from __future__ import annotations

import os
import shlex

from ditto_core import Command, JsonObject, ToolContext, ToolOutcome
from ditto_testkit import ToolPack
from tests.plugins.testkit.breaking import breaks
from tests.plugins.testkit.packs import pack, printed, reading, showing


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
        text = path.read_text(errors="replace") if path.is_file() else ""
        return ToolOutcome(content=text[:1_000], metadata={"truncated": len(text) > 1_000})

    return pack(lambda: [reading(execute=follow)])


def _running(program: str, *before: str, glue: str = "{}") -> ToolPack:
    """Return a pack whose command ends with the text, glued to something."""

    async def run(arguments: JsonObject, context: ToolContext) -> ToolOutcome:
        words = (*before, glue.format(shlex.quote(str(arguments["path"]))))
        return printed(await context.sandbox.run(Command(program, words, max_stdout=1_000)))

    return pack(lambda: [showing(execute=run)])


@breaks("TP-024")
def glued_to_an_option() -> ToolPack:
    return _running("cat", glue="--file={}")


@breaks("TP-024")
def letters_of_options() -> ToolPack:
    return _running("ls", glue="-l{}")


@breaks("TP-024")
def a_script_of_a_shell() -> ToolPack:
    return _running("sh", "-ec", glue="cat -- {}")


@breaks("TP-024")
def a_script_behind_a_runner() -> ToolPack:
    return _running("env", "LANG=C", "timeout", "5", "bash", "-c", glue="cat < {}")


@breaks("TP-024")
def a_program_of_python() -> ToolPack:
    return _running("python3", "-I", "-c", glue="print(open('{}').read())")


@breaks("TP-024")
def a_split_string() -> ToolPack:
    return _running("env", "-S", glue="cat {}")


@breaks("TP-024")
def a_command_of_xargs() -> ToolPack:
    return _running("xargs", "-0", "--")


@breaks("TP-024")
def a_command_of_find() -> ToolPack:
    return _running("find", ".", "-exec")


@breaks("TP-024")
def a_program_of_awk() -> ToolPack:
    return _running("awk", "--", glue="/{}/")


@breaks("TP-024")
def a_script_of_sed() -> ToolPack:
    return _running("sed", "-n", "-e", glue="/{}/p")


@breaks("TP-024")
def a_setting_of_git() -> ToolPack:
    return _running("git", "-c", glue="core.pager={}")


@breaks("TP-024")
def an_alias_of_git() -> ToolPack:
    return _running("git", "-c", glue="alias.x=!cat {}")


@breaks("TP-024")
def a_command_of_another_machine() -> ToolPack:
    return _running("ssh", "-o", "BatchMode=yes", "--", "host", glue="cat {}")


@breaks("TP-024")
def a_variable_that_is_run() -> ToolPack:
    async def run(arguments: JsonObject, context: ToolContext) -> ToolOutcome:
        words = ("LANG=C", f"PAGER={arguments['path']}", "man", "cat")
        return printed(await context.sandbox.run(Command("env", words, max_stdout=1_000)))

    return pack(lambda: [showing(execute=run)])


@breaks("TP-024")
def chooses_the_program() -> ToolPack:
    async def run(arguments: JsonObject, context: ToolContext) -> ToolOutcome:
        return printed(await context.sandbox.run(Command(str(arguments["path"]), max_stdout=1_000)))

    return pack(lambda: [showing(execute=run)])


@breaks("TP-026")
def lists_behind_a_link() -> ToolPack:
    async def follow(arguments: JsonObject, context: ToolContext) -> ToolOutcome:
        context.sandbox.require("read")
        path = context.sandbox.workspace / str(arguments["path"])
        names = sorted(os.listdir(path))[:9] if path.is_dir() else []  # noqa: PTH208
        return ToolOutcome(content=str(len(names)), structured_content={"names": len(names)})

    return pack(lambda: [reading(execute=follow)])


@breaks("TP-026")
def writes_through_a_link() -> ToolPack:
    async def follow(arguments: JsonObject, context: ToolContext) -> ToolOutcome:
        context.sandbox.require("write")
        path = context.sandbox.workspace / str(arguments["path"])
        if path.is_file():
            path.write_text("written", encoding="utf-8")
        return ToolOutcome(content="written")

    return pack(lambda: [reading(execute=follow, effects={"write"})])
