"""What observers are told of a call, and how. Nothing of a call's arguments or results is in an event."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias, TypeVar

import attrs

from .contracts.delivery import OutputReceipt, ReceiptStatus
from .contracts.json_values import JsonValue
from .contracts.mcp import McpInvoked
from .contracts.results import ExternalResult, Status
from .contracts.unset import UNSET
from .errors import RefusedCall

if TYPE_CHECKING:
    from .plugins.origin import Origin
    from .tools.scope import Execution

R = TypeVar("R")

Outcome: TypeAlias = Status | ReceiptStatus | Literal["refused", "raised"]
"""How a call ended: the status of its result or receipt, or ``success`` for any other answer; ``refused`` when it
raised a :class:`RefusedCall`, ``cancelled`` when its task was cancelled, ``raised`` for any other exception."""


@attrs.frozen(kw_only=True, eq=False)
class CallStarted:
    """A call of a node has begun. Compares by identity, so that it can be the key under which a call is kept.

    ``name`` is what the node is to act with, such as the tool's name or ``server:tool``, and ``call_id`` the caller's
    own, which need not be unique. ``origin`` is the plugin that it comes from, None when it comes from none or is not
    known.
    ``parent`` is the observed call that this one was made from, ``execution`` the node of a graph's run that it is or
    was made for. ``started_ns`` is the time in nanoseconds since 1970.
    """

    node: str
    name: str | None
    call_id: str
    origin: Origin | None
    execution: Execution | None = None
    parent: CallStarted | None = attrs.field(repr=False)
    started_ns: int


@attrs.frozen(kw_only=True, eq=False)
class CallFinished:
    """A call has ended; there is exactly one for each :class:`CallStarted`, which it holds as ``call``.

    ``duration_ns`` is how long it took, in nanoseconds. ``error`` is the code of the result's error or the name of the
    exception's class, never its text.
    """

    call: CallStarted
    duration_ns: int
    outcome: Outcome
    error: str | None


@attrs.frozen(kw_only=True)
class EventEmitted:
    """A handler or a tool told the application's listener something (``context.emit``)."""

    call_id: str
    worker: str | None
    event: JsonValue


class CallObserver(Protocol):
    """Is told of each call, in the caller's task; it can change neither arguments nor result, and raises nothing."""

    def started(self, event: CallStarted) -> None:
        """A call has begun; nothing of it has been checked yet."""

    def finished(self, event: CallFinished) -> None:
        """The call has ended, in whatever way."""


class _Open:
    """An observed call on its way; it knows when it has ended, so that no later call is said to be inside it."""

    __slots__ = ("around", "call", "ended")

    def __init__(self, call: CallStarted, around: _Open | None) -> None:
        self.call = call
        self.around = around
        self.ended = False


_current: ContextVar[_Open | None] = ContextVar("ditto_observed_call", default=None)


def _innermost() -> _Open | None:
    here = _current.get()
    while here is not None and here.ended:
        here = here.around
    return here


async def observed(
    observers: tuple[CallObserver, ...],
    run: Callable[[], Awaitable[R]],
    *,
    node: str,
    name: str | None,
    call_id: str,
    origin: Origin | None,
    execution: Execution | None = None,
) -> R:
    """Return what `run()` gives, and tell each observer once that the call has begun and once that it has ended."""
    around = _innermost()
    call = CallStarted(
        node=node,
        name=name,
        call_id=call_id,
        origin=origin,
        execution=execution,
        parent=around.call if around is not None else None,
        started_ns=time.time_ns(),
    )
    here = _Open(call, around)
    token = _current.set(here)
    begun = time.perf_counter_ns()
    told = 0
    ending: object = None
    try:
        for told, observer in enumerate(observers, start=1):  # noqa: B007
            observer.started(call)
        ending = result = await run()
    except BaseException as error:
        ending = error
        raise
    finally:
        duration = time.perf_counter_ns() - begun
        _current.reset(token)
        here.ended = True
        outcome, code = _outcome(ending)
        finished = CallFinished(call=call, duration_ns=duration, outcome=outcome, error=code)
        _tell_finished(observers[:told], finished)
    return result


def _tell_finished(observers: tuple[CallObserver, ...], event: CallFinished) -> None:
    for index, observer in enumerate(observers):
        try:
            observer.finished(event)
        except BaseException:  # an interrupt: the others are told all the same
            _tell_finished(observers[index + 1 :], event)
            raise


def _outcome(ending: object) -> tuple[Outcome, str | None]:
    if isinstance(ending, McpInvoked):
        ending = ending.result
    if isinstance(ending, (ExternalResult, OutputReceipt)):
        return ending.status, None if ending.error is UNSET else ending.error.code
    if not isinstance(ending, BaseException):
        return "success", None
    kind = type(ending).__name__
    if isinstance(ending, asyncio.CancelledError):
        return "cancelled", kind
    return ("refused" if isinstance(ending, RefusedCall) else "raised"), kind
