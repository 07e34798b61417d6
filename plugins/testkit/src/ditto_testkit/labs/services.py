"""A tool before the service that it asks: one that answers, one that fails in every way, and one that never ends."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import AsyncExitStack
from types import TracebackType
from typing import Any, Final, Self, TypeVar

import attrs

from ditto_core import PluginHost, ToolCall, ToolContext, ToolRegistry

from ..fakes.http import HttpReply, HttpRequest, ScriptedHttpServer
from ..fakes.http_replies import hostile_replies, http_reply
from .likely import copied
from .log_lines import LogLine, log_lines
from .loop import Ended
from .packs import ToolPack, tools_of
from .pipes import Hung
from .tool_case import ToolCase

R = TypeVar("R")

SAID: Final = "kitservicesaid93b1f0"
"""What a service says with every failure, and nobody else."""
DEADLINE: Final = 0.4
"""The deadline of a call, in seconds, where the service never ends."""
GRACE: Final = 4.0
"""How long a call over its deadline is waited for, in seconds."""

_LEFT_OUT = ("slow-", "endless-", "bomb-", "status-304", "status-101")
"""What lasts has a check of its own; floods would fill the memory of a tool that keeps no bound."""
_PATIENCE = 600.0
_FIRST = 10.0
"""How many seconds the friendly calls have together: a tool that blocks the event loop gets no answer at all."""
_JSON = ("Content-Type", "application/json")


@attrs.frozen(kw_only=True)
class Met:
    """What came of a call: what the service answered, and how the call ended, and what was logged meanwhile.

    ``asked`` is what was asked of the service, and ``elsewhere`` what was asked where its redirects lead.
    """

    reply: str
    given: Any
    ended: Ended
    logged: tuple[LogLine, ...] = ()
    asked: tuple[HttpRequest, ...] = ()
    elsewhere: tuple[HttpRequest, ...] = ()


class Service:
    """A pack's plugin, entered, and the server that it asks; ``answer`` is what the server says, and may be set."""

    def __init__(self, pack: ToolPack, timeout: float) -> None:
        self._pack, self._timeout = pack, timeout
        self._stack = AsyncExitStack()
        self._registry = ToolRegistry()
        self.answer: Callable[[HttpRequest], HttpReply] = self._friendly
        self.server = ScriptedHttpServer(self._answered, patience=_PATIENCE)

    def _answered(self, request: HttpRequest) -> HttpReply:
        return self.answer(request)

    def _friendly(self, request: HttpRequest) -> HttpReply:
        return http_reply(self._pack.reply(request), headers=[_JSON])

    async def __aenter__(self) -> Self:
        await self._stack.enter_async_context(self.server)
        assert self._pack.make_at is not None  # noqa: S101 - there is a service
        plugin = self._pack.make_at(self.server.origin, self._timeout)
        host = PluginHost()
        host.register(plugin)
        self._registry.register_all(tools_of(plugin).values())
        await self._stack.enter_async_context(host)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stack.aclose()

    async def call(self, case: ToolCase, given: Any, bound: float) -> Ended:
        """Return how a call ended; what has not ended after `bound` seconds is ended here, as :class:`Hung`."""
        pack = self._pack
        context = ToolContext(call_id="c1", sandbox=case.sandbox(), config=pack.config, providers=pack.providers)
        call = ToolCall(id="c1", name=case.name, arguments=copied(given))
        limit = asyncio.timeout(bound)
        try:
            async with limit:
                return Ended(value=await self._registry.call(call, context))
        except Exception as error:
            return Ended(error=Hung("It did not end.") if limit.expired() else error)


def first_met(case: ToolCase) -> tuple[Met, HttpRequest] | None:
    """Return a call that reaches a friendly service, with its request; None if no call does.

    Raises :class:`Hung` for a tool that holds up the event loop, in which the service answers.
    """

    async def meeting() -> tuple[Met, HttpRequest] | None:
        reached = None
        async with Service(case.lab.pack, case.capabilities.call_timeout) as service:
            for given in case.samples:
                before = len(service.server.requests)
                with log_lines() as logged:
                    ended = await service.call(case, given, case.capabilities.call_timeout)
                asked = tuple(service.server.requests[before:])
                if asked:
                    met = Met(reply="an answer", given=given, ended=ended, logged=tuple(logged), asked=asked)
                    reached = reached or (met, asked[0])
                    if ended.value is not None and ended.value.status == "success":
                        return met, asked[0]
        return reached

    return _in_loop(case, meeting(), min(case.capabilities.call_timeout, _FIRST))


def meet_all(case: ToolCase) -> list[Met]:
    """Call the tool before each hostile reply, one after the other; none if no call reaches the service. Made once."""
    kept = case.lab.met
    if case.name not in kept:
        first = first_met(case)
        kept[case.name] = [] if first is None else [first[0], *_in_loop(case, _hostile(case, *first), _PATIENCE)]
    return kept[case.name]


async def _hostile(case: ToolCase, first: Met, request: HttpRequest) -> list[Met]:
    pack, found = case.lab.pack, []
    async with ScriptedHttpServer(http_reply(pack.reply(request), headers=[_JSON])) as elsewhere:
        made = hostile_replies(
            pack.reply(request), repeats=[*pack.secrets, SAID], elsewhere=f"{elsewhere.origin}/{SAID}"
        )
        async with Service(pack, case.capabilities.call_timeout) as service:
            for name, reply in made.items():
                if name.startswith(_LEFT_OUT):
                    continue
                service.answer = lambda _, reply=reply: reply  # type: ignore[misc]
                known = len(service.server.requests), len(elsewhere.requests)
                with log_lines() as logged:
                    ended = await service.call(case, first.given, case.capabilities.call_timeout)
                found.append(
                    Met(
                        reply=name,
                        given=first.given,
                        ended=ended,
                        logged=tuple(logged),
                        asked=tuple(service.server.requests[known[0] :]),
                        elsewhere=tuple(elsewhere.requests[known[1] :]),
                    )
                )
    return found


def meet_slow_ones(case: ToolCase, given: Any) -> dict[str, Ended]:
    """Call the tool before each reply that never ends, all at once, each at a server of its own."""
    slow = {name: reply for name, reply in hostile_replies(b"{}").items() if name.startswith("slow-")}

    async def meet(reply: HttpReply) -> Ended:
        async with Service(case.lab.pack, DEADLINE) as service:
            service.answer = lambda _: reply
            return await service.call(case, given, GRACE)

    async def meeting() -> list[Ended]:
        return await asyncio.gather(*map(meet, slow.values()))

    return dict(zip(slow, _in_loop(case, meeting(), _PATIENCE), strict=True))


def _in_loop(case: ToolCase, meeting: Coroutine[Any, Any, R], limit: float) -> R:
    """Run what holds several calls, with a limit for all of them."""
    loop = case.lab.loop
    before, loop.limit = loop.limit, limit
    try:
        return loop.run(meeting)
    finally:
        loop.limit = before
