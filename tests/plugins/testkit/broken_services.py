"""Packs that ask a service and break one rule each: TP-036 to TP-038."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable
from typing import Any, Self

import attrs
import httpx

from ditto_core import JsonObject, Tool, ToolContext, ToolFailed, ToolOutcome, safe_message
from ditto_testkit import Capabilities, ToolPack
from tests.plugins.testkit.breaking import breaks
from tests.plugins.testkit.packs import Pack, pack, reading

KEY = "made-up-key-5d1e"
GOOD = b'{"value": 7}'
FAILED = "The service failed."
HEADERS = {"X-Api-Key": KEY}


@attrs.frozen(kw_only=True)
class Ask:
    """What a call has to ask with."""

    client: httpx.AsyncClient
    url: str
    timeout: float
    context: ToolContext

    async def response(self, *, url: str = "", follow: bool = False, timeout: float | None = None) -> httpx.Response:
        """Return the answer, with the key sent along."""
        async with asyncio.timeout(None if timeout else self.timeout):
            return await self.client.get(
                url or self.url, headers=HEADERS, follow_redirects=follow, timeout=httpx.Timeout(timeout)
            )


Asking = Callable[[Ask], Awaitable[ToolOutcome]]
CAUGHT = (httpx.HTTPError, ValueError, KeyError, TypeError, TimeoutError, RecursionError)


def value_of(response: httpx.Response) -> ToolOutcome:
    """Return the outcome of a good answer; raises what a bad one makes of it."""
    if response.status_code != httpx.codes.OK or "Content-Encoding" in response.headers:
        raise ValueError("no good answer")
    return ToolOutcome(structured_content={"value": int(json.loads(response.content)["value"])})


async def ask_well(ask: Ask) -> ToolOutcome:
    """Ask as one should."""
    try:
        return value_of(await ask.response())
    except CAUGHT:
        raise ToolFailed("SERVICE_FAILED", FAILED) from None


class Client(Pack):
    """A pack with one tool, and an HTTP client that is open as long as the pack is."""

    def __init__(self, asking: Asking, url: str, timeout: float, transport: httpx.AsyncBaseTransport | None) -> None:
        super().__init__(lambda: [_tool(self, asking)])
        self.url, self.timeout, self.transport = url, timeout, transport

    async def __aenter__(self) -> Self:
        self.client = httpx.AsyncClient(transport=self.transport, verify=False, trust_env=False)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.client.aclose()


def _tool(pack: Client, asking: Asking) -> Tool[Any]:
    async def execute(arguments: JsonObject, context: ToolContext) -> ToolOutcome:
        context.sandbox.require("network", pack.url)
        return await asking(Ask(client=pack.client, url=pack.url, timeout=pack.timeout, context=context))

    return reading(name="ask", execute=execute, effects={"network"})


def served(asking: Asking, kind: Callable[..., Client] = Client, **fields: Any) -> ToolPack:
    """Return a pack whose service the kit plays; elsewhere it answers well, without a connection."""
    good = httpx.MockTransport(lambda _: httpx.Response(200, content=GOOD))
    return ToolPack(
        **{
            "make": lambda: kind(asking, "https://api.example.com", 5.0, good),
            "make_at": lambda url, timeout: kind(asking, url, timeout, None),
            "reply": lambda _: GOOD,
            "secrets": [KEY],
            "capabilities": Capabilities(max_result_bytes=100_000),
            **fields,
        }
    )


@breaks("TP-027")
def asks_the_network_for_want_of_a_fake() -> ToolPack:
    return served(ask_well, make=lambda: Client(ask_well, "http://127.0.0.1:9", 5.0, None))


@breaks("TP-036")
def a_key_in_the_address() -> ToolPack:
    async def asking(ask: Ask) -> ToolOutcome:
        return await ask_well(attrs.evolve(ask, url=f"{ask.url}/?key={KEY}"))

    return served(asking)


@breaks("TP-036")
def a_key_in_an_address_that_nobody_logs() -> ToolPack:
    async def asking(ask: Ask) -> ToolOutcome:
        loggers = [logging.getLogger(name) for name in ("httpx", "httpcore")]
        before = [logger.disabled for logger in loggers]
        for logger in loggers:
            logger.disabled = True
        try:
            return await ask_well(attrs.evolve(ask, url=f"{ask.url}/?key={KEY}"))
        finally:
            for logger, disabled in zip(loggers, before, strict=True):
                logger.disabled = disabled

    return served(asking)


@breaks("TP-036")
def a_key_in_the_body_of_a_get() -> ToolPack:
    async def asking(ask: Ask) -> ToolOutcome:
        try:
            async with asyncio.timeout(ask.timeout):
                return value_of(await ask.client.request("GET", ask.url, json={"key": KEY}))
        except CAUGHT:
            raise ToolFailed("SERVICE_FAILED", FAILED) from None

    return served(asking)


class Shown(Client):
    def __repr__(self) -> str:
        return f"Shown(key={KEY!r})"


@breaks("TP-036")
def a_key_in_the_repr() -> ToolPack:
    return served(ask_well, Shown)


@breaks("TP-036")
def a_refusal_as_content() -> ToolPack:
    async def asking(ask: Ask) -> ToolOutcome:
        response = await ask.response()
        refused = response.status_code == httpx.codes.UNAUTHORIZED
        return ToolOutcome(content=response.text[:200]) if refused else value_of(response)

    return served(_guarded(asking))


def _guarded(asking: Asking) -> Asking:
    async def guarded(ask: Ask) -> ToolOutcome:
        try:
            return await asking(ask)
        except CAUGHT:
            raise ToolFailed("SERVICE_FAILED", FAILED) from None

    return guarded


@breaks("TP-036")
def a_key_that_goes_where_a_redirect_leads() -> ToolPack:
    async def asking(ask: Ask) -> ToolOutcome:
        return value_of(await ask.response(follow=True))

    return served(_guarded(asking))


@breaks("TP-036")
def a_key_in_a_line_of_its_log() -> ToolPack:
    async def asking(ask: Ask) -> ToolOutcome:
        ask.context.log.debug("asked", headers=f"{HEADERS}")
        return await ask_well(ask)

    return served(asking)


@breaks("TP-036")
def a_key_in_a_description() -> ToolPack:
    return attrs.evolve(pack(lambda: [reading(description=f"Reads with {KEY}.")]), secrets=[KEY])


@breaks("TP-037")
def no_service_to_be_played() -> ToolPack:
    return served(ask_well, make_at=None)


@breaks("TP-037")
def asks_elsewhere() -> ToolPack:
    good = httpx.MockTransport(lambda _: httpx.Response(200, content=GOOD))
    return served(ask_well, make_at=lambda _, timeout: Client(ask_well, "https://api.example.com", timeout, good))


@breaks("TP-037")
def raises_what_its_library_raises() -> ToolPack:
    async def asking(ask: Ask) -> ToolOutcome:
        try:
            return value_of(await ask.response())
        except (ValueError, KeyError, TypeError, TimeoutError, RecursionError):
            raise ToolFailed("SERVICE_FAILED", FAILED) from None

    return served(asking, secrets=[])


@breaks("TP-037")
def tells_what_its_service_said_that_looks_safe() -> ToolPack:
    async def asking(ask: Ask) -> ToolOutcome:
        response = await ask.response()
        if response.is_error:
            raise ToolFailed("REFUSED", safe_message(response.headers.get("X-Echo", ""), FAILED))
        return value_of(response)

    return served(_guarded(asking), secrets=[])


def _tells_refusals(told: Callable[[httpx.Response], Any]) -> ToolPack:
    async def asking(ask: Ask) -> ToolOutcome:
        response = await ask.response()
        if not response.is_success:
            raise ToolFailed("REFUSED", safe_message(str(told(response)), FAILED))
        return value_of(response)

    return served(_guarded(asking), secrets=[])


@breaks("TP-037")
def tells_the_message_of_a_refusal() -> ToolPack:
    return _tells_refusals(lambda response: response.json()["error"]["message"])


@breaks("TP-037")
def tells_the_detail_of_a_refusal() -> ToolPack:
    return _tells_refusals(lambda response: response.json()["error"]["detail"])


@breaks("TP-037")
def tells_a_plain_message_of_a_refusal() -> ToolPack:
    return _tells_refusals(lambda response: response.json()["message"])


@breaks("TP-037")
def tells_where_a_redirect_leads() -> ToolPack:
    return _tells_refusals(lambda response: f"The service has moved to {response.headers['Location']}")


@breaks("TP-037")
def tells_a_header_in_metadata() -> ToolPack:
    async def asking(ask: Ask) -> ToolOutcome:
        response = await ask.response()
        if response.is_redirect:
            return ToolOutcome(
                status="failed",
                error=_error(),
                metadata={"debug": [f"{name}: {value}" for name, value in response.headers.items()]},
            )
        return value_of(response)

    return served(_guarded(asking), secrets=[])


def _error() -> Any:
    return ToolFailed("REDIRECTED", FAILED).error


@breaks("TP-038")
def a_deadline_for_each_byte() -> ToolPack:
    async def asking(ask: Ask) -> ToolOutcome:
        return value_of(await ask.response(timeout=ask.timeout))

    return served(_guarded(asking))
