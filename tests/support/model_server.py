"""A server on this machine that speaks OpenAI's chat completions and answers by a rule that reads only the request.

It is no model. A rule is a function of the request's body; what it gives is the body of the reply, or a
:class:`Reply` that says how to answer wrongly, late, or not at all. Requests are kept as they came.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

import attrs

PATIENCE = 20.0
"""How many seconds an answer is held back at the most."""

Body = dict[str, Any]


@attrs.frozen(kw_only=True)
class Reply:
    """How to answer: a status, headers, and pieces of a body, each sent by itself.

    ``held``: nothing is sent until the server is released. ``cut``: the connection is closed before the body is whole.
    """

    status: int = 200
    headers: dict[str, str] = attrs.field(factory=dict)
    pieces: Iterable[bytes] = ()
    length: int | None = None
    held: bool = False
    cut: bool = False
    silent: bool = False


Rule = Callable[[Body], "Body | Reply"]


@attrs.frozen(kw_only=True)
class Asked:
    """A request as it came."""

    path: str
    headers: dict[str, str]
    body: Body


class ModelServer:
    """Serves while it is entered; ``rule`` may be changed at any time, ``once`` are rules for the next requests."""

    def __init__(self, rule: Rule) -> None:
        self.rule = rule
        self.once: list[Rule] = []
        self.requests: list[Asked] = []
        self.released = threading.Event()
        self.arrived = threading.Event()
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.owner = self
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)

    @property
    def origin(self) -> str:
        """What a sandbox permits."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    @property
    def url(self) -> str:
        """The address before ``/chat/completions``."""
        return f"{self.origin}/v1"

    def answer(self, asked: Asked) -> Body | Reply:
        """Keep the request and say what to answer."""
        self.requests.append(asked)
        rule = self.once.pop(0) if self.once else self.rule
        self.arrived.set()
        return rule(asked.body)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.released.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(PATIENCE)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    owner: ModelServer

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is what several tests are about."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        given = self.server.owner.answer(Asked(path=self.path, headers=dict(self.headers.items()), body=body))
        self.close_connection = True
        reply = given if isinstance(given, Reply) else whole(given)
        if reply.held:
            self.server.owner.released.wait(PATIENCE)
        if reply.silent:
            return
        pieces = list(reply.pieces) if isinstance(reply.pieces, tuple | list) else reply.pieces
        self.send_response(reply.status)
        for name, value in reply.headers.items():
            self.send_header(name, value)
        if isinstance(pieces, list):
            size = sum(map(len, pieces)) if reply.length is None else reply.length
            self.send_header("Content-Length", str(size + reply.cut))
        self.send_header("Connection", "close")
        self.end_headers()
        for piece in pieces:
            self.wfile.write(piece)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


# What a rule gives.


def whole(body: Body) -> Reply:
    """Answer as a server should."""
    return Reply(headers={"Content-Type": "application/json"}, pieces=[json.dumps(body).encode()])


def completion(message: Body, finish_reason: str, *, tokens: int = 10) -> Body:
    """Give the body of a reply with one choice."""
    usage = {"prompt_tokens": tokens - 4, "completion_tokens": 4, "total_tokens": tokens}
    choice = {"index": 0, "message": {"role": "assistant", **message}, "finish_reason": finish_reason}
    return {"id": "chatcmpl-1", "object": "chat.completion", "choices": [choice], "usage": usage}


def said(text: str, *, finish_reason: str = "stop", tokens: int = 10) -> Body:
    """Give a reply that is text."""
    return completion({"content": text}, finish_reason, tokens=tokens)


def asked_for(*calls: tuple[str, str, Any], text: str | None = None, tokens: int = 10) -> Body:
    """Give a reply that asks for calls: an id, a name, and arguments, which as text are written as they are."""
    written = [
        {
            "id": id,
            "type": "function",
            "function": {"name": name, "arguments": given if isinstance(given, str) else json.dumps(given)},
        }
        for id, name, given in calls
    ]
    return completion({"content": text, "tool_calls": written}, "tool_calls", tokens=tokens)


# Rules.


def obedient(request: Body) -> Body:
    """Do what the user's last message says, a line ``use NAME {…}`` for each call, then repeat the results as text."""
    messages = request["messages"]
    last = max(index for index, message in enumerate(messages) if message["role"] == "user")
    orders = [line.split(" ", 2)[1:] for line in messages[last]["content"].splitlines() if line.startswith("use ")]
    results = [message for message in messages[last:] if message["role"] == "tool"]
    if len(results) < len(orders):
        name, arguments = orders[len(results)]
        return asked_for((f"call_{len(messages)}", name, arguments))
    return said("; ".join(message["content"] for message in results) or "nothing to do")


def always(given: Body | Reply) -> Rule:
    """Answer the same to everything."""
    return lambda _: given


def redirect(to: str, status: int = 307) -> Reply:
    """Send the client elsewhere."""
    return Reply(status=status, headers={"Location": to}, pieces=[b""])


def huge(size: int) -> Reply:
    """Send so many bytes, without saying how many."""
    return Reply(pieces=iter([b" " * 65_536] * (size // 65_536 + 1)))


def late(body: Body) -> Reply:
    """Answer, but only when the server is released."""
    return Reply(pieces=[json.dumps(body).encode()], held=True)


def drip(server: ModelServer) -> Reply:
    """Send a byte at a time until the client goes away or the server is released."""

    def bytes_for_ever() -> Iterator[bytes]:
        while not server.released.wait(0.01):
            yield b" "

    return Reply(pieces=bytes_for_ever())
