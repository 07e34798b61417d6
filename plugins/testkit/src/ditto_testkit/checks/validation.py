"""TP-010 to TP-014: what ``validate`` accepts, refuses and leaves alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from copy import deepcopy
from typing import Any

from hypothesis import strategies as st

from ditto_core import safe_message

from ..audit import recording
from ..labs.likely import copied
from ..labs.tool_case import ToolCase
from ..strategies.arguments import invalid_arguments
from ..strategies.texts import NASTY
from .model import call_text, check, fail


@check(
    "TP-010",
    title="Arguments that fit the schema are accepted",
    fix="widen validate, or say more in the schema; what no schema can say needs @tool(narrower='why') or "
    "Capabilities(narrower_than_schema={…})",
    each_tool=True,
    draws=True,
)
def valid_arguments_are_accepted(case: ToolCase, data: Any) -> None:
    """A model is shown the schema and nothing else: what it allows, validate takes."""
    if case.narrower:
        return
    known = (given for given, _, _ in case.fitting(NASTY))
    case.once("TP-010", lambda: _each(case, (*case.made, *known), _is_accepted))
    _is_accepted(case, data.draw(case.by_schema, label=f"arguments for {case.name}"))


def _each(case: ToolCase, several: Iterable[Any], look: Callable[[ToolCase, Any], None]) -> None:
    for given in several:
        look(case, given)


def _is_accepted(case: ToolCase, given: Any) -> None:
    try:
        case.tool.validate(copied(given))
    except Exception as error:
        fail(
            f"{case.name!r} refuses arguments that its schema allows",
            call=call_text(case.name, given),
            raised=f"{type(error).__name__}: {error}",
        )


@check(
    "TP-011",
    title="Arguments that break the schema are refused",
    fix="let validate check every rule of the schema, unknown properties too; @tool does it",
    each_tool=True,
    draws=True,
)
def invalid_arguments_are_refused(case: ToolCase, data: Any) -> None:
    """The core runs no JSON Schema validator: if validate does not refuse, execute gets what nobody expected."""
    case.once("TP-011", lambda: _each(case, case.wrong, _is_refused))
    _is_refused(case, data.draw(_invalid(case), label=f"arguments for {case.name}"))


def _is_refused(case: ToolCase, given: Any) -> None:
    try:
        case.tool.validate(copied(given))
    except Exception:
        return
    except BaseException as error:
        fail(
            f"{case.name!r} refuses with what ends the program",
            call=call_text(case.name, given),
            raised=type(error).__name__,
        )
    fail(f"{case.name!r} accepts arguments that break its schema", call=call_text(case.name, given))


def _invalid(case: ToolCase) -> st.SearchStrategy[Any]:
    return invalid_arguments(case.tool.input_schema, case.by_schema)


def _any(case: ToolCase) -> st.SearchStrategy[Any]:
    return case.usual | _invalid(case)


@check(
    "TP-012",
    title="validate is pure: the same answer each time, and the arguments stay as they are",
    fix="compute from the arguments alone and change neither them nor the tool; copy before you edit",
    each_tool=True,
    draws=True,
)
def validate_is_pure(case: ToolCase, data: Any) -> None:
    """Approval, retries and tests call validate more than once for one call, and expect the same answer."""
    case.once("TP-012", lambda: _each(case, (*case.samples, *case.wrong), _is_pure))
    _is_pure(case, data.draw(_any(case), label=f"arguments for {case.name}"))


def _is_pure(case: ToolCase, given: Any) -> None:
    mine = copied(given)
    first = _answer(case, mine)
    if repr(mine) != repr(given):
        fail(f"validate of {case.name!r} changes its arguments", before=given, after=mine)
    second = _answer(case, copied(given))
    if first[0] != second[0]:
        fail(
            f"validate of {case.name!r} accepts once and refuses once",
            call=call_text(case.name, given),
            first="accepted" if first[0] else "refused",
            then="accepted" if second[0] else "refused",
        )
    if first[0] and _has_equals(first[1]) and first[1] != second[1]:
        fail(
            f"validate of {case.name!r} gives two answers",
            call=call_text(case.name, given),
            first=first[1],
            then=second[1],
        )


def _answer(case: ToolCase, given: Any) -> tuple[bool, Any]:
    try:
        return True, case.tool.validate(given)
    except Exception as error:
        return False, error


def _has_equals(value: Any) -> bool:
    """Tell whether equality of such values means equal content: then a value equals its own copy."""
    try:
        return bool(value == deepcopy(value))
    except Exception:
        return False


@check(
    "TP-013",
    title="validate has no effect",
    fix="move what touches files, network or processes to execute, behind the permission of the sandbox",
    each_tool=True,
    draws=True,
)
def validate_has_no_effect(case: ToolCase, data: Any) -> None:
    """A refused call has done nothing at all, and validate runs before anybody approved."""
    case.once("TP-013", lambda: _each(case, (*case.samples, *case.wrong), _acts_not))
    _acts_not(case, data.draw(_any(case), label=f"arguments for {case.name}"))


def _acts_not(case: ToolCase, given: Any) -> None:
    with recording() as seen:
        _answer(case, copied(given))
    changed = [path for path in seen.changed if "__pycache__" not in path]
    if seen.sockets or seen.processes or changed:
        fail(
            f"validate of {case.name!r} acts",
            call=call_text(case.name, given),
            sockets=seen.sockets,
            processes=seen.processes,
            files=changed,
        )


@check(
    "TP-014",
    title="A refusal says why, in one line that may be shown",
    fix="raise ValueError('path: must be relative') or the like: one line, no path of the host, no foreign text",
    each_tool=True,
    draws=True,
)
def refusal_says_why(case: ToolCase, data: Any) -> None:
    """The text of the exception reaches the model only if it is safe; otherwise the model learns nothing."""
    case.once("TP-014", lambda: _each(case, case.wrong, _says_why))
    _says_why(case, data.draw(_invalid(case), label=f"arguments for {case.name}"))


def _says_why(case: ToolCase, given: Any) -> None:
    accepted, error = _answer(case, copied(given))
    if accepted:
        return
    text = str(error)
    if safe_message(text, "-") == "-" and text != "-":
        fail(
            f"the refusal of {case.name!r} cannot be shown",
            call=call_text(case.name, given),
            raised=f"{type(error).__name__}: {text or '(no text)'}",
        )
