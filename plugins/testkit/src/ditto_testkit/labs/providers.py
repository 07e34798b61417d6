"""A search provider at work: made and entered as by an application, before a backend that the check scripts."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import AsyncExitStack
from functools import partial
from types import TracebackType
from typing import Any, ClassVar, Self, TypeVar

import attrs

from ditto_core import Sandbox, SearchHit, ToolCall, ToolContext, ToolRegistry, WebSearchProvider, web_search_tool

from ..capabilities import Capabilities
from ..fakes.http import HttpReply, HttpRequest, ScriptedHttpServer
from ..fakes.http_replies import http_reply
from ..subjects import Subject
from .blocked import Blocked
from .loop import Loop

R = TypeVar("R")

HITS = tuple(
    SearchHit(title=f"Title {number}", url=f"https://example.com/{number}", snippet=f"Some words about {number}")
    for number in range(30)
)
"""What a backend finds unless a check says otherwise: more than anybody may ask for."""

_PATIENCE = 600.0


@attrs.frozen(kw_only=True, eq=False)
class ProviderSubject(Subject):
    """A search provider with what its checks need to know.

    ``make`` gives a new provider. One that asks an HTTP backend has two more: ``make_at(url, timeout)`` gives a new
    provider that asks the server at `url` instead, with a deadline of `timeout` seconds for one search, and
    ``reply(hits)`` is the body with which its backend tells of these hits. ``secrets`` are the keys with which they
    are made. A provider without them needs the capability ``no_backend``; it is searched only if its origin is None.
    """

    kind: ClassVar[str] = "search provider"
    prefix: ClassVar[str] = "WS"

    make: Callable[[], WebSearchProvider]
    make_at: Callable[[str, float], WebSearchProvider] | None = None
    reply: Callable[[Sequence[SearchHit]], bytes] | None = None
    secrets: Sequence[str] = ()
    capabilities: Capabilities = attrs.field(factory=Capabilities)

    def lab(self) -> ProviderLab:
        """Return where a check runs it."""
        return ProviderLab(self)

    def found(self, hits: Sequence[SearchHit]) -> HttpReply:
        """Return the reply of a backend that tells of these hits."""
        body = self.reply(hits) if self.reply else b""
        return http_reply(body, headers=[("Content-Type", "application/json")])

    @classmethod
    def installed(cls, name: str, load: Callable[[], Any]) -> Iterator[tuple[str, Self]]:
        """Give each provider of an installed plugin; `load` makes the plugin. Its backends are not known here."""
        plugin = load()
        for provider in plugin.ditto_web_search_providers() if hasattr(plugin, "ditto_web_search_providers") else ():
            capabilities = Capabilities(no_backend="it is run from the command line")
            yield (
                f"search provider {provider!r}",
                cls(make=partial(_offered, load, provider), capabilities=capabilities),
            )


def _offered(load: Callable[[], Any], name: str) -> WebSearchProvider:
    provider: WebSearchProvider = load().ditto_web_search_providers()[name]
    return provider


def is_searchable(provider: object) -> bool:
    """Tell whether it has an async method ``search``."""
    return not isinstance(provider, type) and inspect.iscoroutinefunction(getattr(provider, "search", None))


class Place:
    """A provider, entered if it holds resources, and the server that it asks, if it asks one.

    ``answer`` is what the server says to a request; a check may set it.
    """

    provider: Any
    server: ScriptedHttpServer | None = None

    def __init__(self, subject: ProviderSubject, timeout: float, at: str = "") -> None:
        self._subject = subject
        self._timeout = timeout
        self._at = at
        self._stack = AsyncExitStack()
        self.answer: Callable[[HttpRequest], HttpReply] = lambda _: subject.found(HITS)

    def _answered(self, request: HttpRequest) -> HttpReply:
        return self.answer(request)

    async def __aenter__(self) -> Self:
        if self._subject.make_at is None:
            self.provider = self._subject.make()
        else:
            server = ScriptedHttpServer(self._answered, patience=_PATIENCE)
            self.server = await self._stack.enter_async_context(server)
            self.provider = self._subject.make_at(self._at or server.origin, self._timeout)
        if hasattr(type(self.provider), "__aenter__"):
            await self._stack.enter_async_context(self.provider)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stack.aclose()


class _Fixed:
    """Finds one hit, without a connection."""

    origin = None

    def __init__(self, hit: SearchHit) -> None:
        self._hit = hit

    async def search(self, query: str, limit: int) -> list[SearchHit]:
        return [self._hit]


async def _shown(hit: SearchHit) -> str:
    """Return with which status the tool gives this hit."""
    tools = ToolRegistry()
    tools.register(web_search_tool(_Fixed(hit)))
    call = ToolCall(id="c", name="web_search", arguments={"query": "plain"})
    return (await tools.call(call, ToolContext(sandbox=Sandbox(tools=["web_search"])))).status


class ProviderLab:
    """One event loop, a place that serves all checks, and further ones for those that need their own."""

    def __init__(self, subject: ProviderSubject) -> None:
        self.subject = subject
        self.capabilities = subject.capabilities
        self._place: Place | None = None
        self._kept: dict[Callable[..., Any], Any] = {}

    def __enter__(self) -> Self:
        self.loop = Loop(self.capabilities.call_timeout)
        return self

    def begin(self) -> None:
        """Begin a check; raises :class:`Blocked` for what has no search to be called."""
        if not is_searchable(self.subject.make()):
            raise Blocked("WS-001", "it has no async method search")

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.loop.__exit__(kind, error, trace)

    @property
    def has_backend(self) -> bool:
        """Whether its backend can be played."""
        return self.subject.make_at is not None and self.subject.reply is not None

    @property
    def may_search(self) -> bool:
        """Whether it can be searched without asking somebody out there."""
        return self.has_backend or self.subject.make().origin is None

    @property
    def place(self) -> Place:
        """The place that serves all checks, its backend answering with :data:`HITS`."""
        if self._place is None:
            place = self.new_place()
            self.loop.hold(place)
            self._place = place
        self._place.answer = lambda _: self.subject.found(HITS)
        return self._place

    def new_place(self, timeout: float | None = None, *, at: str = "") -> Place:
        """Return a place of its own, to be entered; without a timeout searches may take as long as a call.

        With `at` the provider asks there instead of asking the server.
        """
        return Place(self.subject, self.capabilities.call_timeout if timeout is None else timeout, at)

    def problem_of(self, hits: object) -> str:
        """Return what is wrong with the answer of a search, or nothing."""
        if not isinstance(hits, Sequence) or isinstance(hits, str | bytes):
            return "the answer is no list of hits"
        if not all(type(hit) is SearchHit for hit in hits):
            return "the answer holds something else than SearchHit"
        for hit in hits:
            if self.loop.run(_shown(hit)) != "success":
                return f"web_search cannot show the hit {hit.url!r}"
        return ""

    def once(self, work: Callable[[ProviderLab], Awaitable[R]]) -> R:
        """Return what `work` returns for this lab; it runs only once."""
        if work not in self._kept:

            async def working() -> R:
                return await work(self)

            # There are some hundred searches in it, each of which has a bound of its own.
            self.loop.limit = _PATIENCE
            try:
                self._kept[work] = self.loop.run(working())
            finally:
                self.loop.limit = self.capabilities.call_timeout
        found: R = self._kept[work]
        return found
