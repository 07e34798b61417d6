"""Servers that are reached over streamable HTTP."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, ClassVar, Final
from urllib.parse import urlsplit

import attrs

from ditto_core import InvalidValue

from ..connection import McpConnection
from ..mapping.text import is_writable
from ..sdk import client_info
from .backlog import Answers, Questions
from .route import MAX_MESSAGE_BYTES, protocol_mode, size

if TYPE_CHECKING:
    import httpx2
    from mcp import Client

READ_SECONDS: Final = 3600.0
"""How long an open answer may be silent before the connection is given up; requests have deadlines of their own."""
SEND_SECONDS: Final = 30.0
"""How long connecting and sending one request may take."""
_OWNER: Final = "connect_http"
# What HTTP can send. What it cannot send would be shown by whoever refuses it later: a token with a line end, say.
_is_name: Final = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+").fullmatch
_is_value: Final = re.compile(r"(?:[!-~](?:[ \t!-~]*[!-~])?)?").fullmatch


def connect_http(
    url: str,
    *,
    headers: Mapping[str, str] | None = None,
    auth: httpx2.Auth | tuple[str, str] | None = None,
    trust_env: bool = False,
    mode: str = "auto",
    connect_timeout: float = 30.0,
    max_message_bytes: int = MAX_MESSAGE_BYTES,
) -> McpConnection:
    """Return a connection to a server at an address, over streamable HTTP.

    - ``url``: the address of the endpoint; like headers and ``auth`` the application's choice, never a model's.
    - ``headers``: sent with every request, such as ``{"Authorization": f"Bearer {token}"}``.
    - ``auth``: an authentication for ``httpx2``, on which the SDK builds; the SDK's OAuth providers are such.
    - ``trust_env``: whether proxies and ``.netrc`` of the environment are used.
    - ``mode``, ``connect_timeout``: as in :func:`connect_stdio`.
    - ``max_message_bytes``: the longest answer that is read, be it an event of a stream or a whole body.

    Redirects are followed within the same origin only. TLS, sessions and authentication are the SDK's and httpx2's.

    Raises :class:`InvalidValue` for an argument that could not work.
    """
    fields = dict(headers or {}) if isinstance(headers, Mapping | None) else {None: None}
    if not all(type(name) is str and type(value) is str for name, value in fields.items()):
        raise InvalidValue(f"{_OWNER}.headers", "must be a mapping of names to texts such as {'X-Team': 'blue'}")
    if not all(_is_name(name) and _is_value(value) for name, value in fields.items()):
        raise InvalidValue(
            f"{_OWNER}.headers",
            "must hold names of headers and printable ASCII, without blanks and line ends around it; "
            "strip what a file or a variable has there",
        )
    if type(trust_env) is not bool:
        raise InvalidValue(f"{_OWNER}.trust_env", "must be True or False")
    route = HttpRoute(
        url=_address(url),
        headers=fields,
        auth=auth,
        trust_env=trust_env,
        mode=protocol_mode(mode, _OWNER),
        max_message_bytes=size(max_message_bytes, f"{_OWNER}.max_message_bytes"),
    )
    return McpConnection(route, connect_timeout=connect_timeout)


def _address(url: str) -> str:
    try:
        parts = urlsplit(url) if type(url) is str and is_writable(url) else None
        is_sound = parts is not None and parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:  # also of a port that is none
        is_sound = False
    if not is_sound:
        raise InvalidValue(f"{_OWNER}.url", "must be an address that begins with http:// or https:// and names a host")
    return url


@attrs.define(eq=False, repr=False, kw_only=True)
class HttpRoute:
    """The way to a server over streamable HTTP."""

    label: ClassVar[str] = "The MCP server over HTTP"

    url: str
    headers: dict[str, str]
    auth: httpx2.Auth | tuple[str, str] | None
    trust_env: bool
    mode: str
    max_message_bytes: int
    _refused: int | None = None
    """The status of the last answer if that was no success."""

    @asynccontextmanager
    async def client(self, hang_up: asyncio.Event) -> AsyncIterator[Client]:
        """Open a client of HTTP and a session over it; end the session and close the client."""
        import httpx2
        from mcp import Client

        from .http_client import HttpClient

        http = HttpClient(
            headers={**self.headers, "Accept-Encoding": "identity"},
            auth=self.auth,
            trust_env=self.trust_env,
            timeout=httpx2.Timeout(SEND_SECONDS, read=READ_SECONDS),
            event_hooks={"response": [self._receive]},
        )
        session = Client(self._streams(http), mode=self.mode, client_info=client_info(), cache=None)
        async with http, session as client:
            yield client

    @asynccontextmanager
    async def _streams(self, http: httpx2.AsyncClient) -> AsyncIterator[tuple[Questions, Answers]]:
        from mcp.client.streamable_http import streamable_http_client

        async with streamable_http_client(self.url, http_client=http, max_sse_event_size=self.max_message_bytes) as (
            read,
            write,
        ):
            answers = Answers(write)
            yield Questions(read, answers), answers

    async def _receive(self, response: httpx2.Response) -> None:
        """Look at each answer before its body is read."""
        from .bodies import replace_body

        if response.request.method == "POST":  # what else the SDK asks for, a server need not have
            self._refused = None if response.is_success else response.status_code
        replace_body(response, self.max_message_bytes)

    def last_words(self) -> str:
        """Return the status with which the server refused the last request."""
        return "" if self._refused is None else f"it answered with HTTP status {self._refused}"
