"""The pack keeps the contract of a tool pack, and does what is particular to it."""

from __future__ import annotations

import asyncio
import json

import httpx
from parcels_pack import ParcelsPack

from ditto_core import ExternalResult, PluginHost, Sandbox, ToolCall, ToolContext
from ditto_http import Connections
from ditto_testkit import ToolPackContract
from ditto_testkit.fakes import HttpReply, HttpRequest, ScriptedHttpServer, http_reply

KEY = "made-up-key-41f9"
GOOD = json.dumps({"place": "Rotterdam"})


class TestParcelsPack(ToolPackContract):
    """Every check of the kit, with a fake in the place of the network."""

    contract = 1

    def pack(self) -> ParcelsPack:
        """Return a new pack whose service answers well."""
        answers = httpx.MockTransport(lambda _: httpx.Response(200, text=GOOD))
        return ParcelsPack(api_key=KEY, connections=Connections("ParcelsPack", transport=answers))


def track(reply: HttpReply, *, timeout: float = 10.0) -> tuple[ExternalResult, list[HttpRequest]]:
    """Return what a call comes to when the service answers with `reply`, and what it was asked."""

    async def main() -> tuple[ExternalResult, list[HttpRequest]]:
        async with ScriptedHttpServer(reply) as server:
            host, pack = PluginHost(), ParcelsPack(api_key=KEY, base_url=server.origin, timeout=timeout)
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


def test_a_service_that_does_not_answer_is_given_up() -> None:
    """The time of a call is bounded, whatever the service does."""
    error = track(HttpReply(steps=(), then="hold"), timeout=0.05)[0].error
    assert error
    assert (error.message, error.retryable) == ("There was no whole answer in time.", True)
