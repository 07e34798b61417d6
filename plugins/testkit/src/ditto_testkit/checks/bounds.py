"""TP-022, TP-023, TP-029: results are bounded, and what was cut is said to be cut."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from ditto_core import UNSET, Command, CommandResult, ExternalResult, to_wire

from ..fakes import ScriptedExecutor
from ..fakes.workspaces import LONG
from ..labs.likely import put
from ..labs.tool_case import ToolCase
from .model import call_text, check, fail

_OVER = ("bytes", "lines", "errors", "said", "nothing")
_UNITS = ("a", "a\n", "\n", "é", "😀", "\ufffd")


@check(
    "TP-022",
    title="A result is no larger than the pack declares",
    fix="cut what you return, at a character boundary (with_output_limit does), or raise "
    "Capabilities(max_result_bytes=…)",
    each_tool=True,
    draws=True,
)
def results_are_bounded(case: ToolCase, data: Any) -> None:
    """A model has a context window, a runtime has memory. The limit counts the UTF-8 bytes of all texts together.

    Tried are a command that prints without end, a file that is larger than the limit, and a folder of files whose long
    names have more bytes together.
    """
    case.once("TP-022", lambda: _try_too_much(case))
    given = data.draw(case.usual, label=f"arguments for {case.name}")
    unit = data.draw(st.sampled_from(_UNITS), label="the backend prints again and again")
    _is_bounded(case, given, unit)


def _try_too_much(case: ToolCase) -> None:
    for given, unit in product(case.samples[:1], _UNITS if "execute" in case.effects else ()):
        _is_bounded(case, given, unit)
    if "read" in case.effects:
        workspace = case.lab.workspace_of_long_names
        for given in (*case.samples, *(tried for tried, _, _ in case.with_texts(("large.txt", LONG, ".")))):
            _is_bounded(case, given, "a", workspace)


def _is_bounded(case: ToolCase, given: Any, unit: str, workspace: Path | None = None) -> None:
    limit = case.capabilities.max_result_bytes
    executor = ScriptedExecutor(_endless(unit, limit + 1))
    ended = case.call(given, case.sandbox(executor=executor, workspace=workspace))
    if ended.value is None:
        return
    size = sum(len(text.encode()) for text in _texts(to_wire(ended.value)))
    if size > limit:
        fail(
            f"{case.name!r} returns more than its limit",
            limit=f"{limit} bytes (Capabilities.max_result_bytes)",
            returned=f"{size} bytes",
            call=call_text(case.name, given),
            **_asked(executor.commands),
        )


def _asked(commands: list[Command]) -> dict[str, str]:
    """Return what to say to an author who has asked for little, and has got it from every executor so far."""
    if not commands:
        return {}
    asked = f"max_stdout={commands[0].max_stdout} of {commands[0].program!r}"
    return {"asked": f"{asked}, which this executor does not keep, as foreign ones may not: cut what it gives"}


def _endless(unit: str, size: int) -> CommandResult:
    """Return what an executor that keeps no limit would give."""
    text = unit * (size // len(unit.encode()) + 1)
    sizes = len(text.encode())
    return CommandResult(
        stdout=text, stderr=text, exit_code=0, stdout_bytes=sizes, stderr_bytes=sizes, truncated=False, stopped=False
    )


def _texts(value: Any) -> Iterator[str]:
    if type(value) is str:
        yield value
    elif type(value) is dict:
        yield from value
        for item in value.values():
            yield from _texts(item)
    elif type(value) is list:
        for item in value:
            yield from _texts(item)


@check(
    "TP-023",
    title="Output of a command keeps the command's limits, and a cut is said",
    fix="cut what the executor gave to Command.max_stdout and max_lines once more, and say 'truncated': true in "
    "metadata or structured content exactly when something is missing",
    each_tool=True,
    draws=True,
)
def cuts_are_said(case: ToolCase, data: Any) -> None:
    """An executor may be foreign and keep no limit. A model that does not know of a cut takes a part for the whole."""
    if "execute" not in case.effects:
        return
    case.once("TP-023", lambda: _try_cuts(case))
    given = data.draw(case.usual, label=f"arguments for {case.name}")
    over = data.draw(st.sampled_from(_OVER), label="what is too much")
    unit = data.draw(st.sampled_from(_UNITS), label="the backend prints again and again")
    _says_cuts(case, given, over, unit)


def _try_cuts(case: ToolCase) -> None:
    for given, over, unit in product(case.samples[:2], _OVER, _UNITS):
        _says_cuts(case, given, over, unit)


def _says_cuts(case: ToolCase, given: Any, over: str, unit: str) -> None:
    executor = ScriptedExecutor(lambda command: _too_much(command, over, unit))
    ended = case.call(given, case.sandbox(executor=executor))
    result = ended.value
    if result is None or type(result.content) is not str or len(executor.commands) != 1:
        return
    command = executor.commands[0]
    answer = _too_much(command, over, unit)
    facts = {
        "call": call_text(case.name, given),
        "backend wrote": f"{unit!r} again and again, {answer.stdout_bytes} bytes",
        "returned": f"{len(result.content.encode())} bytes, {_lines(result.content)} lines",
        "limit": f"{command.max_stdout} bytes, {command.max_lines} lines",
    }
    if len(result.content.encode()) > command.max_stdout:
        fail(f"{case.name!r} returns more bytes than it asked the command for", **facts)
    if command.max_lines is not None and _lines(result.content) > command.max_lines:
        fail(f"{case.name!r} returns more lines than it asked the command for", **facts)
    said = _truncated(result)
    cut = answer.truncated or (answer.stdout != result.content and answer.stdout.startswith(result.content))
    if cut and said is not True:
        fail(f"{case.name!r} hides that something was cut", said=f"truncated = {said}", **facts)
    if said and over == "nothing":
        fail(f"{case.name!r} says that something was cut, and nothing was", said="truncated = True", **facts)


def _too_much(command: Command, over: str, unit: str) -> CommandResult:
    size = len(unit.encode())
    text, errors = unit, ""
    if over == "bytes":
        text = unit * (command.max_stdout // size + 1)
    elif over == "lines":
        text = "x\n" * ((command.max_lines or 10) + 1)
    elif over == "errors":
        errors = unit * (command.max_stderr // size + 1)
    return CommandResult(
        stdout=text,
        stderr=errors,
        exit_code=0,
        stdout_bytes=len(text.encode()) + (5 if over == "said" else 0),
        stderr_bytes=len(errors.encode()),
        truncated=over == "said",
        stopped=False,
    )


def _lines(text: str) -> int:
    return text.count("\n") + (not text.endswith("\n") and text != "")


def _truncated(result: ExternalResult) -> object:
    """Return what the result says of a cut, in its metadata or in its structured content."""
    for place in (result.metadata, result.structured_content):
        if place is not UNSET and type(place) is dict and "truncated" in place:
            return place["truncated"]
    return None


@check(
    "TP-029",
    title="A part of a file is not given for the whole",
    fix="say 'truncated': true in metadata or structured content when you cut, or fail; a tool that gives a part on "
    "purpose says so too, or takes the limit as an argument",
    each_tool=True,
)
def parts_are_said(case: ToolCase, data: Any) -> None:
    """A model that reads half of a file, and is not told, acts as if it knew the whole.

    The tool is called with a small file and with a large one. It is taken to hide a cut if its content is all of the
    small file and only the first part of the large one, and nothing in the result says so: no flag that is true, no
    number, no text behind the part. A tool whose schema has a number may have been asked for so much, and is not
    judged; neither is one that shows the file in another form. So a silent cut can get past this check.
    """
    if "read" not in case.effects or _has_number(case.tool.input_schema):
        return
    workspace = case.lab.workspace
    small, large = ((workspace / name).read_text(encoding="utf-8") for name in (_SMALL, _LARGE))
    for given, place, _ in case.with_texts((_SMALL,)):
        more = put(given, place, _LARGE)
        if not case.accepts(more) or _content(case, given) != small:
            continue
        found = case.call(more, case.sandbox(workspace=workspace)).value
        shown = "" if found is None or type(found.content) is not str else found.content
        if shown and shown != large and large.startswith(shown) and not _says_something(found):
            fail(
                f"{case.name!r} cuts a file and does not say so",
                call=call_text(case.name, more),
                returned=f"{len(shown.encode())} bytes of {len(large.encode())}",
                said="nothing in metadata or structured content",
            )


_SMALL, _LARGE = "a.txt", "large.txt"


def _content(case: ToolCase, given: Any) -> object:
    found = case.call(given, case.sandbox()).value
    return None if found is None else found.content


def _has_number(schema: Any) -> bool:
    """Tell whether a schema has a number anywhere."""
    if type(schema) is list:
        return any(map(_has_number, schema))
    if type(schema) is not dict:
        return False
    kinds = schema.get("type")
    return bool({"integer", "number"}.intersection([kinds] if type(kinds) is str else kinds or ())) or any(
        map(_has_number, schema.values())
    )


def _says_something(result: ExternalResult) -> bool:
    """Tell whether a result has a flag that is true, or a number, which may be that of what is missing."""
    return any(_tells(place) for place in (result.metadata, result.structured_content) if place is not UNSET)


def _tells(value: Any) -> bool:
    if type(value) is dict:
        return any(map(_tells, value.values()))
    return any(map(_tells, value)) if type(value) is list else value is True or type(value) in (int, float)
