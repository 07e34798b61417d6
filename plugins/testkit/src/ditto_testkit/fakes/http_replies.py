"""Answers of HTTP servers that lie, dawdle, break off or never end."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from http import HTTPStatus
from typing import Final

from ditto_core import JsonObject

from .bombs import bomb
from .http import Drip, Flood, HttpReply

REFUSALS: Final = (400, 401, 403, 404, 422, 429, 500, 502, 503, 504)
"""The statuses of :func:`hostile_replies` that refuse a request, each with a body that tells what it has been told."""
REDIRECTS: Final = (301, 302, 303, 307, 308)
"""The statuses of :func:`hostile_replies` that lead elsewhere."""

_OK: Final = b"HTTP/1.1 200 OK\r\n"
_JSON: Final = b"Content-Type: application/json\r\n"


def http_reply(body: bytes | str, status: int = 200, headers: Iterable[tuple[str, str]] = ()) -> HttpReply:
    """Return a reply as it should be, of this status, with these headers and the body's length; it ends there."""
    data = body.encode() if isinstance(body, str) else body
    lines = [f"HTTP/1.1 {status} {_phrase(status)}", *(f"{name}: {value}" for name, value in headers)]
    if status not in (204, 304):
        lines.append(f"Content-Length: {len(data)}")
    return HttpReply(steps=("\r\n".join([*lines, "", ""]).encode("latin-1") + data,), then="keep")


def hostile_replies(
    good: bytes, *, repeats: Iterable[str] = (), elsewhere: str = "http://127.0.0.1:9/"
) -> dict[str, HttpReply]:
    """Return replies that a client must take for failures when it expects JSON from one request, each under a name.

    ``good`` is a body that it would accept: many of these replies hold it, under a wrong status or length, in a wrong
    encoding, or with something around it. ``repeats`` are texts that must not come out, such as the key and the query
    of the request: replies repeat them in bodies, headers and status lines, among harmless words and beside a path.
    Redirects lead to ``elsewhere``.

    Those whose name begins with ``endless-`` or ``slow-`` last until the client has had enough. None of the others
    needs a deadline.
    """
    told = " ".join(repeats)
    return {
        **dict(_statuses(good, told, elsewhere)),
        **dict(_encodings(good)),
        **dict(_lengths(good)),
        **dict(_heads(good, told)),
        **dict(_texts(good, told)),
        **dict(_documents(told)),
        **dict(_endless(good)),
    }


def _phrase(status: int) -> str:
    return HTTPStatus(status).phrase if status in set(HTTPStatus) else "Unknown"


def _statuses(good: bytes, told: str, elsewhere: str) -> Iterator[tuple[str, HttpReply]]:
    refusal = json.dumps({"type": "ErrorResponse", "error": {"detail": f"{told} /home/someone/keys.txt"}})
    for status in REFUSALS:
        headers = [("Content-Type", "application/json"), ("Retry-After", "1"), ("X-Echo", told)]
        yield f"status-{status}", http_reply(refusal, status, headers)
    for name, body in _harmless(told).items():
        yield f"status-400-{name}", http_reply(json.dumps(body), 400, [("Content-Type", "application/json")])
    words = told.encode("latin-1", "replace")
    head = b"HTTP/1.1 403 %s\r\nContent-Length: %d\r\n\r\n" % (words, len(words))
    yield "status-403-with-phrase", HttpReply(steps=(head + words,))
    for status in REDIRECTS:
        yield f"redirect-{status}", http_reply(good, status, [("Location", elsewhere), ("X-Echo", told)])
    yield "redirect-without-location", http_reply(good, 302)
    for status in (201, 202, 206, 299, 418, 600):
        yield f"status-{status}-with-good-body", http_reply(good, status)
    yield "status-204", http_reply(b"", 204)
    yield "status-304", http_reply(b"", 304)
    upgrade = b"HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: chat\r\n\r\n"
    yield "status-101", HttpReply(steps=(upgrade + good,))


def _harmless(told: str) -> dict[str, JsonObject]:
    """Return bodies as services refuse with, which repeat what they were told in words that every rule accepts."""
    words = f"No record of {told}."
    nested: dict[str, JsonObject] = {
        f"error-{key}": {"error": {key: words}} for key in ("message", "detail", "error_description")
    }
    plain: dict[str, JsonObject] = {key: {key: words} for key in ("error", "message", "detail", "error_description")}
    return {**nested, **plain}


def _encodings(good: bytes) -> Iterator[tuple[str, HttpReply]]:
    for encoding in ("gzip", "deflate", "br", "zstd"):
        yield f"bomb-{encoding}", http_reply(bomb(encoding), headers=[("Content-Encoding", encoding)])
    for name, value in (("gzip", "gzip"), ("two", "identity, gzip"), ("capital", "GZIP"), ("unknown", "x-unheard-of")):
        yield f"encoding-{name}", http_reply(good, headers=[("Content-Encoding", value)])
    yield "encoding-twice", http_reply(good, headers=[("Content-Encoding", "identity"), ("Content-Encoding", "br")])


def _lengths(good: bytes) -> Iterator[tuple[str, HttpReply]]:
    def length(value: bytes) -> HttpReply:
        return HttpReply(steps=(_OK + _JSON + b"Content-Length: " + value + b"\r\n\r\n" + good,))

    def chunked(chunks: bytes, *, then_reset: bool = False) -> HttpReply:
        head = _OK + _JSON + b"Transfer-Encoding: chunked\r\n\r\n"
        return HttpReply(steps=(head + chunks,), then="reset" if then_reset else "close")

    yield "length-too-long", length(b"%d" % (len(good) + 1))
    yield "length-too-short", length(b"%d" % (len(good) - 1))
    yield "length-zero", length(b"0")
    yield "length-negative", length(b"-1")
    yield "length-no-number", length(b"many")
    yield "length-of-100-digits", length(b"9" * 100)
    yield "length-twice", length(b"%d\r\nContent-Length: %d" % (len(good), len(good) - 1))
    chunk = b"%x\r\n%s\r\n" % (len(good), good)
    yield "chunks-without-end", chunked(chunk)
    yield "chunks-reset", chunked(chunk, then_reset=True)
    yield "chunk-size-no-number", chunked(b"many\r\n" + chunk)
    yield "chunk-size-negative", chunked(b"-1\r\n" + chunk)
    yield "chunk-size-of-100-digits", chunked(b"f" * 100 + b"\r\n" + good)
    yield "chunk-too-long", chunked(b"%x\r\n%s\r\n0\r\n\r\n" % (len(good) + 10, good))
    yield "transfer-encoding-gzip", HttpReply(steps=(_OK + b"Transfer-Encoding: gzip, chunked\r\n\r\n" + chunk,))


def _heads(good: bytes, told: str) -> Iterator[tuple[str, HttpReply]]:
    body = b"Content-Length: %d\r\n\r\n%s" % (len(good), good)
    heads = {
        "head-empty": b"",
        "head-cut": _OK[:-6],
        "head-no-http": f"{told} 220 ready\r\n".encode("latin-1", "replace") + body,
        "head-status-no-number": b"HTTP/1.1 good OK\r\n" + body,
        "head-random-bytes": bytes(range(256)) * 4,
        "header-without-colon": _OK + f"{told}\r\n".encode("latin-1", "replace") + body,
        "header-with-nul": _OK + b"X-Nul: a\0" + told.encode("latin-1", "replace") + b"\r\n" + body,
        "header-name-with-blank": _OK + b"X Echo: " + told.encode("latin-1", "replace") + b"\r\n" + body,
        "header-of-1-mib": _OK + b"X-Long: " + b"x" * (1 << 20) + b"\r\n" + body,
        "headers-100000": _OK + b"".join(b"X-%d: y\r\n" % number for number in range(100_000)) + body,
    }
    for name, data in heads.items():
        yield name, HttpReply(steps=(data,))
    yield "reset-at-once", HttpReply(steps=(), then="reset")
    yield "reset-in-head", HttpReply(steps=(_OK,), then="reset")
    yield "reset-in-body", HttpReply(steps=(_OK + body[: len(body) - 2],), then="reset")


def _texts(good: bytes, told: str) -> Iterator[tuple[str, HttpReply]]:
    text = good.decode()
    bodies = {
        "body-empty": b"",
        "body-blank": b" \r\n",
        "body-html": f"<!doctype html><title>{told}</title>".encode(),
        "body-cut": good[:-1],
        "body-twice": good + good,
        "body-with-bom": b"\xef\xbb\xbf" + good,
        "body-utf-16": text.encode("utf-16"),
        "body-utf-16-without-bom": text.encode("utf-16-le"),
        "body-utf-32": text.encode("utf-32"),
        "body-latin-1": b'{"\xe9": 1}',
        "body-raw-surrogate": b'{"x": "\xed\xa0\x80"}',
        "body-overlong": b'{"x": "\xc0\xaf"}',
        "body-with-nul": good + b"\0",
        "body-with-control-in-string": b'{"x": "a\nb"}',
        "body-jsonp": b"callback(" + good + b")",
        "body-with-comment": b"/* */" + good,
        "body-of-two-lines": b"{}\n" + good,
    }
    for name, body in bodies.items():
        yield name, http_reply(body, headers=[("Content-Type", "application/json")])


def _documents(told: str) -> Iterator[tuple[str, HttpReply]]:
    """Give replies that are JSON, or nearly, and no object that a program could expect."""
    deep = 100_000
    documents = {
        "json-list": "[]",
        "json-number": "1",
        "json-string": json.dumps(told),
        "json-null": "null",
        "json-true": "true",
        "json-nan": '{"x": NaN}',
        "json-infinity": '{"x": -Infinity}',
        "json-huge-number": "9" * 500_000,
        "json-huge-exponent": "[1e999999999]",
        "json-leading-zero": '{"x": 01}',
        "json-key-twice": '{"x": 1, "x": 2}',
        "json-key-twice-escaped": '{"x": 1, "\\u0078": 2}',
        "json-single-quotes": "{'x': 1}",
        "json-trailing-comma": '{"x": 1,}',
        "json-bad-escape": '{"x": "\\x41"}',
        "json-deep-lists": "[" * deep + "]" * deep,
        "json-deep-objects": '{"x":' * deep + "1" + "}" * deep,
        "json-deep-open": "[" * deep,
        "json-many-lists": "[" + "[]," * 340_000 + "[]]",
        "json-many-objects": "[" + "{}," * 340_000 + "{}]",
        "json-many-numbers": "[" + "0," * 500_000 + "0]",
    }
    for name, document in documents.items():
        yield name, http_reply(document, headers=[("Content-Type", "application/json")])


def _endless(good: bytes) -> Iterator[tuple[str, HttpReply]]:
    head = _OK + _JSON
    chunked = head + b"Transfer-Encoding: chunked\r\n\r\n"
    many = b" " * 65_536
    replies = {
        "endless-body": (head + b"\r\n", Flood(data=many)),
        "endless-body-with-length": (head + b"Content-Length: 999999999999\r\n\r\n", Flood(data=many)),
        "endless-chunks": (chunked, Flood(data=b"10000\r\n" + many + b"\r\n")),
        "endless-small-chunks": (chunked, Flood(data=b"1\r\n \r\n" * 4096)),
        "endless-chunk-size": (chunked, Flood(data=b"0" * 65_536)),
        "endless-header": (_OK + b"X-Long: ", Flood(data=b"x" * 65_536)),
        "endless-headers": (_OK, Flood(data=b"X-Echo: y\r\n" * 4096)),
        "endless-status-line": (b"HTTP/1.1 200 ", Flood(data=b"x" * 65_536)),
        "slow-status-line": (Drip(data=b"H"),),
        "slow-headers": (_OK, Drip(data=b"X-Slow: y\r\n")),
        "slow-body": (head + b"\r\n", Drip(data=b" ")),
        "slow-chunks": (chunked, Drip(data=b"1\r\n \r\n")),
        "slow-provisional-answers": (Drip(data=b"HTTP/1.1 100 Continue\r\n\r\n"),),
    }
    for name, steps in replies.items():
        yield name, HttpReply(steps=steps)
    length = b"Content-Length: %d\r\n\r\n" % len(good)
    yield "slow-silence", HttpReply(steps=(), then="hold")
    yield "slow-silence-after-head", HttpReply(steps=(_OK + length,), then="hold")
    yield "slow-last-byte", HttpReply(steps=(_OK + length + good[:-1],), then="hold")
