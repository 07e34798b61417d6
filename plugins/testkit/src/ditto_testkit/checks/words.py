"""TP-024 to TP-026: what a caller writes stays text, and stays inside of the workspace."""

from __future__ import annotations

import re
from typing import Any

from hypothesis import strategies as st

from ditto_core import Command, to_wire

from ..audit import recording
from ..fakes import SECRET, ScriptedExecutor
from ..labs.likely import ESCAPES, Place, places, put
from ..labs.packs import ToolCase
from ..strategies.judging import judge
from .model import call_text, check, fail

_OPTIONS = ("-x", "--help", "--output=a", "-", "-rf")
_PATH_NAME = re.compile(r"(?i)(^|_|[a-z])(paths?|files?|folders?|dirs?|director(y|ies))$")


@check(
    "TP-024",
    title="A caller's text never becomes an option of a program",
    fix="put one '--' before the operands, or begin a path with './'; an option that takes such text as its value is "
    "declared: Capabilities(option_values={'-e'})",
    each_tool=True,
    draws=True,
)
def text_is_no_option(case: ToolCase, data: Any) -> None:
    """`-o/etc/x` as the name of a file makes many programs write, run or fetch something."""
    if "execute" not in case.effects:
        return
    given, place, text = _with(case, data, st.sampled_from(_OPTIONS))
    if place is None:
        return
    for command in _commands(case, given):
        position = _as_option(command, text)
        if position is None:
            continue
        before = command.args[position - 1] if position else ""
        if before in case.capabilities.option_values or _goes_with(case, given, place, before):
            continue
        fail(
            f"{case.name!r} lets a caller set options of {command.program!r}",
            text=text,
            call=call_text(case.name, given),
            command=[command.program, *command.args],
        )


def _with(case: ToolCase, data: Any, texts: st.SearchStrategy[str]) -> tuple[Any, Place | None, str]:
    """Draw arguments and put one of the texts into them; the place is None where the tool takes no such text."""
    given = data.draw(case.usual, label=f"arguments for {case.name}")
    found = places(given)
    if not found:
        return given, None, ""
    place = data.draw(st.sampled_from(found), label="the place of the text")
    text = data.draw(texts, label="the text")
    changed = put(given, place, text)
    if not judge(case.tool.input_schema).fits(changed) or not case.accepts(changed):
        return given, None, ""
    return changed, place, text


def _commands(case: ToolCase, given: Any) -> list[Command]:
    executor = ScriptedExecutor()
    case.call(given, case.sandbox(executor=executor))
    return executor.commands


def _as_option(command: Command, text: str) -> int | None:
    """Return where the text stands as a word of its own that a program may take for an option."""
    for position, word in enumerate(command.args):
        if word == "--":
            return None
        if word == text:
            return position
    return None


def _goes_with(case: ToolCase, given: Any, place: Place, option: str) -> bool:
    """Tell whether the option is there only with the text, as its value: then it goes when the text is left out."""
    if len(place) != 1 or not option.startswith("-"):
        return False
    less = {key: value for key, value in given.items() if key != place[0]}
    if not case.accepts(less):
        return False
    return all(option not in command.args for command in _commands(case, less))


@check(
    "TP-025",
    title="A path that a command gets does not lead out of the workspace by its words",
    fix="let the schema and validate take relative paths without '..' only; Sandbox.resolve looks at links",
    each_tool=True,
    draws=True,
)
def paths_stay_inside(case: ToolCase, data: Any) -> None:
    """An executor runs what it is given. Arguments whose names end in path, file, folder or dir are taken as paths."""
    if "execute" not in case.effects:
        return
    outside = st.sampled_from(["../outside/secret.txt", "/etc/passwd", "sub/../../outside", "//etc", ".."])
    given, place, text = _with(case, data, outside)
    if place is None or not any(type(step) is str and _PATH_NAME.search(step) for step in place):
        return
    for command in _commands(case, given):
        if any(word == text or word.removeprefix("./") == text for word in command.args):
            fail(
                f"{case.name!r} hands on a path that leads out of the workspace",
                path=text,
                call=call_text(case.name, given),
                command=[command.program, *command.args],
            )


@check(
    "TP-026",
    title="Nothing outside of the workspace is read",
    fix="reach files through context.sandbox (read_text, list_files, resolve), never by open() on a caller's path",
    each_tool=True,
    draws=True,
)
def nothing_outside_is_read(case: ToolCase, data: Any) -> None:
    """A link or '..' may lead anywhere; what lies there belongs to somebody else."""
    folder = case.lab.workspace.parent
    escapes = st.sampled_from([*ESCAPES, str(folder / "outside/secret.txt")])
    given, place, _ = _with(case, data, escapes)
    if place is None:
        given = data.draw(case.usual, label=f"arguments for {case.name}")
    sandbox = case.sandbox(executor=ScriptedExecutor())
    outside = str(sandbox.workspace.parent / "outside")
    with recording() as seen:
        ended = case.call(given, sandbox)
    opened = [path for path in seen.opened if path.startswith(outside)]
    told = "" if ended.value is None else repr(to_wire(ended.value))
    if opened or SECRET in told:
        fail(
            f"{case.name!r} reads outside of the workspace",
            call=call_text(case.name, given),
            opened=opened,
            result=told,
        )
