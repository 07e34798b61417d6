"""The service on the network: threads of its own, on this machine only, and bounded waits."""

from __future__ import annotations

import socket
import threading
from collections import deque
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Final, Self
from urllib.parse import parse_qs, urlsplit

from .answers import Answer, Answers

DELAY: Final = 0.6
"""How many seconds a held answer comes late, unless the service is told otherwise."""
READING: Final = 10.0
"""How many seconds a client may be silent."""


class OrderService:
    """Serves from `start` to `close`, on 127.0.0.1; ``port`` 0 takes a free one, which ``origin`` then names.

    ``next_answers`` are given, one each, to the next requests in place of what they would have been answered; what
    these requests ask for is done all the same.
    """

    def __init__(self, *, port: int = 0, delay: float = DELAY) -> None:
        self.delay = delay
        self.answers: Answers | None = None
        self.next_answers: deque[Answer] = deque()
        self.closing = threading.Event()
        self._server = _Server(("127.0.0.1", port), _Handler)
        self._server.service = self
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, name="order-service", daemon=True
        )

    @property
    def origin(self) -> str:
        """Where the service is."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def start(self, answers: Answers) -> None:
        """Serve these answers."""
        self.answers = answers
        self._thread.start()

    def close(self) -> None:
        """Stop serving; an answer that is held back goes out at once, or not at all."""
        self.closing.set()
        if self._thread.is_alive():
            self._server.shutdown()
            self._thread.join(READING)
        self._server.server_close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    service: OrderService

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of a client that went away before its answer came."""


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    timeout = READING

    def do_GET(self) -> None:
        self._serve()

    def do_POST(self) -> None:
        self._serve()

    def _serve(self) -> None:
        service = self.server.service
        url = urlsplit(self.path)
        (order_id,) = parse_qs(url.query).get("id", [""])[:1]
        try:
            assert service.answers is not None
            headers = ((name.lower(), value) for name, value in self.headers.items())
            answer = service.answers.answer(self.command, url.path, order_id, dict(headers))
            if service.next_answers:
                answer = service.next_answers.popleft()
        except Exception:
            answer = Answer(status=500)
        if answer.held:
            service.closing.wait(service.delay)
        self._send(answer)

    def _send(self, answer: Answer) -> None:
        if answer.lost and not answer.body:
            self.connection.shutdown(socket.SHUT_RDWR)
            return
        self.send_response(answer.status)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(answer.body)))
        self.end_headers()
        self.wfile.write(answer.body[: len(answer.body) // 2] if answer.lost else answer.body)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing: the database has a list of the requests."""
