"""What is sent: one request, to the endpoint, with the query and the key, and nothing of the environment."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ditto_core import InvalidValue, SearchFailed
from ditto_http.connections import _trusted
from ditto_testkit.fakes import ScriptedHttpServer, http_reply
from tests.support import run
from tests.support.brave import GOOD, KEY, PATH, brave_at, everything_told, through_tool

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
            assert "secret" not in everything_told(raised.value)
            assert server.connections == 0

    run(main())


@pytest.mark.promise("D-WEB-04")
def test_nothing_of_the_environment_is_used(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async def main() -> None:
        async with ScriptedHttpServer(http_reply(GOOD)) as server, ScriptedHttpServer(http_reply(GOOD)) as proxy:
            for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
                monkeypatch.setenv(name, proxy.origin)
            netrc = tmp_path / "netrc"
            netrc.write_text("default login someone password hunter2\n", encoding="ascii")
            netrc.chmod(0o600)
            monkeypatch.setenv("NETRC", str(netrc))
            monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "none.pem"))
            _trusted.cache_clear()
            monkeypatch.delenv("no_proxy", raising=False)
            monkeypatch.delenv("NO_PROXY", raising=False)
            for brave in (brave_at(server), brave_at(server)):
                await brave.search("q", 1)
            assert (len(server.requests), proxy.connections) == (2, 0)
            assert [request.all("authorization") for request in server.requests] == [[], []]

    run(main())


@pytest.mark.promise("D-WEB-05")
@pytest.mark.case("WEB-02")
@pytest.mark.parametrize("entered", [True, False])
@pytest.mark.parametrize("cancelled", [True, False])
def test_the_key_is_not_sent_where_encryption_fails(*, entered: bool, cancelled: bool) -> None:
    async def main() -> None:
        async with ScriptedHttpServer(http_reply(GOOD)) as server, AsyncExitStack() as stack:
            endpoint = server.origin.replace("http:", "https:") + PATH
            brave = brave_at(server, endpoint=endpoint, timeout=20 if cancelled else 0.2)
            if entered:
                await stack.enter_async_context(brave)
            # The server waits for a request, and the client for encryption.
            search = asyncio.ensure_future(brave.search("q", 1))
            if cancelled:
                while not server.connections:  # noqa: ASYNC110 - the server has no event for this
                    await asyncio.sleep(0)
                search.cancel()
            with pytest.raises(asyncio.CancelledError if cancelled else SearchFailed) as raised:
                await search
            assert KEY not in everything_told(raised.value)
            await server.wait_until_idle()
            assert (server.connections, server.requests) == (1, [])

    run(main())


@pytest.mark.promise("D-WEB-04", "WEB-14")
def test_a_cookie_is_not_sent_back() -> None:
    async def main() -> None:
        async with ScriptedHttpServer(http_reply(GOOD, headers=[("Set-Cookie", "id=1; Path=/")])) as server:
            async with brave_at(server) as brave:
                await brave.search("q", 1)
                await brave.search("q", 1)
            assert [request.all("cookie") for request in server.requests] == [[], []]

    run(main())
