"""WS-001 to WS-010: what a search provider is, what it finds, and what it leaves behind."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

from ditto_core import InvalidValue, Sandbox, SearchHit

from ..audit import recording
from ..fakes.http import HttpReply, HttpRequest
from ..labs.connections import Connections
from ..labs.left_running import Running
from ..labs.loop import Ended
from ..labs.providers import HITS, Place, ProviderLab, ProviderSubject, is_searchable
from ..labs.requests import asked, shape
from ..strategies.queries import OPERATORS, plain_queries, search_queries
from .model import check, fail

LIMITS = st.integers(1, 20)
HOLD = HttpReply(steps=(), then="hold")


def _search(lab: ProviderLab, query: str, limit: int) -> Ended:
    return lab.loop.ended(lab.place.provider.search(query, limit))


def _told(ended: Ended) -> object:
    return ended.value if ended.error is None else f"{type(ended.error).__name__}: {ended.error}"


@check(
    "WS-001",
    title="The provider has an async method search",
    fix="write async def search(self, query: str, limit: int) -> Sequence[SearchHit]",
)
def search_is_async(subject: ProviderSubject, data: Any) -> None:
    """No tool can be made of other objects."""
    provider = subject.make()
    if not is_searchable(provider):
        fail("the provider has no async method search", provider=type(provider).__name__)


@check(
    "WS-002",
    title="The origin is None or an origin in its normal form, the same each time",
    fix="give scheme, host and perhaps a port, in lower case and without a slash at the end; None only if no "
    "connection is opened",
)
def origin_is_one(lab: ProviderLab, data: Any) -> None:
    """An application puts it into the sandbox's network list as it stands, and the permission is asked for it."""
    provider = lab.subject.make()
    first, second = provider.origin, provider.origin
    if first != second:
        fail("the origin changes", first=first, then=second)
    if first is None:
        return
    try:
        normal = Sandbox(network=[first]).network
    except InvalidValue as error:
        fail("the origin is none", refused=str(error))
    if normal != {first} or first == "*":
        fail("the origin is not in its normal form", origin=first, normal=sorted(normal))


@check(
    "WS-003",
    title="A search gives a list of hits that web_search can show",
    fix="return SearchHit objects with plain http or https URLs; leave out or refuse what has none",
    draws=True,
)
def hits_are_usable(lab: ProviderLab, data: Any) -> None:
    """One hit with another URL makes the whole search of the tool fail; nothing is repaired."""
    if not lab.may_search:
        return
    query, limit = data.draw(plain_queries(), label="query"), data.draw(LIMITS, label="limit")
    ended = _search(lab, query, limit)
    if ended.error is not None:
        fail("a plain search does not end with hits", query=query, limit=limit, raised=_told(ended))
    problem = lab.problem_of(ended.value)
    if problem:
        fail(problem, query=query, limit=limit, given=ended.value)
    expected = list(HITS[:limit])
    if lab.has_backend and list(ended.value[: len(expected)]) != expected:
        fail("the hits are not those of the backend, in their order", backend=expected, given=ended.value)


@check(
    "WS-004",
    title="A search gives at most as many hits as asked for",
    fix="cut the list: return hits[:limit]",
    draws=True,
)
def hits_are_few(lab: ProviderLab, data: Any) -> None:
    """A backend may ignore the number in the request."""
    if not lab.may_search:
        return
    query, limit = data.draw(plain_queries(), label="query"), data.draw(LIMITS, label="limit")
    ended = _search(lab, query, limit)
    if isinstance(ended.value, Sequence) and len(ended.value) > limit:
        fail("there are too many hits", query=query, limit=limit, hits=len(ended.value))


@check(
    "WS-005",
    title="The query is text: nothing in it is an operator, a field or an option",
    fix="quote or encode the query as a whole: a parameter of the URL, a value of JSON, a quoted term",
    draws=True,
)
def queries_are_text(lab: ProviderLab, data: Any) -> None:
    """A model writes the query. What it writes may be searched for, and may not change what is asked for."""
    if not lab.may_search:
        return
    fixed = lab.once(_misread_fixed)
    query = fixed[0] if fixed else data.draw(search_queries(), label="query")
    problem = fixed[1] if fixed else lab.loop.run(_misread(lab.place, query))
    if problem:
        fail("a query is not taken as text", query=query, **problem)


async def _misread_fixed(lab: ProviderLab) -> tuple[str, dict[str, object]] | None:
    """Return the first of the queries that have been misread before, if this provider misreads it too."""
    async with lab.new_place() as place:
        for query in OPERATORS:
            problem = await _misread(place, query)
            if problem:
                return query, problem
    return None


async def _misread(place: Place, query: str) -> dict[str, object]:
    """Return what shows that a query is more than text to the provider, or nothing."""
    if place.server is None:
        try:
            await place.provider.search(query, 5)
        except Exception as error:
            return {"raised": f"{type(error).__name__}: {error}"}
        return {}
    before = len(place.server.requests)
    for each in ("plain", query):
        await asyncio.gather(place.provider.search(each, 5), return_exceptions=True)
    requests = place.server.requests[before:]
    if requests and asked(requests[0], query):
        return {}  # another field has just this value, the number 5 for instance: nobody could tell them apart
    if len(requests) == 2 and asked(requests[1], query) and shape(requests[0], "plain") == shape(requests[1], query):
        return {}
    shapes = [shape(request, each) for request, each in zip(requests, ("plain", query), strict=False)]
    return {"with_a_plain_query": shapes[:1], "request": shapes[1:]}


@check(
    "WS-006",
    title="The same search twice gives the same hits",
    fix="keep nothing between searches, and sort what comes in any order; or declare "
    "Capabilities(not_repeatable={'search': …})",
    draws=True,
)
def searches_are_repeatable(lab: ProviderLab, data: Any) -> None:
    """Nothing changes between these two; evaluations compare results."""
    if not lab.may_search or "search" in lab.capabilities.not_repeatable:
        return
    query, limit = data.draw(plain_queries(), label="query"), data.draw(LIMITS, label="limit")
    first, second = (_search(lab, query, limit) for _ in range(2))
    if (first.value, type(first.error)) != (second.value, type(second.error)):
        fail("one search has two answers", query=query, limit=limit, first=_told(first), then=_told(second))


@check(
    "WS-007",
    title="Searches at the same time do not mix",
    fix="keep what belongs to a search in local variables, not on the provider",
    draws=True,
)
def searches_keep_apart(lab: ProviderLab, data: Any) -> None:
    """A worker runs many searches at once on one provider."""
    if not lab.may_search or "search" in lab.capabilities.not_repeatable:
        return
    drawn = data.draw(st.lists(plain_queries(), min_size=2, max_size=5), label="queries")
    several = [f"{query} number{index}" for index, query in enumerate(drawn)]
    place = lab.place
    place.answer = lambda request: lab.subject.found([_hit_for(request, several)])

    async def together() -> list[Any]:
        return await asyncio.gather(*(place.provider.search(one, 5) for one in several), return_exceptions=True)

    async def alone() -> list[Any]:
        return [(await asyncio.gather(place.provider.search(one, 5), return_exceptions=True))[0] for one in several]

    for query, one, other in zip(several, lab.loop.run(together()), lab.loop.run(alone()), strict=True):
        if one != other and not (isinstance(one, Exception) and type(one) is type(other)):
            fail("a search beside others has another answer", query=query, alone=repr(other), then=repr(one))


def _hit_for(request: HttpRequest, queries: list[str]) -> SearchHit:
    """Give a hit that tells which of the queries was asked for."""
    (number,) = [index for index, query in enumerate(queries) if asked(request, query)][:1] or [-1]
    return SearchHit(title=f"Title {number}", url=f"https://example.com/{number}")


def _points() -> st.SearchStrategy[int]:
    return st.integers(0, 3) | st.integers(0, 30)


async def _cancelled(place: Place, point: int) -> asyncio.Task[Any] | None:
    """Cancel a search after `point` turns of the event loop, and wait until it has ended; None if it had by then."""
    task: asyncio.Task[Any] = asyncio.ensure_future(place.provider.search("plain", 5))
    for _ in range(point):
        await asyncio.sleep(0)
    is_cancelled = task.cancel()
    await asyncio.wait([task])
    if not task.cancelled():
        task.exception()  # what it is, is another check's business
    return task if is_cancelled else None


@check(
    "WS-008",
    title="A cancelled search ends as cancelled",
    fix="let CancelledError through: catch Exception, never BaseException or CancelledError, or raise it again",
    draws=True,
)
def cancellation_passes(lab: ProviderLab, data: Any) -> None:
    """Whoever cancels waits for the end. The provider goes on for the next search."""
    if not lab.may_search:
        return
    point = data.draw(_points(), label="turns of the event loop before the cancellation")
    holds = data.draw(st.booleans(), label="the backend never answers")
    place = lab.place
    if holds:
        place.answer = lambda _: HOLD

    async def run() -> str:
        task = await _cancelled(place, point)
        if task is None or task.cancelled():
            return ""
        return f"{type(task.exception()).__name__}: {task.exception()}" if task.exception() else "hits"

    ended = lab.loop.ended(run())
    came = ended.value if ended.error is None else f"nothing: {ended.error}"
    if came:
        fail("a search is cancelled and does not end as cancelled", came=came, cancelled_after=point)
    then = _search(lab, "plain", 5)
    if then.error is not None:
        fail("no search succeeds after a cancelled one", then=_told(then), cancelled_after=point)


@check(
    "WS-009",
    title="A search leaves nothing running and nothing open",
    fix="await every task that you start, and close in __aexit__ what __aenter__ opens; without them close it in the "
    "search",
    draws=True,
    share=0.5,
)
def nothing_is_left(lab: ProviderLab, data: Any) -> None:
    """What one search leaves, thousands of them leave. It is looked at after the provider was left."""
    if not lab.may_search:
        return
    point = data.draw(_points() | st.none(), label="turns before the cancellation, None for an undisturbed search")

    async def run() -> list[str]:
        before = Running()
        async with lab.new_place() as place:
            if point is None:
                await asyncio.gather(place.provider.search("plain", 5), return_exceptions=True)
            else:
                place.answer = lambda _: HOLD
                await _cancelled(place, point)
        return await before.left()

    left = lab.loop.run(run())
    if left:
        fail("a search leaves something behind", left=left, cancelled_after=point)


@check(
    "WS-010",
    title="The provider connects to its origin and to nothing else; without an origin it connects to nothing",
    fix="tell the origin that is asked, and ask no other; None only if no connection is opened",
    draws=True,
    share=0.3,
)
def only_the_origin_is_asked(lab: ProviderLab, data: Any) -> None:
    """The sandbox permits the origin. A look-up of a name tells a query to somebody too."""
    if not lab.may_search:
        return
    query = data.draw(plain_queries(), label="query")
    seen = Connections()

    async def run() -> tuple[str | None, str]:
        async with lab.new_place() as place:
            with recording(seen):
                await asyncio.gather(place.provider.search(query, 5), return_exceptions=True)
            return place.provider.origin, place.server.origin if place.server else ""

    origin, server = lab.loop.run(run())
    if lab.has_backend and origin not in (server, None):
        fail("the origin is not the one that is asked", origin=origin, asked=server)
    permitted = server.removeprefix("http://") if origin is not None else ""
    others = [place for place in seen.sockets if place.removeprefix("lookup of ") != permitted]
    if others:
        fail("the provider connects to others than its origin", origin=origin, connections=others)
