"""The messages on a server's standard output.

The SDK's own reader logs a line that it cannot parse and drops it, and whoever waits for that answer waits on. Here
such an answer ends its request at once. What is parsed is what the SDK would parse, and besides it bytes that are no
UTF-8 and escapes of lone surrogates, both as U+FFFD.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from ..events import LOG
from .escapes import repair
from .lines import Line

if TYPE_CHECKING:
    from mcp.types import JSONRPCError, JSONRPCMessage

MAX_BATCH: Final = 1_000
"""How many items of a batch are looked at; what comes behind them is passed over."""
LOST: Final = object()
"""Stands as data in the error that ends a request whose answer could not be read."""

_DIGITS: Final = 15
"""How many digits the id of a request has at the most; a longer one is none of ours."""
# A response's id at the top level of an object, told by what surrounds it: at its beginning or at its very end.
_ID: Final = rb'"id"\s*:\s*(\d{1,%d})\s*' % _DIGITS
_FIRST = re.compile(rb'\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?' + _ID + rb',\s*"(?:result|error|jsonrpc)"')
_LAST = re.compile(rb",\s*" + _ID + rb'(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*\Z')


def messages_of(line: Line) -> Iterator[JSONRPCMessage]:
    """Yield what a line says: a message, several in a batch, or nothing if it is noise."""
    from mcp.types import jsonrpc_message_adapter

    if line.rest is None:
        text = repair(line.data).decode("utf-8", "replace")
        try:
            yield jsonrpc_message_adapter.validate_json(text, by_name=False)
        except ValueError:
            pass
        else:
            return
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            pass
        else:
            for item in value[:MAX_BATCH] if type(value) is list else [value]:
                yield from _message_of(item)
            return
    number = _FIRST.match(line.data) or _LAST.search(line.data if line.rest is None else line.rest)
    if number is not None:
        yield _lost(int(number[1]))


def _message_of(value: Any) -> Iterator[JSONRPCMessage]:
    from mcp.types import jsonrpc_message_adapter

    try:
        yield jsonrpc_message_adapter.validate_python(value, by_name=False)
    except ValueError:
        if type(value) is dict and "method" not in value:
            number = _number(value.get("id"))
            if number is not None:
                yield _lost(number)


def _number(id: Any) -> int | None:
    """Return the number of the request that an id stands for; the SDK counts them from 1."""
    is_text = type(id) is str and id.isdecimal() and len(id) <= _DIGITS
    number = int(id) if is_text or (type(id) is float and id.is_integer()) else id
    return number if type(number) is int and 0 <= number < 10**_DIGITS else None


def _lost(number: int) -> JSONRPCError:
    from mcp.types import INTERNAL_ERROR, ErrorData, JSONRPCError

    LOG.warning("mcp_answer_dropped", request=number)
    error = ErrorData(code=INTERNAL_ERROR, message="the answer could not be read", data=LOST)
    return JSONRPCError(jsonrpc="2.0", id=number, error=error)
