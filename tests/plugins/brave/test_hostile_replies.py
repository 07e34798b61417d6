"""No reply does more than fail the search: in time, in little memory, with one request, and without a word of it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING

import pytest

from ditto_core import SearchFailed
from ditto_testkit.fakes import DeafServer, ScriptedHttpServer, hostile_replies, http_reply
from tests.support import run
from tests.support.brave import GOOD, KEY, PATH, QUERY, brave_at, through_tool
from tests.support.told import everything_known

if TYPE_CHECKING:
    from .conftest import Attempt

MIB = 1 << 20


@pytest.mark.promise("D-WEB-03", "BRAVE-05")
@pytest.mark.case("WEB-11")
def test_every_hostile_reply_fails_the_search(attempts: Mapping[str, Attempt]) -> None:
    assert len(attempts) > 100
    assert [name for name, attempt in attempts.items() if attempt.error is None] == []


@pytest.mark.promise("BRAVE-01", "D-WEB-04")
@pytest.mark.case("WEB-01", "WEB-09")
def test_there_is_one_request_and_no_second(attempts: Mapping[str, Attempt]) -> None:
    paths = {name: [request.path for request in attempt.requests] for name, attempt in attempts.items()}
    assert {name: found for name, found in paths.items() if found != [PATH]} == {}


@pytest.mark.promise("WEB-10")
@pytest.mark.case("WEB-09")
def test_what_may_pass_is_retryable_and_nothing_else(attempts: Mapping[str, Attempt]) -> None:
    retryable = {name for name, attempt in attempts.items() if attempt.error and attempt.error.retryable}
    statuses = {name for name in attempts if name.startswith(("status-", "redirect-"))}
    assert retryable & statuses == {"status-429", *(f"status-{n}" for n in (500, 502, 503, 504)), "status-101"}
    assert {name for name in attempts if name.startswith(("reset-", "slow-"))} <= retryable
    assert [name for name in retryable if name.startswith(("bomb-", "encoding-", "body-", "json-"))] == []


@pytest.mark.case("WEB-03")
def test_no_reply_takes_8_mib(attempts: Mapping[str, Attempt]) -> None:
    assert {name: attempt.growth for name, attempt in attempts.items() if attempt.growth >= 8 * MIB} == {}
    assert max(attempt.growth for name, attempt in attempts.items() if name.startswith("bomb-")) < MIB


@pytest.mark.promise("D-WEB-04")
@pytest.mark.case("WEB-02")
def test_replies_that_do_not_end_are_ended_in_time(attempts: Mapping[str, Attempt]) -> None:
    assert {name: attempt.seconds for name, attempt in attempts.items() if attempt.seconds > 3} == {}
    slow = {name: str(attempt.error) for name, attempt in attempts.items() if name.startswith("slow-")}
    assert set(slow.values()) == {"Brave search: there was no whole answer within the timeout. Try again later."}


@pytest.mark.promise("D-WEB-05")
@pytest.mark.case("SEC-01", "WEB-10")
def test_no_failure_tells_the_key_or_the_query(attempts: Mapping[str, Attempt]) -> None:
    leaking = {}
    for name, attempt in attempts.items():
        assert attempt.error is not None
        told = everything_known(attempt.error) + attempt.log
        leaking[name] = [word for word in (KEY, QUERY, "plans", "someone", "/elsewhere") if word in told]
    assert {name: words for name, words in leaking.items() if words} == {}
    assert {attempt.error.__context__ or attempt.error.__cause__ for attempt in attempts.values()} == {None}


@pytest.mark.case("WEB-02")
def test_a_server_that_takes_no_connection_is_given_up_in_time() -> None:
    async def main() -> None:
        with DeafServer() as server:
            brave = brave_at(server, timeout=0.1)
            with pytest.raises(SearchFailed, match="no whole answer within the timeout") as raised:
                await brave.search(QUERY, 3)
            assert raised.value.retryable
            assert KEY not in everything_known(raised.value)

    run(main())


@pytest.mark.case("WEB-09")
def test_where_nobody_listens_the_search_fails_retryably() -> None:
    async def main() -> None:
        async with ScriptedHttpServer(http_reply(GOOD)) as server:
            brave = brave_at(server)
        with pytest.raises(SearchFailed, match="the connection failed") as raised:
            await brave.search(QUERY, 3)
        assert raised.value.retryable

    run(main())


@pytest.mark.case("WEB-01")
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("entered", [True, False])
def test_the_target_of_a_redirect_is_not_contacted(status: int, *, entered: bool) -> None:
    async def main() -> None:
        async with ScriptedHttpServer(http_reply(GOOD)) as other:
            location = [("Location", other.origin + PATH)]
            async with ScriptedHttpServer(http_reply(GOOD, status, location)) as server:
                brave = brave_at(server)
                if entered:
                    async with brave:
                        result = await through_tool(brave)
                else:
                    result = await through_tool(brave)
                assert (result.status, len(server.requests), other.connections) == ("failed", 1, 0)

    run(main())


@pytest.mark.case("WEB-10")
@pytest.mark.parametrize("status", [401, 403, 422, 500])
def test_the_tool_tells_nothing_of_a_refusal(status: int, caplog: pytest.LogCaptureFixture) -> None:
    async def main() -> None:
        reply = hostile_replies(GOOD, repeats=[KEY, QUERY])[f"status-{status}"]
        async with ScriptedHttpServer(reply) as server:
            result = await through_tool(brave_at(server))
            assert result.error is not None
            assert (result.status, result.error.code) == ("failed", "WEB_SEARCH_FAILED")
            assert result.error.message == "The web search failed."
            for word in (KEY, QUERY, "someone", server.origin):
                assert word not in repr(result)
                assert word not in caplog.text

    caplog.set_level("DEBUG")
    run(main())


@pytest.mark.case("WEB-09")
@pytest.mark.parametrize("name", ["status-429", "status-500", "status-503", "reset-at-once"])
@pytest.mark.parametrize("entered", [True, False])
def test_five_calls_at_once_are_five_requests(name: str, *, entered: bool) -> None:
    async def main() -> None:
        async with ScriptedHttpServer(hostile_replies(GOOD)[name]) as server:
            brave = brave_at(server)
            if entered:
                async with brave:
                    results = await asyncio.gather(*(through_tool(brave) for _ in range(5)))
            else:
                results = await asyncio.gather(*(through_tool(brave) for _ in range(5)))
            assert len(server.requests) == 5
            assert {(one.error.code, one.error.retryable) for one in results if one.error} == {
                ("WEB_SEARCH_FAILED", True)
            }

    run(main())


@pytest.mark.case("WEB-08")
def test_a_query_that_brave_refuses_is_sent_whole_and_once() -> None:
    async def main() -> None:
        async with ScriptedHttpServer(http_reply("{}", 422)) as server:
            for query in ("x" * 401, "x" * 600, " ".join("x" * 51), " ".join("x" * 75)):
                result = await through_tool(brave_at(server), query)
                assert result.error is not None
                assert (result.status, result.error.code) == ("failed", "WEB_SEARCH_FAILED")
                assert server.requests.pop().query["q"] == [query]
                assert server.requests == []

    run(main())
