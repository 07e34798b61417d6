"""The plugin: a provider of web search."""

from __future__ import annotations

from collections.abc import Coroutine, Mapping, Sequence
from types import TracebackType
from typing import Annotated, ClassVar, Final, Self

import attrs
import httpx
from attrs.validators import ge, le

from ditto_core import InvalidValue, SearchHit, WebSearchProvider, describe, duration, hookimpl
from ditto_http import Connections, Ended, Secret, checked_address, exchange, origin_of

from .failures import failure_of, unreadable
from .reply import read_hits

BRAVE: Final = "https://api.search.brave.com/res/v1/web/search"
"""The address of Brave's web search."""
MAX_KEY: Final = 1_024
"""How many characters a key may have."""
MAX_RESPONSE_BYTES: Final = 16_777_216
"""The largest body that may be allowed."""
MIN_TIMEOUT: Final = 0.001
"""The shortest timeout, in seconds."""
MAX_TIMEOUT: Final = 2_147_483.647
"""The longest timeout, in seconds."""
MAX_QUERY: Final = 2_000
"""How many characters a query may have that is sent; the tool and Brave take less."""
MAX_LIMIT: Final = 20
"""How many results Brave gives at the most."""


def _endpoint(address: object) -> str:
    return checked_address("BraveSearch.endpoint", address, private=True)


@attrs.frozen(eq=False)
class BraveSearch:
    """Searches the web through Brave, with one request per search.

    - ``api_key`` is the key of your subscription. It is sent as ``X-Subscription-Token`` and shown nowhere. Only code
      can give it; a configuration file cannot.
    - ``timeout``: seconds for the whole search, from connecting to the last byte.
    - ``max_response_bytes``: how large a body may be, 1 MiB by default, 16 MiB at the most.
    - ``endpoint``: where searches are sent, if not to Brave, such as a gateway of your own or a server of your tests:
      an ``https`` address, or an ``http`` one on this machine. Only code can give it. The key is sent there, and
      ``origin`` says so: a sandbox that permits Brave does not permit another place.

    As a plugin it keeps its connections while its host is entered. A provider that was never entered, or is used from
    another event loop, opens and closes one per search. Raises :class:`InvalidValue` for options that it cannot work
    with, and does not quote them.
    """

    api_version: ClassVar[int] = 1

    _api_key: Secret = attrs.field(converter=Secret, repr=False)
    timeout: float = attrs.field(
        default=30.0, metadata={**duration(), "description": "milliseconds that one search may take"}
    )
    max_response_bytes: Annotated[int, "bytes that the answer to a search may have", ge(1), le(MAX_RESPONSE_BYTES)] = (
        1_048_576
    )
    endpoint: str = attrs.field(default=BRAVE, converter=_endpoint, kw_only=True)
    _connections: Connections = attrs.field(factory=lambda: Connections("BraveSearch"), init=False, repr=False)

    def __attrs_post_init__(self) -> None:
        problem = self._api_key.problem(MAX_KEY)
        if problem is not None:
            raise InvalidValue("BraveSearch.api_key", problem)
        if type(self.timeout) not in (int, float) or not MIN_TIMEOUT <= self.timeout <= MAX_TIMEOUT:
            raise InvalidValue("BraveSearch.timeout", f"must be {MIN_TIMEOUT} to {MAX_TIMEOUT:,} seconds")
        size = self.max_response_bytes
        if type(size) is not int or not 1 <= size <= MAX_RESPONSE_BYTES:
            raise InvalidValue("BraveSearch.max_response_bytes", f"must be an integer from 1 to {MAX_RESPONSE_BYTES}")

    @property
    def origin(self) -> str:
        """The origin of the endpoint, which a sandbox's ``network`` list has to hold."""
        return origin_of(self.endpoint)

    @hookimpl
    def ditto_web_search_providers(self) -> Mapping[str, WebSearchProvider]:
        """Offer this provider as ``brave``."""
        return {"brave": self}

    async def __aenter__(self) -> Self:
        await self._connections.open()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._connections.close()

    async def search(self, query: str, limit: int) -> Sequence[SearchHit]:
        """Return the first `limit` results, 1 to 20, with highlighting and entities taken out of their texts.

        URLs are as Brave gave them: the tool ``web_search`` judges them. The query is sent as it is; Brave itself
        refuses more than 400 characters or 50 words.

        Raises :class:`SearchFailed` for every other end of the search than a sound reply; it is ``retryable`` when the
        connection failed, there was no answer in time, or Brave answered 429 or 5xx. Neither it nor what a cancelled
        search raises holds the key or the query, in no variable of its traceback either. Raises :class:`InvalidValue`
        for a query that is blank or cannot be sent, and another limit.
        """
        problem = _problem(query, limit)
        asking = None if problem else self._ask(query, limit)
        del query
        if asking is None:
            raise InvalidValue("BraveSearch.search", problem or "")
        answer = await asking
        if isinstance(answer, Ended):
            raise failure_of(answer)
        hits = read_hits(answer, limit)
        del answer  # it may repeat the key and the query
        if hits is None:
            raise unreadable()
        return hits

    def _ask(self, query: str, limit: int) -> Coroutine[None, None, bytes | Ended]:
        """Return the exchange before it begins: it holds the request, so that no variable of a search has to."""
        return exchange(
            self._request(query, limit),
            connections=self._connections,
            timeout=self.timeout,
            max_bytes=self.max_response_bytes,
        )

    def _request(self, query: str, limit: int) -> httpx.Request:
        headers = {
            "Accept": "application/json",
            "User-Agent": "ditto-brave",
            "X-Subscription-Token": self._api_key.reveal(),
        }
        return httpx.Request("GET", httpx.URL(self.endpoint, params={"q": query, "count": limit}), headers=headers)


def _problem(query: object, limit: object) -> str | None:
    """Say what is wrong with the arguments of a search, without the query."""
    if type(query) is not str:
        return f"the query must be a string, not {describe(query)}"
    if not query.strip() or len(query) > MAX_QUERY or any("\ud800" <= character <= "\udfff" for character in query):
        return f"the query must not be blank, at most {MAX_QUERY:,} characters long, and have no lone surrogates"
    if type(limit) is not int or not 1 <= limit <= MAX_LIMIT:
        return f"the limit must be an integer from 1 to {MAX_LIMIT}"
    return None
