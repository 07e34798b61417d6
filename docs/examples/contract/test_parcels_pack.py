"""The pack keeps the contract of a tool pack, and does what is particular to it."""

from __future__ import annotations

import asyncio

import httpx
from parcels_pack import ParcelsPack

from ditto_core import ExternalResult, PluginHost, Sandbox, ToolCall, ToolContext
from ditto_http import Connections
from ditto_testkit import ToolPackContract
from ditto_testkit.fakes import HttpReply, HttpRequest, ScriptedHttpServer, http_reply

KEY = "made-up-key-41f9"
GOOD = b'{"place": "Rotterdam"}'


class TestParcelsPack(ToolPackContract):
    """Every check of the kit; for those about the network, the kit plays the service."""

    contract = 1
    secrets = (KEY,)

    def pack(self) -> ParcelsPack:
        """Return a new pack with a service that answers well and opens no connection."""
        answers = httpx.MockTransport(lambda _: httpx.Response(200, content=GOOD))
        return ParcelsPack(api_key=KEY, connections=Connections("ParcelsPack", transport=answers))

    def pack_at(self, url: str, timeout: float) -> ParcelsPack:
        """Return a new pack that asks the kit's server."""
        return ParcelsPack(api_key=KEY, base_url=url, timeout=timeout)

    def reply(self, request: HttpRequest) -> bytes:
        """Return the answer of a service that works."""
        return GOOD


def track(reply: HttpReply) -> tuple[ExternalResult, list[HttpRequest]]:
    """Return what a call comes to when the service answers with `reply`, and what it was asked."""

    async def main() -> tuple[ExternalResult, list[HttpRequest]]:
        async with ScriptedHttpServer(reply) as server:
            host, pack = PluginHost(), ParcelsPack(api_key=KEY, base_url=server.origin)
            host.register(pack)
            sandbox = Sandbox(tools=["track_parcel"], network=[server.origin])
            call = ToolCall(id="c1", name="track_parcel", arguments={"number": "QX123456789"})
            async with host:
                result = await host.tools.call(call, ToolContext(sandbox=sandbox, call_id="c1"))
            return result, server.requests

    return asyncio.run(main())


def test_a_parcel_is_found_with_one_request() -> None:
    """The key goes to the service, and to nobody else."""
    result, requests = track(http_reply(GOOD))
    assert result.structured_content == {"number": "QX123456789", "place": "Rotterdam"}
    assert [(request.method, request.target) for request in requests] == [("GET", "/parcels/QX123456789")]
    assert requests[0].all("Authorization") == [f"Bearer {KEY}"]
    assert KEY not in repr(result)


def test_failures_have_words_of_their_own() -> None:
    """Nothing that the service says stands in an error."""
    replies = {
        "NO_PARCEL": http_reply("no QX123456789 for you", 404),
        "SERVICE_FAILED": http_reply(f"{KEY} is over its limit", 429),
        "BAD_ANSWER": http_reply("<html>Please log in.</html>"),
    }
    for code, reply in replies.items():
        error = track(reply)[0].error
        assert error
        assert (error.code, error.retryable) == (code, code == "SERVICE_FAILED")
        assert KEY not in error.message
