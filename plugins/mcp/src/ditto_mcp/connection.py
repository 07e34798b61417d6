"""A connection to one MCP server, which lives in a task of its own.

What the SDK opens has to be closed by the task that opened it, and while it is open that task can be cancelled by it:
when an HTTP server dies, for one. So the SDK's client gets a task for itself, which does nothing but open it, wait
and close it. Whoever opens, uses and closes the connection talks to that task and can be any other.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextvars import copy_context
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Self, TypeVar

from ditto_core import WrongEventLoop

from .catalogue import Catalogue
from .errors import McpClosed, McpConnectFailed, McpTimeout
from .events import LOG
from .mapping.blocks import MAX_INLINE_BYTES
from .routes.route import Route
from .routes.waiting import WAITING, Waiting
from .sdk import load_sdk
from .seconds import seconds
from .translating import leaves, reason, request_failure
from .view import Allow, McpView

if TYPE_CHECKING:
    from mcp import Client

R = TypeVar("R")

CLOSE_SECONDS: Final = 10.0
"""How long closing waits for the other end before it cancels what still goes on."""
LAST_SECONDS: Final = 5.0
"""How long it then waits for what it has cancelled."""
CANCEL_SECONDS: Final = 1.0
"""How long the end of a request is waited for after it was cancelled, while the server is told."""

_living: set[asyncio.Task[None]] = set()
"""The tasks of all open connections: an event loop itself holds tasks weakly."""


class McpConnection:
    """A connection that is made by :func:`connect_stdio`, :func:`connect_http` or :func:`connect_inprocess`.

    Nothing happens before ``await connection.open()``, or ``async with connection:``. It is opened once, and what has
    ended does not come back. Open, use and close it from any task of one event loop. A connection that nobody closes
    ends with ``asyncio.run``, and its process too.
    """

    def __init__(self, route: Route, *, connect_timeout: float) -> None:
        self._route = route
        self._connect_timeout = seconds(connect_timeout, "connect_timeout")
        self._stop = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._owner: asyncio.Task[None] | None = None
        self._client: Client | None = None
        self._failure: BaseException | None = None
        self._was_cancelled = False
        self._requests: set[asyncio.Task[object]] = set()
        self.catalogue = Catalogue(self)

    def __repr__(self) -> str:
        """Show the way and the state, and nothing that could be secret."""
        state = "open" if self.is_open else "new" if self._owner is None and not self._stop.is_set() else "closed"
        return f"<McpConnection, {state}: {self._route.label}>"

    @property
    def is_open(self) -> bool:
        """Whether requests can be made."""
        return self._client is not None and not self._stop.is_set()

    @property
    def label(self) -> str:
        """How messages call the server."""
        return self._route.label

    def client(
        self,
        *,
        allow: Allow = None,
        call_timeout: float = 60.0,
        list_timeout: float = 30.0,
        max_inline_bytes: int = MAX_INLINE_BYTES,
    ) -> McpView:
        """Return a view of the server, the :class:`McpClient` that a registry takes; views are cheap and independent.

        - ``allow``: the names of the tools that it lists and calls; or a function that is asked about each listed
          tool, an object of the SDK, and has to answer True; None allows all. Another name is refused before the
          server is asked anything.
        - ``call_timeout``: seconds for one call.
        - ``list_timeout``: seconds for one page, and for all pages together that a first call needs.
        - ``max_inline_bytes``: how many bytes of images, sound and other binary data one result carries in
          ``data:`` references; of what is beyond it says kind, size and digest.

        Raises :class:`InvalidValue` for an argument that could not work.
        """
        return McpView(
            self,
            allow=allow,
            call_timeout=seconds(call_timeout, "McpConnection.client.call_timeout"),
            list_timeout=seconds(list_timeout, "McpConnection.client.list_timeout"),
            max_inline_bytes=max_inline_bytes,
        )

    # Opened and closed, by any task

    async def __aenter__(self) -> Self:
        """Open it."""
        return await self.open()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close it."""
        await self.aclose()

    async def open(self) -> Self:
        """Connect, and return the connection itself.

        Raises :class:`McpConnectFailed`, :class:`McpSdkMissing`, and what cancels it; nothing is left behind then.
        """
        if self._owner is not None or self._stop.is_set():
            raise McpConnectFailed(
                f"{self.label} was not connected: this connection has been opened or closed before. Make another one."
            )
        load_sdk()
        self._loop = asyncio.get_running_loop()
        ready = self._loop.create_future()
        owner = self._owner = self._loop.create_task(self._live(ready), name="ditto-mcp-connection")
        _living.add(owner)
        owner.add_done_callback(_living.discard)
        try:
            await asyncio.wait({ready, owner}, timeout=self._connect_timeout, return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            await self.aclose()
            raise
        if ready.done():
            return self
        is_late = not owner.done()
        await self.aclose()
        cause, self._failure = self._failure, None
        why = f"it took longer than {self._connect_timeout:g} s" if is_late else self._why(cause)
        raise McpConnectFailed(f"{self.label} could not be connected: {why}. No tool has run.") from cause

    async def aclose(self) -> None:
        """Close the connection; it may be closed already, or by several tasks at once.

        Requests that still go on end with :class:`McpClosed`. Nothing is raised for what goes wrong, which is logged.
        If this is cancelled, the connection closes nevertheless.
        """
        owner = self._owner
        if owner is None:
            self._stop.set()
            return
        self._check_loop()
        if self._client is None and not self._stop.is_set():
            self._cancel(owner)  # it is still being opened
        self._stop.set()
        await asyncio.wait({owner, *self._requests}, timeout=CLOSE_SECONDS)
        if owner.done():
            return
        self._cancel(owner)
        await asyncio.wait({owner}, timeout=LAST_SECONDS)
        if not owner.done():
            LOG.warning("mcp_close_delayed", server=self.label, seconds=CLOSE_SECONDS + LAST_SECONDS)

    async def _live(self, ready: asyncio.Future[None]) -> None:
        """Open the SDK's client, wait, and close it: all that happens in the connection's own task."""
        try:
            async with self._route.client(self._stop) as client:
                self._client = client
                ready.set_result(None)
                await self._stop.wait()
        except (Exception, BaseExceptionGroup) as error:
            for leaf in leaves(error):
                if isinstance(leaf, KeyboardInterrupt | SystemExit):
                    raise leaf from error
            self._failure = error
            if ready.done():
                LOG.exception("mcp_connection_failed", server=self.label)
        finally:
            self._client = None
            self._stop.set()

    def _cancel(self, owner: asyncio.Task[None]) -> None:
        """Cancel the connection's task, once: a second time would interrupt what ends a process."""
        if not self._was_cancelled:
            self._was_cancelled = True
            owner.cancel()

    def _check_loop(self) -> None:
        if self._loop is not None and self._loop is not asyncio.get_running_loop():
            raise WrongEventLoop(f"{self.label} is connected in another event loop. Use it where it was opened.")

    def _why(self, cause: BaseException | None = None) -> str:
        """Say why the connection is not there, as far as it is known."""
        return self._route.last_words() or reason(cause)

    # Used, by any task

    async def request(self, send: Callable[[Client], Coroutine[Any, Any, R]], *, timeout: float) -> R:
        """Let the SDK's client send one request and return its answer.

        It runs in a task of its own, so that neither the SDK nor a dying connection can cancel the caller. Raises an
        :class:`McpError`.
        """
        self._check_loop()
        client, owner = self._client, self._owner
        if client is None or owner is None or self._stop.is_set():
            state = "is not open yet" if owner is None and not self._stop.is_set() else "is closed"
            raise McpClosed(f"The connection to {_inside(self.label)} {state}. Nothing was sent.", started=False)
        loop, waiting, context = asyncio.get_running_loop(), Waiting(), copy_context()
        context.run(WAITING.set, waiting)
        call = loop.create_task(send(client), context=context)
        self._requests.add(call)
        call.add_done_callback(self._forget)
        try:
            return await self._answer(call, owner, timeout=timeout)
        finally:
            if not call.done() or call.cancelled():  # the server is still to be told
                loop.call_later(CANCEL_SECONDS, waiting.give_up)

    async def _answer(self, call: asyncio.Task[R], owner: asyncio.Task[None], *, timeout: float) -> R:
        """Wait for an answer; raises an :class:`McpError`."""
        try:
            await asyncio.wait({call, owner}, timeout=timeout, return_when=asyncio.FIRST_COMPLETED)
            if not call.done() and owner.done():
                await asyncio.wait({call}, timeout=CANCEL_SECONDS)  # it is told so, and ends
        except asyncio.CancelledError:
            call.cancel()
            await asyncio.wait({call}, timeout=CANCEL_SECONDS)
            raise
        if not call.done():
            is_late = not owner.done()
            call.cancel()
            await asyncio.wait({call}, timeout=CANCEL_SECONDS)
            if is_late:
                raise McpTimeout(
                    f"{self.label} gave no answer within {timeout:g} s and was asked to stop. "
                    "What it has done is done."
                )
        elif not call.cancelled():
            error = call.exception()
            if error is None:
                return call.result()
            failure = request_failure(error, self.label)
            if failure is not None:
                raise failure from error
        await asyncio.wait({owner}, timeout=CANCEL_SECONDS)  # which then knows how it ended
        why = self._route.last_words()
        raise McpClosed(
            f"{self.label} was lost during the request{why and f': {why}'}. The request may have had its effect. "
            "Find out, then open another connection.",
            started=True,
        )

    def _forget(self, call: asyncio.Task[Any]) -> None:
        """Let go of a request that is over; an exception that nobody waits for any more is nobody's."""
        self._requests.discard(call)
        if not call.cancelled():
            call.exception()

    @property
    def offers_tools(self) -> bool:
        """Whether the server says that it has tools; one that was not asked for its abilities counts as such."""
        client = self._client
        if client is None or self._route.mode not in ("auto", "legacy"):
            return True
        return client.server_capabilities.tools is not None


def _inside(label: str) -> str:
    """Return a label as it stands inside a sentence."""
    return label[0].lower() + label[1:]
