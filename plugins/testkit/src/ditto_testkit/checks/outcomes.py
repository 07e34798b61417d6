"""TP-020, TP-021, TP-027: how calls end when the backends behave and when they do not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from hypothesis import strategies as st

from ditto_core import (
    UNSET,
    CommandTimeout,
    CommandUnavailable,
    DittoError,
    ExternalResult,
    InvalidResult,
    InvalidValue,
    PermissionDenied,
)

from ..audit import recording
from ..fakes import ScriptedExecutor, printed
from ..labs.blocked import Blocked
from ..labs.likely import ESCAPES, NAMES
from ..labs.loop import Ended
from ..labs.samples import some
from ..labs.sandboxes import RecordingSandbox
from ..labs.tool_case import ToolCase
from ..strategies.judging import judge, schema_problem
from ..strategies.outputs import command_results
from .model import call_text, check, fail

SECRET = "kit-secret-93b1f0"  # noqa: S105 - a mark to look for
_MORE = 100
"""How many more arguments are drawn to find a call that succeeds."""
_FAILURE = f'Authorization: Bearer {SECRET}\n  File "/home/ditto/{SECRET}.py", line 1'


_FAILURES = (
    CommandUnavailable("Command 'x' could not be started: no such file."),
    CommandTimeout("Command 'x' did not end within 5 s.", stdout="some", stderr=""),
    PermissionDenied("Program 'x' is not one that the executor may run."),
    OSError(5, _FAILURE),
    RuntimeError(_FAILURE),
)


def backends() -> st.SearchStrategy[Any]:
    """Give what an executor may do with a command: every kind of result, and failures."""
    return command_results() | st.sampled_from(_FAILURES)


@check(
    "TP-020",
    title="Every call ends as a valid result, a refusal, or the failure of its backend",
    fix="turn what can go wrong into ToolFailed(code, message) or an outcome with an error; raise nothing else",
    each_tool=True,
    draws=True,
)
def calls_end_well(case: ToolCase, data: Any) -> None:
    """A caller can act on a result and on Ditto's exceptions; a KeyError from inside of a tool tells it nothing."""
    case.once("TP-020", lambda: _try_traps(case))
    given = data.draw(case.usual, label=f"arguments for {case.name}")
    backend = data.draw(backends(), label="the executor's answer") if "execute" in case.effects else None
    _ends_well(case, given, backend)


def _try_traps(case: ToolCase) -> None:
    for given in case.samples:
        for backend in _FAILURES if "execute" in case.effects else ():
            _ends_well(case, given, backend)
    if "read" in case.effects:
        for given, _, _ in case.with_texts((*NAMES, *ESCAPES)):
            _ends_well(case, given, None)


def _ends_well(case: ToolCase, given: Any, backend: Any) -> None:
    ended = case.call(given, case.sandbox(executor=ScriptedExecutor(backend)))
    error = ended.error
    if error is None or error is backend:
        return
    if isinstance(error, InvalidResult | InvalidValue):
        fail(
            f"{case.name!r} gives no valid result",
            call=call_text(case.name, given),
            refused=str(error),
            backend=backend,
        )
    if not isinstance(error, DittoError):
        fail(
            f"{case.name!r} raises what no caller can act on",
            call=call_text(case.name, given),
            raised=f"{type(error).__name__}: {error}",
            backend=backend,
        )


@check(
    "TP-021",
    title="Structured content fits the output schema",
    fix="return what output_schema announces, or correct the schema; @tool makes it from the return annotation",
    each_tool=True,
    draws=True,
)
def content_fits_the_schema(case: ToolCase, data: Any) -> None:
    """Clients read the structured content by the announced schema."""
    schema = case.tool.output_schema
    if schema is UNSET or schema_problem(schema):
        return
    given = data.draw(case.usual, label=f"arguments for {case.name}")
    result = _result(case, given, data)
    if result is None or result.structured_content is UNSET or result.status != "success":
        return
    if judge(schema).misses(result.structured_content):
        fail(
            f"the structured content of {case.name!r} breaks its output schema",
            call=call_text(case.name, given),
            content=result.structured_content,
            schema=schema,
        )


def _result(case: ToolCase, given: Any, data: Any) -> ExternalResult | None:
    backend = data.draw(command_results(), label="the executor's answer") if "execute" in case.effects else None
    ended: Ended = case.call(given, case.sandbox(executor=ScriptedExecutor(backend)))
    return ended.value  # type: ignore[no-any-return]


_ASKS: Final = "the plugin of pack() opens connections to the network"
_FAKE_IT: Final = "give it a fake transport or service in pack(); pack_at() serves TP-036 to TP-038 only"


@check(
    "TP-027",
    title="Some call succeeds",
    fix='supply arguments with which the tool does its work, arguments = {"NAME": st.fixed_dictionaries({…})}, and '
    "what it needs for that: files, config() or providers() of the contract",
    each_tool=True,
)
def some_call_succeeds(case: ToolCase, data: Any) -> None:
    """A tool of which the kit has seen nothing but failures has not been proved: the checks never reached its work.

    Tried are some arguments from its schema and, in them, the names of files that are there. Where none succeeds and a
    call raises what no caller can act on, or asks for more than is declared, this check waits for TP-020 or TP-034,
    which tell of the cause. A tool that declares ``network`` has a fake of its service in ``pack()``, so that it asks
    nobody out there; ``pack_at()`` is for TP-036 to TP-038 only.
    """
    ends: list[str] = []
    told: Blocked | None = None
    asks = False
    for given in _likely_to_succeed(case):
        sandbox = case.sandbox(executor=ScriptedExecutor(printed("one\ntwo\n")))
        with recording() as seen:
            ended = case.call(given, sandbox)
        if ended.value is not None and ended.value.status == "success":
            return
        asks = asks or ("network" in case.effects and bool(seen.sockets))
        how = f"{type(ended.error).__name__}: {ended.error}" if ended.error else repr(ended.value.error)
        ends.append(f"{call_text(case.name, given)} ended with {how}")
        if owner := _owner(case, ended, sandbox):
            remedy = f"; {_ASKS}: {_FAKE_IT}" if asks else ""
            told = told or Blocked(owner, f"no call of {case.name!r} succeeds; {ends[-1]}{remedy}")
    if told:
        raise told
    if ends:
        facts = {"asks": _ASKS, "remedy": _FAKE_IT} if asks else {}
        fail(f"no call of {case.name!r} succeeds", calls=len(ends), first=ends[0], last=ends[-1], **facts)


def _owner(case: ToolCase, ended: Ended, sandbox: RecordingSandbox) -> str:
    """Return the check that has to be mended first, since it tells why this call has not succeeded; or nothing."""
    if set(sandbox.denied) - case.effects:
        return "TP-034"
    is_refusal = isinstance(ended.error, DittoError) and not isinstance(ended.error, InvalidResult | InvalidValue)
    return "" if ended.error is None or is_refusal else "TP-020"


def _likely_to_succeed(case: ToolCase) -> Iterator[Any]:
    yield from case.samples
    for given, _, _ in case.with_texts(NAMES):
        yield given
    yield from filter(case.accepts, some(case.usual, _MORE))
