"""From the body of Brave's reply to hits."""

from __future__ import annotations

from typing import Final

from ditto_core import SearchHit, plain_text

from .json_bytes import Json, Unreadable, read_json, text_of

MAX_FIELD: Final = 16_384
"""How many bytes a title, a URL or a description may have in the reply."""

_NULL: Final = b"null"


def read_hits(body: bytes, limit: int) -> list[SearchHit] | None:
    """Return the hits of a reply, or None for one that cannot be read; raises nothing.

    Whatever is raised while a reply is read knows what stands in it.
    """
    try:
        return hits_of(body, limit)
    except Exception:
        return None


def hits_of(body: bytes, limit: int) -> list[SearchHit]:
    """Return the first `limit` web results of a reply, in its order; further ones are not looked at.

    A part that is absent, null or empty holds no results. Raises :class:`Unreadable` for a reply that is no search
    reply, or has an error or another shape.
    """
    reply = read_json(body)
    if not isinstance(reply, dict):
        raise Unreadable("it is no object")
    if _text(reply, "type", default="search") != "search" or reply.get("error", _NULL) != _NULL:
        raise Unreadable("it is no search reply")
    web = reply.get("web", _NULL)
    if web == _NULL:
        return []
    if not isinstance(web, dict):
        raise Unreadable("web is no object")
    results = web.get("results", _NULL)
    if results == _NULL:
        return []
    if not isinstance(results, list):
        raise Unreadable("web.results is no list")
    return [_hit(result) for result in results[:limit]]


def _hit(result: Json) -> SearchHit:
    if not isinstance(result, dict):
        raise Unreadable("a result is no object")
    snippet = "" if result.get("description", _NULL) == _NULL else _text(result, "description")
    url = _text(result, "url")
    if "\ufffd" in url:
        raise Unreadable("a url has lost a character")
    return SearchHit(title=plain_text(_text(result, "title")), url=url, snippet=plain_text(snippet))


def _text(holder: dict[str, Json], key: str, default: str | None = None) -> str:
    """Return the text under a key."""
    if default is not None and key not in holder:
        return default
    token = holder.get(key, _NULL)
    if not isinstance(token, bytes) or token[:1] != b'"':
        raise Unreadable(f"{key} is no string")
    if len(token) > MAX_FIELD + 2:
        raise Unreadable(f"{key} is too long")
    return text_of(token)
