"""A request of HTTP with the query taken out of it: what is left must not depend on the query."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from ..fakes.http import HttpRequest

_HERE = "<the query>"
_CHANGING = ("content-length", "date", "user-agent")


def asked(request: HttpRequest, query: str) -> bool:
    """Tell whether some field of the request is the query, as it is."""
    return _HERE in repr(shape(request, query))


def shape(request: HttpRequest, query: str) -> list[Any]:
    """Return method, path, fields, headers and body, with a mark instead of each field that is the query."""
    return [
        request.method,
        [_marked(unquote(segment), query) for segment in request.path.split("/")],
        [(name, _marked(value, query)) for name, value in _pairs(urlsplit(request.target).query)],
        [(name, _marked(value, query)) for name, value in request.headers if name not in _CHANGING],
        _body(request, query),
    ]


def _pairs(text: str) -> list[tuple[str, str]]:
    return parse_qsl(text, keep_blank_values=True)


def _marked(value: Any, query: str) -> Any:
    if type(value) is dict:
        return {key: _marked(item, query) for key, item in value.items()}
    if type(value) is list:
        return [_marked(item, query) for item in value]
    return _HERE if value == query else value


def _body(request: HttpRequest, query: str) -> Any:
    text = request.body.decode("utf-8", "replace")
    try:
        return _marked(json.loads(text), query)
    except ValueError:
        return [(name, _marked(value, query)) for name, value in _pairs(text)] or text
