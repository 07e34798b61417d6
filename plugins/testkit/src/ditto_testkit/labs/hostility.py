"""A provider before a hostile backend: each hostile reply once, and everything that came of it."""

from __future__ import annotations

import asyncio
import tracemalloc
from typing import Final

import attrs

from ..fakes.http import DeafServer, HttpReply, HttpRequest, ScriptedHttpServer
from ..fakes.http_replies import hostile_replies
from .log_lines import LogLine, log_lines
from .loop import Ended
from .pipes import Hung
from .providers import HITS, Place, ProviderLab, ProviderSubject
from .requests import asked

QUERY: Final = "kitquery93b1f0 secretly"
"""What is searched for; hostile replies repeat it."""
DEADLINE: Final = 0.4
"""The deadline of a search, in seconds, where the backend takes longer."""
GRACE: Final = 4.0
"""How long a search over its deadline is waited for, in seconds."""

_GREEDY = ("bomb-", "endless-")
_LASTING = ("slow-", "endless-")


@attrs.frozen(kw_only=True)
class Met:
    """What came of a search before one hostile reply."""

    reply: str
    ended: Ended
    requests: int
    """How many requests the backend got."""
    elsewhere: int
    """How many connections the server got to which redirects lead."""
    logged: tuple[LogLine, ...] = ()
    grown: int = 0
    """By how many bytes the memory of Python grew meanwhile; only measured for bodies that are large."""


async def meet_all(lab: ProviderLab) -> list[Met]:
    """Search once before each hostile reply, one after the other; those that last are cut short by the deadline."""
    found = []
    async with ScriptedHttpServer(lab.subject.found(HITS)) as elsewhere:
        for deadline in (None, DEADLINE):
            async with lab.new_place(deadline) as place:
                for name, reply in replies(lab.subject, elsewhere.origin).items():
                    if name.startswith(_LASTING) == (deadline is not None) and not name.startswith("slow-"):
                        found.append(await _meet(place, elsewhere, name, reply))
    return found


async def meet_slow_ones(lab: ProviderLab) -> dict[str, Ended]:
    """Search before each reply that never ends, all at once, and where nobody takes the connection."""
    slow = {name: reply for name, reply in replies(lab.subject, "").items() if name.startswith(_LASTING)}
    queries = {name: f"{QUERY} {number}" for number, name in enumerate(slow)}

    def answer(request: HttpRequest) -> HttpReply:
        return next((slow[name] for name in slow if asked(request, queries[name])), slow["slow-silence"])

    async with lab.new_place(DEADLINE) as place:
        place.answer = answer
        with DeafServer() as deaf:
            async with lab.new_place(DEADLINE, at=deaf.origin) as nowhere:
                ends = await asyncio.gather(*(_ended(place, queries[name]) for name in slow), _ended(nowhere))
    return dict(zip([*slow, "nobody takes the connection"], ends, strict=True))


def replies(subject: ProviderSubject, elsewhere: str) -> dict[str, HttpReply]:
    """Return the hostile replies to this provider, without those that it may take for an answer."""
    good = subject.reply(HITS[:3]) if subject.reply else b""
    made = hostile_replies(good, repeats=[*subject.secrets, QUERY], elsewhere=f"{elsewhere}/there")
    return {name: reply for name, reply in made.items() if name not in subject.capabilities.accepted_replies}


async def _meet(place: Place, elsewhere: ScriptedHttpServer, name: str, reply: HttpReply) -> Met:
    assert place.server is not None  # noqa: S101 - there is a backend
    place.answer = lambda _: reply
    requests, connections = len(place.server.requests), elsewhere.connections
    measured = name.startswith(_GREEDY)
    with log_lines() as logged:
        if measured:
            tracemalloc.start()
        try:
            before = tracemalloc.get_traced_memory()[0] if measured else 0
            ended = await _ended(place)
            grown = tracemalloc.get_traced_memory()[1] - before if measured else 0
        finally:
            if measured:
                tracemalloc.stop()
    return Met(
        reply=name,
        ended=ended,
        requests=len(place.server.requests) - requests,
        elsewhere=elsewhere.connections - connections,
        logged=tuple(logged),
        grown=grown,
    )


async def _ended(place: Place, query: str = QUERY) -> Ended:
    """Return how a search ended; what has not ended long after the deadline is ended here, as :class:`Hung`."""
    bound = asyncio.timeout(GRACE)
    try:
        async with bound:
            return Ended(value=await place.provider.search(query, 5))
    except Exception as error:
        return Ended(error=Hung("It did not end.") if bound.expired() else error)
