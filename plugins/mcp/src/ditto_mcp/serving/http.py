"""Any number of clients, over streamable HTTP."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import uvicorn
from mcp.server import Server
from mcp.server.transport_security import TransportSecuritySettings

from .serve import HttpAddress
from .stopping import Ending, stream_watchers

MAX_REQUEST_BYTES = 4_194_304
"""How large the body of a request may be; a larger one is answered with 413."""
MAX_CONNECTIONS = 1_000
"""How many connections are open at once; what goes beyond is answered with 503. Many systems allow 1,024 files."""
MAX_SESSIONS = 1_000
"""How many sessions of older clients there are at once; another one is answered with 503."""
SESSION_SECONDS = 1_800
"""How long such a session is kept while its client neither asks nor listens."""
CLOSE_SECONDS = 5
"""How long open answers may go on once the serving is cancelled."""
LAST_SECONDS = 2
"""How long they then have to end after they were told to."""


async def serve_address(server: Server[Any], http: HttpAddress, ready: Callable[[str], None] | None) -> None:
    """Listen, say so, and serve until this task is cancelled; then let open answers end for 5 s."""
    app = Ending(
        server.streamable_http_app(
            streamable_http_path=http.path,
            host=http.host,
            transport_security=_security(http),
            max_request_body_size=MAX_REQUEST_BYTES,
            max_sessions=MAX_SESSIONS,
            session_idle_timeout=SESSION_SECONDS,
        )
    )
    config = uvicorn.Config(
        app,
        log_config=None,
        log_level="warning",
        access_log=False,
        limit_concurrency=MAX_CONNECTIONS + 1,  # the first number that is refused
        timeout_graceful_shutdown=CLOSE_SECONDS + LAST_SECONDS,
        ws="none",
    )
    others = stream_watchers()
    with _listening(http) as listener:
        web = _Web(config, lambda: ready and ready(_address(listener, http)))
        serving = asyncio.ensure_future(web.serve(sockets=[listener]))
        try:
            await asyncio.shield(serving)
        except asyncio.CancelledError:
            web.should_exit = True
            app.end_streams()
            with suppress(asyncio.CancelledError):  # cancelled again, it ends at once
                await asyncio.wait({serving}, timeout=CLOSE_SECONDS)
            app.end_calls()
            while not serving.done():
                with suppress(asyncio.CancelledError):
                    await asyncio.wait({serving})
            raise
        finally:
            for watcher in stream_watchers() - others:
                watcher.cancel()
                await asyncio.wait({watcher})


class _Web(uvicorn.Server):
    """The web server, which leaves the signals of this process to the application."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], object]) -> None:
        super().__init__(config)
        self._ready = ready

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._ready()


def _security(http: HttpAddress) -> TransportSecuritySettings | None:
    """Return which names a server beyond the loopback address answers to; the SDK knows those of the loopback."""
    if http.is_loopback:
        return None
    origins = [f"{scheme}://{host}" for host in http.allowed_hosts for scheme in ("https", "http")]
    return TransportSecuritySettings(
        enable_dns_rebinding_protection=True, allowed_hosts=list(http.allowed_hosts), allowed_origins=origins
    )


@contextmanager
def _listening(http: HttpAddress) -> Iterator[socket.socket]:
    family = socket.AF_INET6 if ":" in http.host else socket.AF_INET
    with socket.socket(family) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((http.host, http.port))
        listener.setblocking(False)  # noqa: FBT003 - its only parameter
        yield listener


def _address(listener: socket.socket, http: HttpAddress) -> str:
    host = f"[{http.host}]" if ":" in http.host else http.host
    return f"http://{host}:{listener.getsockname()[1]}{http.path}"
