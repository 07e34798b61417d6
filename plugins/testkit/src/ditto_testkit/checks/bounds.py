"""TP-022 and TP-023: results are bounded, and what was cut is said to be cut."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

from ditto_core import UNSET, Command, CommandResult, ExternalResult, to_wire

from ..fakes import ScriptedExecutor
from ..labs.likely import places, put
from ..labs.packs import ToolCase
from .model import call_text, check, fail

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
    """A model has a context window, a runtime has memory. The limit counts the UTF-8 bytes of all texts together."""
    given = data.draw(case.usual, label=f"arguments for {case.name}")
    if (found := places(given)) and data.draw(st.booleans(), label="a large file"):
        large = put(given, data.draw(st.sampled_from(found)), "large.txt")
        given = large if case.accepts(large) else given
    limit = case.capabilities.max_result_bytes
    unit = data.draw(st.sampled_from(_UNITS), label="the backend prints again and again")
    ended = case.call(given, case.sandbox(executor=ScriptedExecutor(_endless(unit, limit + 1))))
    if ended.value is None:
        return
    size = sum(len(text.encode()) for text in _texts(to_wire(ended.value)))
    if size > limit:
        fail(
            f"{case.name!r} returns more than its limit",
            limit=f"{limit} bytes (Capabilities.max_result_bytes)",
            returned=f"{size} bytes",
            call=call_text(case.name, given),
        )


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
    given = data.draw(case.usual, label=f"arguments for {case.name}")
    over = data.draw(st.sampled_from(["bytes", "lines", "errors", "said", "nothing"]), label="what is too much")
    unit = data.draw(st.sampled_from(_UNITS), label="the backend prints again and again")
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
