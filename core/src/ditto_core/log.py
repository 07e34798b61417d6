"""Log events: what they may show, and where they go.

If the application has configured structlog, events go to ``structlog.get_logger("ditto")``, else to
``logging.getLogger("ditto")`` through structlog's wrapper for it. Structlog's own default would print to standard
output; nothing of ours does. Structlog is imported with the first event that somebody
listens to, not with this module.

One event is one physical line. Every string is escaped and cut, lists and dicts are shown up to a bound, and of any
other object only its kind is shown, so neither a caller's text nor an object's repr can forge a line or give
something away. An exception's text may hold anything, a key too: :meth:`Log.exception` shows its class and the
places it came through at error level, and its text and traceback only at debug level, in a second event of the
same name.
"""

from __future__ import annotations

import logging
import sys
import traceback
from collections.abc import Iterable
from functools import cache
from itertools import islice
from math import isfinite
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from .text import describe, escape

if TYPE_CHECKING:
    from structlog.typing import EventDict, WrappedLogger

Shown: TypeAlias = "str | int | float | bool | list[Shown] | dict[str, Shown] | None"

EVENTS: Final[dict[str, str]] = {
    "calls_left_running": "warning (worker, calls): calls had not ended after the grace of a close and were left",
    "event_listener_failed": "error (call_id): the application's on_event raised; the call goes on",
    "observer_failed": "error (plugin, hook, call_id): an observer raised; the call and the other observers go on",
    "plugin_registered": "info (plugin): a plugin was registered with everything that it offers",
    "plugin_unregistered": "info (plugin): a plugin and everything that it offered was removed",
    "search_failed": "debug (call_id, reason): a web search failed, in words that are Ditto's own",
}
"""Every event of the core: its name, level and fields, and what it means. A tool call logs nothing of its own."""

MAX_TEXT: Final = 10_000
"""How many code points of one string an event shows."""
MAX_VALUES: Final = 1_000
"""How many values one event shows, those inside lists and dicts counted."""
MAX_DEPTH: Final = 8
"""How many containers inside each other an event shows."""

_LEVELS = {"debug": logging.DEBUG, "info": logging.INFO, "warning": logging.WARNING, "error": logging.ERROR}
_PLACES = 5
_BITS = 1024  # of an integer that is shown as such: no renderer has to turn thousands of digits into text

# Fields that structlog, its renderers or logging would take for their own: such a field gets a "_" at its end.
_RESERVED = frozenset(
    {"event", "level", "logger", "logger_name", "timestamp", "exception", "exc_info", "stack", "stack_info"}
    | {"stacklevel", "stackLevel", "positional_args", "method_name", "self"}
    | {"_record", "_from_structlog", "_logger", "_name"}
)


class Log:
    """A logger with bound fields; cheap to create, usable from any thread, never raises into the code that logs.

    Events are named in the past tense (``"page_fetched"``); what varies goes into fields, which are JSON values.
    """

    __slots__ = ("_bound",)

    def __init__(self, /, **bound: object) -> None:
        self._bound = bound

    def bind(self, /, **more: object) -> Log:
        """Return a logger with further fields; a field of the same name is replaced."""
        return Log(**{**self._bound, **more})

    def debug(self, event: str, /, **fields: object) -> None:
        """Log what helps to find a fault."""
        _log("debug", event, {**self._bound, **fields})

    def info(self, event: str, /, **fields: object) -> None:
        """Log what happened as it should."""
        _log("info", event, {**self._bound, **fields})

    def warning(self, event: str, /, **fields: object) -> None:
        """Log what somebody should look at."""
        _log("warning", event, {**self._bound, **fields})

    def error(self, event: str, /, **fields: object) -> None:
        """Log what failed."""
        _log("error", event, {**self._bound, **fields})

    def exception(self, event: str, /, **fields: object) -> None:
        """Log at error level the class of the exception that is being handled and the places it came through.

        Its text and traceback follow at debug level, in an event of the same name with the field ``traceback``.
        """
        fields = {**self._bound, **fields}
        error = sys.exception()
        if error is None:
            _log("error", event, fields)
            return
        fields["error"] = type(error).__name__
        _log("error", event, {**fields, "places": _places(error)})
        _log("debug", event, {**fields, "traceback": _traceback(error)})


LOG: Final = Log()
"""The logger of the core's own events."""


def _log(level: str, event: str, fields: dict[str, object]) -> None:
    if "structlog" not in sys.modules and not logging.getLogger("ditto").isEnabledFor(_LEVELS[level]):
        return  # who has not imported structlog has not configured it either, and nobody listens
    import structlog

    name = _text(event) if type(event) is str else describe(event)
    room = [MAX_VALUES]
    shown = {_key(key): _shown(value, room) for key, value in fields.items()}
    if structlog.is_configured():
        try:
            getattr(structlog.get_logger("ditto"), level)(name, **shown)
        except Exception as error:
            # A broken processor of the application must break no call, and the event must not be lost.
            shown["log_error"] = escape(type(error).__name__)
        else:
            return
    getattr(_standard(), level)(name, fields=shown)


@cache
def _standard() -> Any:
    """Return structlog's wrapper around the logger of the standard library."""
    import structlog

    return structlog.wrap_logger(
        logging.getLogger("ditto"),
        processors=[structlog.stdlib.filter_by_level, _as_line],
        wrapper_class=structlog.stdlib.BoundLogger,
        context_class=dict,
        cache_logger_on_first_use=True,
    )


def _as_line(logger: WrappedLogger, method: str, event: EventDict) -> dict[str, Any]:
    """Return what logging's methods take: one line, and the fields once more for formatters that want data."""
    import json

    fields = event["fields"]
    pairs = (f" {key}={json.dumps(value, ensure_ascii=False)}" for key, value in fields.items())
    return {"msg": event["event"] + "".join(pairs), "extra": {"ditto": fields}}


def _key(key: str) -> str:
    return f"{key}_" if key in _RESERVED else _text(key)


def _text(text: str) -> str:
    return escape(text) if len(text) <= MAX_TEXT else f"{escape(text[:MAX_TEXT])}…"


def _shown(value: object, room: list[int], depth: int = 0) -> Shown:
    """Return what an event shows of a value; `room` holds how many more values the event has room for."""
    room[0] -= 1
    if value is None or isinstance(value, bool):
        return value
    # Exact types: a subclass of str or int may exist to hide what it holds.
    if type(value) is str:
        return _text(value)
    if type(value) is int and value.bit_length() <= _BITS:
        return value
    if type(value) is float:
        return value if isfinite(value) else str(value)
    if depth < MAX_DEPTH:
        if type(value) is dict:
            pairs = _first(value.items(), room)
            shown = {_dict_key(key): _shown(item, room, depth + 1) for key, item in pairs}
            return shown if len(pairs) == len(value) else {**shown, "…": len(value) - len(pairs)}
        if type(value) is list or type(value) is tuple:
            items = _first(value, room)
            shown_items = [_shown(item, room, depth + 1) for item in items]
            return shown_items if len(items) == len(value) else [*shown_items, "…"]
    return describe(value)


def _first(items: Iterable[Any], room: list[int]) -> list[Any]:
    """Return as many items as there is room for: a copy, because another thread may be changing them."""
    return list(islice(items, max(room[0], 0)))


def _dict_key(key: object) -> str:
    return _text(key) if type(key) is str else describe(key)


def _places(error: BaseException) -> list[str]:
    """Return the innermost places, outer ones first, such as ``"acme.observer:12 started"``: no path, no source."""
    places = []
    for frame, line in traceback.walk_tb(error.__traceback__):
        module = frame.f_globals.get("__name__")
        places.append(f"{module if type(module) is str else '?'}:{line} {frame.f_code.co_qualname}")
    return places[-_PLACES:]


def _traceback(error: BaseException) -> str:
    """Return the traceback, of a long one its end, where the exception stands."""
    return "".join(traceback.format_exception(error))[-MAX_TEXT:]
