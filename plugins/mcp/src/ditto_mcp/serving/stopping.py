"""What clients keep open, ended when the server stops: a web server by itself would wait for it in vain."""

from __future__ import annotations

import asyncio
from types import CoroutineType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send


class Ending:
    """An application around another one, which tells it that clients have hung up when the server stops."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._no_streams = asyncio.Event()
        self._no_calls = asyncio.Event()

    def end_streams(self) -> None:
        """End the streams of clients that only listen; what is being answered goes on."""
        self._no_streams.set()

    def end_calls(self) -> None:
        """End everything else."""
        self._no_calls.set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request; the web server calls it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        over = self._no_streams if scope["method"] == "GET" else self._no_calls
        sent: Message = {"type": "nothing"}

        async def receive_or_end() -> Message:
            message, end = asyncio.ensure_future(receive()), asyncio.ensure_future(over.wait())
            try:
                await asyncio.wait({message, end}, return_when=asyncio.FIRST_COMPLETED)
                return message.result() if message.done() else {"type": "http.disconnect"}
            finally:
                message.cancel()
                end.cancel()

        async def send_and_note(message: Message) -> None:
            nonlocal sent
            sent = message
            await send(message)

        await self._app(scope, receive_or_end, send_and_note)
        if over.is_set():  # whoever believes that the client has hung up leaves its answer as it is
            if sent["type"] == "nothing":
                await send({"type": "http.response.start", "status": 503, "headers": []})
            if sent["type"] != "http.response.body" or sent.get("more_body"):
                await send({"type": "http.response.body", "body": b"", "more_body": False})


def stream_watchers() -> set[asyncio.Task[object]]:
    """Return the tasks of this loop with which ``sse-starlette`` looks out for signals.

    It starts one with the first stream and never ends it; another stream would start it again.
    """
    return {task for task in asyncio.all_tasks() if _name(task) == "_shutdown_watcher"}


def _name(task: asyncio.Task[object]) -> str:
    coroutine = task.get_coro()
    return coroutine.__name__ if isinstance(coroutine, CoroutineType) else ""
