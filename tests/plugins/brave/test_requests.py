"""What is sent: one request, to the endpoint, with the query and the key, and nothing of the environment."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ditto_core import InvalidValue
from ditto_testkit.fakes import ScriptedHttpServer, http_reply
from tests.support import run
from tests.support.brave import GOOD, KEY, PATH, brave_at, through_tool
from tests.support.told import everything_known

QUERIES = st.text(min_size=1, max_size=60).filter(lambda text: bool(text.strip()))


@pytest.mark.promise("BRAVE-01", "D-WEB-04", "WEB-14")
def test_the_request_is_what_brave_documents_and_nothing_more() -> None:
    async def main() -> None:
        async with ScriptedHttpServer(http_reply(GOOD)) as server:
            result = await through_tool(brave_at(server), "  Ditto Worker ", limit=3)
            assert result.status == "success"
            assert KEY not in repr(result)
            (request,) = server.requests
            assert (request.method, request.path, request.body) == ("GET", PATH, b"")
            assert request.query == {"q": ["Ditto Worker"], "count": ["3"]}
            assert dict(request.headers) == {
                "host": server.origin.removeprefix("http://"),
                "accept": "application/json",
                "accept-encoding": "identity",
                "user-agent": "ditto-brave",
                "x-subscription-token": KEY,
            }

    run(main())


@given(queries=st.lists(QUERIES, min_size=1, max_size=5), limit=st.integers(1, 20))
@pytest.mark.promise("BRAVE-01")
def test_any_query_arrives_as_it_is(queries: list[str], limit: int) -> None:
    async def main() -> None:
        async with ScriptedHttpServer(http_reply(GOOD)) as server, brave_at(server) as brave:
            for query in queries:
                await brave.search(query, limit)
            assert [request.query for request in server.requests] == [
                {"q": [query], "count": [str(limit)]} for query in queries
            ]

    run(main())


@pytest.mark.case("WEB-08")
@pytest.mark.parametrize(
    "query", ["x" * 601, " ".join("x" * 76), "two\nlines", "two\u2028lines", "", "   ", "\r", "a\x00b"]
)
def test_what_the_tool_refuses_is_never_sent(query: str) -> None:
    async def main() -> None:
        async with ScriptedHttpServer(http_reply(GOOD)) as server:
            with pytest.raises(Exception, match=r"^InvalidArguments|web_search"):
                await through_tool(brave_at(server), query)
            assert server.connections == 0

    run(main())


@pytest.mark.promise("D-WEB-05")
@pytest.mark.parametrize(
    ("query", "limit"),
    [("", 1), (" ", 1), ("secret \ud800", 1), ("secret" * 400, 1), (b"secret", 1), (None, 1)]
    + [("secret", limit) for limit in (0, 21, True, 1.0, "1", None)],
)
def test_a_search_that_cannot_be_is_refused_before_it_is_sent(query: Any, limit: Any) -> None:
    async def main() -> None:
        async with ScriptedHttpServer(http_reply(GOOD)) as server:
            with pytest.raises(InvalidValue, match=r"^BraveSearch.search: the (query|limit) must") as raised:
                await brave_at(server).search(query, limit)
            assert "secret" not in everything_known(raised.value)
            assert server.connections == 0

    run(main())
