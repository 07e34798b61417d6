"""A pack whose tool asks a service over HTTP, with its address and a key as options."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Annotated, Any, ClassVar, Self
from urllib.parse import urlsplit

import attrs
import httpx
from attrs.validators import ge, instance_of, matches_re

from ditto_core import InvalidValue, Tool, ToolContext, ToolFailed, hookimpl, parse_json, tool

MAX_BODY = 65_536
"""How many bytes an answer has at the most."""


@attrs.define(kw_only=True, eq=False)
class RatesPack:
    """Rates of currencies. The key goes into a header and is shown nowhere; a call takes `timeout` seconds at most."""

    api_version: ClassVar[int] = 1

    api_key: str = attrs.field(repr=False, validator=instance_of(str))
    base_url: str = attrs.field(default="https://rates.example", validator=instance_of(str))
    timeout: float = attrs.field(default=10.0, validator=ge(0.001))
    transport: httpx.AsyncBaseTransport | None = attrs.field(default=None, repr=False)
    _client: httpx.AsyncClient = attrs.field(init=False, repr=False)

    async def __aenter__(self) -> Self:
        headers = {"X-Api-Key": self.api_key, "Accept-Encoding": "identity"}
        self._client = httpx.AsyncClient(
            headers=headers, transport=self.transport, timeout=self.timeout, trust_env=False
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._client.aclose()

    @hookimpl
    def ditto_tools(self) -> Iterable[Tool[Any]]:
        """Offer the tool."""
        parts = urlsplit(self.base_url)
        origin = f"{parts.scheme}://{parts.netloc}"

        @tool(effects={"network"})
        async def rate(
            currency: Annotated[str, matches_re("[A-Z]{3}"), "such as 'USD'"], *, context: ToolContext
        ) -> dict[str, float]:
            """Say how much of a currency one euro buys."""
            context.sandbox.require("network", origin)
            try:
                async with asyncio.timeout(self.timeout):
                    body = await self._body(f"{self.base_url}/rates/{currency}")
            except TimeoutError:
                raise ToolFailed("TOO_SLOW", "The service of rates did not answer in time.", retryable=True) from None
            except (httpx.HTTPError, ValueError):  # whose texts may hold what the service said
                raise ToolFailed("SERVICE_FAILED", "The service of rates failed.", retryable=True) from None
            return {"rate": _rate(body)}

        return [rate]

    async def _body(self, url: str) -> str:
        """Return the text of a good answer; raises what the library raises, and ``ValueError`` for others."""
        async with self._client.stream("GET", url) as response:
            if response.status_code != httpx.codes.OK or "Content-Encoding" in response.headers:
                raise ValueError("no good answer")
            body = b""
            async for piece in response.aiter_bytes():
                body += piece
                if len(body) > MAX_BODY:
                    raise ValueError("too large")
        return body.decode()


def _rate(body: str) -> float:
    try:
        answer = parse_json(body)
    except InvalidValue:
        answer = None
    rate = answer.get("rate") if type(answer) is dict else None
    if type(rate) is not float:
        raise ToolFailed("BAD_ANSWER", "The service of rates gave no rate.")
    return rate
