"""One request to the service, and what becomes of it: every ending is a result, and none is repeated here."""

from __future__ import annotations

import asyncio
import ssl
from functools import cache
from typing import Final

import anyio.lowlevel
import attrs
import httpx

from ditto_core import UNSET, InteractionError, JsonValue, Reference, Status, ToolOutcome, Unset

from ..json_text import NotJson, read
from ..request import Request

DEADLINE: Final = 0.15
"""How many seconds an answer may take, its body included, unless the tools are told otherwise."""
MAX_DEADLINE: Final = 60.0
MAX_BODY_BYTES: Final = 16_384
"""How large an answer's body may be unless the tools are told otherwise."""
LARGEST_BODY_BYTES: Final = 1_048_576


class _TooLarge(Exception):
    """The body has more bytes than it may."""


@attrs.frozen(kw_only=True)
class Remote:
    """The service of one task, and the limits of a request to it."""

    request: Request
    deadline: float
    max_body_bytes: int

    async def get(self, path: str) -> ToolOutcome:
        """Ask; nothing is changed by it."""
        return await self._outcome("GET", path, {})

    async def retry(self) -> ToolOutcome:
        """Ask for the second attempt, under the key that makes a repeat of it harmless."""
        return await self._outcome("POST", "/retry", {"Idempotency-Key": f"{self.request.id}:retry"})

    async def _outcome(self, method: str, path: str, headers: dict[str, str]) -> ToolOutcome:
        uri = f"{self.request.origin}{path}?id={self.request.order_id}"
        sent = {"Accept-Encoding": "identity", "X-Tenant": self.request.tenant, **headers}
        await anyio.lowlevel.checkpoint()  # httpx works on anyio, whose first use loads more than a deadline allows
        # Nothing of the environment, no redirect, no cookie that another request has left; the scope bounds the wait.
        client = httpx.AsyncClient(verify=_trusted(), trust_env=False, timeout=None)  # noqa: S113
        scope = asyncio.timeout(self.deadline)
        try:
            async with client, scope, client.stream(method, uri, headers=sent) as response:
                return await self._answered(response, uri)
        except TimeoutError:
            if not scope.expired():
                raise
            return _failed(
                "timeout", "REQUEST_TIMEOUT", "The service did not answer in time. Whether it acted is uncertain."
            )
        except httpx.ConnectError:
            return _failed("failed", "NOT_CONNECTED", "The service could not be reached, so it has done nothing.")
        except httpx.TransportError:
            return _failed(
                "unknown",
                "CONNECTION_LOST",
                "The connection was lost after the request. Whether it acted is uncertain.",
            )

    async def _answered(self, response: httpx.Response, uri: str) -> ToolOutcome:
        status = response.status_code
        if status == httpx.codes.CONFLICT:
            return _failed("cancelled", "REMOTE_CANCELLED", "The service says that the order was cancelled.", status)
        if not response.is_success:
            return _failed("failed", f"HTTP_{status}", f"The service answered with the status {status}.", status)
        try:
            text = (await self._body(response)).decode()
        except _TooLarge:
            return _failed("failed", "BODY_TOO_LARGE", "The answer is larger than it may be.", status)
        except UnicodeDecodeError:
            return _failed("failed", "BODY_NOT_TEXT", "The answer is not text in UTF-8.", status)
        kind = response.headers.get("content-type", "text/plain")
        return ToolOutcome(
            content=text,
            structured_content=_structured(text) if "application/json" in kind else UNSET,
            references=(Reference(uri=uri),),
            metadata={"format": kind},
        )

    async def _body(self, response: httpx.Response) -> bytes:
        """Return the bytes as they come: what is packed is no text, and is not unpacked either."""
        body = bytearray()
        async for piece in response.aiter_raw():
            body += piece
            if len(body) > self.max_body_bytes:
                raise _TooLarge
        return bytes(body)


def _structured(text: str) -> JsonValue | Unset:
    try:
        return read(text)
    except NotJson:
        return UNSET


def _failed(status: Status, code: str, message: str, http: int | None = None) -> ToolOutcome:
    """Return a failure; of what is sent with it, the body is dropped unread."""
    error = InteractionError(code=code, message=message, retryable=code == "HTTP_503")
    return ToolOutcome(status=status, error=error, metadata=UNSET if http is None else {"httpStatus": http})


@cache
def _trusted() -> ssl.SSLContext:
    """Return whom to trust, which takes long to read, and is read once."""
    return ssl.create_default_context()
