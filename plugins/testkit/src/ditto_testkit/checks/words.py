"""TP-024 to TP-026: what a caller writes stays text, and stays inside of the workspace."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from ditto_core import Command, to_wire

from ..audit import recording
from ..fakes import SECRET, ScriptedExecutor, differences, snapshot
from ..labs.likely import ESCAPES, Place, at, places, put
from ..labs.programs import Word, words
from ..labs.tool_case import ToolCase
from ..strategies.judging import judge
from .model import call_text, check, fail

_OPTIONS = ("-x", "--help", "--output=a", "-", "-rf")
_MARKS = ("kit9z", "-kit9z", "--kit9z=1", "9917")
"""Texts that stand in no command by themselves, so that they are found inside of its words."""
_OUTSIDE = ("../outside/secret.txt", "/etc/passwd", "sub/../../outside", "//etc", "..")
_PATH_NAME = re.compile(r"(?i)(^|_|[a-z])(paths?|files?|folders?|dirs?|director(y|ies))$")


@check(
    "TP-024",
    title="A caller's text never becomes an option, a command or a program text",
    fix="put one '--' before the operands, or begin a path with './'; hand text to a shell or an interpreter as an "
    "operand (sh -c 'cat -- \"$1\"' sh TEXT), not inside of what it runs, nor into a setting that makes a program run "
    "it (git -c, ssh -o); an option that takes such text as its value "
    "is declared: Capabilities(option_values={'-e'})",
    each_tool=True,
    draws=True,
    share=0.5,
)
def text_is_no_option(case: ToolCase, data: Any) -> None:
    """`-o/etc/x` as the name of a file makes many programs write, run or fetch something.

    Looked into are words that begin with the text or have it inside, the scripts of shells and interpreters (sh, bash,
    python, perl, awk, sed and others), what env, xargs, find -exec and others like them run, and options, settings and
    variables whose value is run, such as git -c core.pager=TEXT, ssh -o ProxyCommand=TEXT, tar --checkpoint-action,
    rsync -e and env PAGER=TEXT. Other programs have such options too, which the kit does not know.
    """
    if "execute" not in case.effects:
        return
    case.once("TP-024", lambda: _try_each(case, (*_OPTIONS, *_MARKS), no_option))
    _try_drawn(case, data, st.sampled_from((*_OPTIONS, *_MARKS)), no_option)


def _try_each(case: ToolCase, texts: Iterable[str], look: Callable[[ToolCase, Any, Place, str], None]) -> None:
    for given, place, text in case.with_texts(texts):
        look(case, given, place, text)


def _try_drawn(
    case: ToolCase, data: Any, texts: st.SearchStrategy[str], look: Callable[[ToolCase, Any, Place, str], None]
) -> None:
    given, place, text = _with(case, data, texts)
    if place is not None:
        look(case, given, place, text)


def no_option(case: ToolCase, given: Any, place: Place, text: str) -> None:
    """Fail if the text, which stands at the place in the arguments, becomes more than text in a command."""
    for command in _commands(case, given):
        for word in words(command.program, command.args):
            role = _reached(word, text, command)
            if not role or any(_is_declared(case, given, one, word, text) for one in _standing(given, place, text)):
                continue
            fail(
                f"{case.name!r} lets a caller {role} of {command.program!r}",
                text=text,
                word=word.text,
                call=call_text(case.name, given),
                command=[command.program, *command.args],
            )


def _standing(given: Any, place: Place, text: str) -> list[Place]:
    """Return where the text stands, first where it was put: by chance, other arguments may be the same."""
    return [place, *(one for one in places(given) if one != place and at(given, one) == text)]


def _reached(word: Word, text: str, command: Command) -> str:
    """Return what the text has become in this word, or nothing if it is only text."""
    inside = text in _MARKS and text in word.text
    if word.role == "script" and f"{word.option}={word.text}" in command.args and (inside or word.text == text):
        return f"set {word.option}, which is run or says what is,"
    if word.role == "script" and (inside or word.text == text):
        return "write into the program text"
    if word.role == "command" and (inside or word.text == text):
        return "choose the command"
    if word.role == "option" and (inside or word.text == text):
        return "set options"
    return ""


def _is_declared(case: ToolCase, given: Any, place: Place, word: Word, text: str) -> bool:
    """Tell whether the text is the value of an option that may have one; a script only as a whole, and if declared."""
    declared = case.capabilities.option_values
    if word.role == "command":
        return False
    if word.text == text:
        return word.option in declared or (word.role == "option" and _goes_with(case, given, place, word.option))
    if word.role == "script":
        return False
    glued = word.text[: word.text.index(text)]
    option = glued.removesuffix("=")
    return len(option.lstrip("-")) > 0 and (option in declared or _goes_with(case, given, place, glued))


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
    sandbox = case.sandbox(executor=ScriptedExecutor())
    case.call(given, sandbox)
    return sandbox.commands


def _goes_with(case: ToolCase, given: Any, place: Place, option: str) -> bool:
    """Tell whether the option is there only with the text, as its value: then it goes when the text is left out."""
    if len(place) != 1 or not option.startswith("-"):
        return False
    less = {key: value for key, value in given.items() if key != place[0]}
    if not case.accepts(less):
        return False
    left = _commands(case, less)
    return all(not word.startswith(option) for command in left for word in command.args)


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
    case.once("TP-025", lambda: _try_each(case, _OUTSIDE, _inside))
    _try_drawn(case, data, st.sampled_from(_OUTSIDE), _inside)


def _inside(case: ToolCase, given: Any, place: Place, text: str) -> None:
    if not any(type(step) is str and _PATH_NAME.search(step) for step in place):
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
    title="Nothing outside of the workspace is read or changed",
    fix="reach files through context.sandbox (read_text, list_files, resolve), never by open() on a caller's path",
    each_tool=True,
    draws=True,
    share=0.5,
)
def nothing_outside_is_read(case: ToolCase, data: Any) -> None:
    """A link or '..' may lead anywhere; what lies there belongs to somebody else."""
    case.once("TP-026", lambda: _try_each(case, (*ESCAPES, _absolute(case)), lambda *tried: _outside(case, tried[1])))
    given, _, _ = _with(case, data, st.sampled_from(ESCAPES))
    _outside(case, given)


def _absolute(case: ToolCase) -> str:
    return str(case.lab.workspace.parent / "outside/secret.txt")


def _leads_out(case: ToolCase, path: str) -> bool:
    """Tell whether a path is one of those beside a workspace, which lie in `outside`."""
    folder, found = os.path.realpath(case.lab.folder), os.path.realpath(path)
    return found.startswith(f"{folder}{os.sep}") and "outside" in Path(found).relative_to(folder).parts[1:2]


def _outside(case: ToolCase, given: Any) -> None:
    sandbox = case.sandbox(executor=ScriptedExecutor())
    outside = sandbox.workspace.parent / "outside"
    before = snapshot(outside)
    with recording() as seen:
        ended = case.call(given, sandbox)
    opened = [path for path in (*seen.opened, *seen.listed) if _leads_out(case, path)]
    changes = differences(before, snapshot(outside))
    told = "" if ended.value is None else repr(to_wire(ended.value))
    if changes:
        case.lab.renew_workspace()
    if opened or changes or SECRET in told:
        fail(
            f"{case.name!r} reaches outside of the workspace",
            call=call_text(case.name, given),
            opened=opened,
            changed=changes,
            result=told,
        )
