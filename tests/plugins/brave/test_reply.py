"""What a reply says is what a search finds: in order, cleaned of markup, and nothing repaired."""

from __future__ import annotations

import json
import tracemalloc
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ditto_brave.json_bytes import Unreadable
from ditto_brave.reply import MAX_FIELD, hits_of
from ditto_core import SearchHit
from ditto_testkit.fakes import ScriptedHttpServer, http_reply
from tests.support import run
from tests.support.brave import HIT, brave_at, found, through_tool

TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="<>&\ufffd"), max_size=20)
RESULTS = st.fixed_dictionaries(
    {"title": TEXTS, "url": TEXTS},
    optional={"description": TEXTS | st.none(), "age": st.integers(), "meta": st.just({})},
)
NOT_TEXT = st.none() | st.booleans() | st.integers() | st.lists(st.text(), max_size=2) | st.just({})
ODD = st.booleans() | st.integers() | st.text(max_size=5)
MIB = 1 << 20


def read(document: object, limit: int = 20) -> list[SearchHit]:
    return hits_of(json.dumps(document).encode(), limit)


@given(results=st.lists(RESULTS, max_size=25), limit=st.integers(1, 20))
@pytest.mark.promise("WEB-04")
def test_results_come_in_their_order_up_to_the_limit(results: list[dict[str, Any]], limit: int) -> None:
    hits = read({"type": "search", "web": {"results": results}}, limit)
    assert [(hit.title, hit.url, hit.snippet) for hit in hits] == [
        (one["title"], one["url"], one.get("description") or "") for one in results[:limit]
    ]


@pytest.mark.promise("D-WEB-02", "WEB-11")
@pytest.mark.case("WEB-05")
@pytest.mark.parametrize("kind", [{}, {"type": "search"}])
@pytest.mark.parametrize("web", [{}, {"web": None}, {"web": {}}, {"web": {"results": None}}, {"web": {"results": []}}])
def test_a_reply_without_hits_is_an_empty_success(kind: dict[str, Any], web: dict[str, Any]) -> None:
    async def main() -> None:
        async with ScriptedHttpServer(http_reply(json.dumps({**kind, **web}))) as server:
            result = await through_tool(brave_at(server))
            assert result.status == "success"
            assert isinstance(result.structured_content, dict)
            assert result.structured_content["results"] == []

    run(main())


@pytest.mark.promise("D-WEB-03")
@pytest.mark.case("WEB-05")
@pytest.mark.parametrize(
    "document",
    [
        {"type": "ErrorResponse", "error": {}},
        {"type": "ErrorResponse", "web": {"results": [HIT]}},
        {"error": {"code": "RATE_LIMITED"}},
        {"type": "search", "error": "x", "web": {"results": [HIT]}},
        {"type": None},
        {"type": 1},
        {"type": "Search"},
    ],
)
def test_a_reply_that_says_it_is_an_error_fails_the_search(document: dict[str, Any]) -> None:
    async def main() -> None:
        async with ScriptedHttpServer(http_reply(json.dumps(document))) as server:
            result = await through_tool(brave_at(server))
            assert result.error is not None
            assert (result.status, result.error.code, result.error.retryable) == ("failed", "WEB_SEARCH_FAILED", False)

    run(main())


@given(results=st.lists(RESULTS, min_size=1, max_size=4), key=st.sampled_from(["title", "url"]), data=st.data())
@pytest.mark.promise("D-WEB-03")
def test_one_item_of_a_wrong_shape_fails_the_search(
    results: list[dict[str, Any]], key: str, data: st.DataObject
) -> None:
    bad = data.draw(st.sampled_from(results))
    how = data.draw(st.sampled_from(["absent", "no text", "description", "too long"]))
    if how == "absent":
        del bad[key]
    elif how == "no text":
        bad[key] = data.draw(NOT_TEXT)
    elif how == "too long":
        bad[key] = "x" * (MAX_FIELD + 1)
    else:
        bad["description"] = data.draw(NOT_TEXT.filter(lambda value: value is not None))
    with pytest.raises(Unreadable):
        read({"web": {"results": results}})


@given(odd=ODD, where=st.sampled_from(["reply", "web", "results", "item"]))
@example(odd=0, where="web")
@example(odd="", where="results")
@example(odd=False, where="web")
@pytest.mark.promise("D-WEB-03")
def test_a_part_of_a_wrong_type_fails_the_search(odd: object, where: str) -> None:
    documents = {
        "reply": odd,
        "web": {"web": odd},
        "results": {"web": {"results": odd}},
        "item": {"web": {"results": [odd]}},
    }
    with pytest.raises(Unreadable):
        read(documents[where])


@pytest.mark.promise("D-WEB-08")
def test_a_url_with_half_a_character_is_not_repaired() -> None:
    with pytest.raises(Unreadable):
        read({"web": {"results": [{**HIT, "url": "https://example.org/\ud800"}]}})


def test_items_behind_the_limit_are_not_looked_at() -> None:
    assert len(read({"web": {"results": [HIT, "no object"]}}, 1)) == 1
    assert read({"web": {"results": [{**HIT, "title": "x" * MAX_FIELD}]}})[0].title == "x" * MAX_FIELD


@pytest.mark.case("WEB-07")
def test_highlights_and_entities_are_cleaned_once() -> None:
    hit = {**HIT, "title": "<b>T</b> &amp;amp;", "description": "a <strong>b</strong> &#x27;c&#x27; &lt;x&gt;"}

    async def main() -> None:
        async with ScriptedHttpServer(found(hit)) as server:
            (clean,) = await brave_at(server).search("q", 1)
            assert (clean.title, clean.snippet, clean.url) == ("T &amp;", "a b 'c' <x>", HIT["url"])

    run(main())


@pytest.mark.promise("D-WEB-08")
def test_lone_surrogates_in_an_answer_are_replaced() -> None:
    body = b'{"web":{"results":[{"title":"a\\ud800b","url":"https://example.org/","description":"\\udfff"}]}}'

    async def main() -> None:
        async with ScriptedHttpServer(http_reply(body)) as server:
            result = await through_tool(brave_at(server))
            assert isinstance(result.structured_content, dict)
            assert result.structured_content["results"] == [
                {"title": "a\ufffdb", "url": "https://example.org/", "snippet": "\ufffd"}
            ]

    run(main())


@pytest.mark.case("WEB-13")
@pytest.mark.parametrize(
    "url",
    [
        *("http://a@b/", " https://h/", "ht\ntps://h/", "https://h:99999/", "javascript:alert(1)", "https://h/\u202e"),
        "https://h/" + "x" * 100_000,
    ],
)
def test_one_bad_url_fails_the_search_as_a_whole(url: str) -> None:
    async def main() -> None:
        async with ScriptedHttpServer(found(HIT, {**HIT, "url": url})) as server:
            result = await through_tool(brave_at(server))
            assert (result.status, len(server.requests)) == ("failed", 1)

    run(main())


@pytest.mark.case("WEB-16")
@pytest.mark.parametrize(("limit", "count", "hits"), [(3, 50, 3), (20, 2, 2), (None, 9, 5), (1, 9, 1)])
def test_the_limit_is_asked_for_and_kept(limit: int | None, count: int, hits: int) -> None:
    async def main() -> None:
        results = [{**HIT, "url": f"https://example.org/{number}"} for number in range(count)]
        async with ScriptedHttpServer(found(*results)) as server:
            given = {} if limit is None else {"limit": limit}
            result = await through_tool(brave_at(server), **given)
            assert isinstance(result.structured_content, dict)
            urls = [one["url"] for one in result.structured_content["results"]]  # type: ignore[index, call-overload, union-attr]
            assert urls == [f"https://example.org/{number}" for number in range(hits)]
            assert server.requests[0].query["count"] == [str(limit or 5)]

    run(main())


@pytest.mark.case("WEB-11")
@pytest.mark.parametrize("kind", ["text/plain", "text/html; charset=latin-1", "application/json", ""])
def test_the_body_counts_and_not_its_content_type(kind: str) -> None:
    async def main() -> None:
        body = json.dumps({"web": {"results": [HIT]}})
        async with ScriptedHttpServer(http_reply(body, headers=[("Content-Type", kind)] if kind else [])) as server:
            assert len(await brave_at(server).search("q", 5)) == 1

    run(main())


@pytest.mark.case("WEB-03")
@pytest.mark.parametrize("letter", ["x", "é", "😀", "&lt;", "<b>", "<", "&#x1F600;"])
def test_results_as_large_as_may_be_take_less_than_8_mib(letter: str) -> None:
    text = letter * (MAX_FIELD // len(letter.encode()) - 5) + "😀"
    results = [{"title": text, "url": text, "description": text} for _ in range(20)]
    body = json.dumps({"web": {"results": results}}, ensure_ascii=False).encode()
    assert len(body) < MIB
    tracemalloc.start()
    try:
        assert len(hits_of(body, 20)) == 20
        assert tracemalloc.get_traced_memory()[1] < 7 * MIB - len(body)
    finally:
        tracemalloc.stop()
