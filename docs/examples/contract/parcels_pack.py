"""A pack whose tool asks a service over HTTP, with its address and a key as options."""

from __future__ import annotations

from collections.abc import Iterable
from types import TracebackType
from typing import Annotated, Any, ClassVar, Final, Self

import attrs
import httpx
from attrs.validators import ge, le, matches_re

from ditto_core import InvalidValue, Tool, ToolContext, ToolFailed, hookimpl, parse_json, tool
from ditto_http import Connections, Ended, Secret, checked_address, exchange, origin_of

MAX_ANSWER: Final = 65_536
"""How many bytes an answer of the service may have."""


def _base_url(address: object) -> str:
    return checked_address("ParcelsPack.base_url", address, private=True).rstrip("/")


@attrs.frozen(kw_only=True, eq=False)
class ParcelsPack:
    """Says where parcels are, by asking one service. A call takes `timeout` seconds at most."""

    api_version: ClassVar[int] = 1

    _api_key: Secret = attrs.field(converter=Secret, repr=False)
    base_url: str = attrs.field(default="https://parcels.example/v1", converter=_base_url)
    timeout: float = attrs.field(default=10.0, validator=[ge(0.001), le(600.0)])
    connections: Connections = attrs.field(factory=lambda: Connections("ParcelsPack"), repr=False)

    def __attrs_post_init__(self) -> None:
        problem = self._api_key.problem(200)
        if problem is not None:
            raise InvalidValue("ParcelsPack.api_key", problem)

    async def __aenter__(self) -> Self:
        await self.connections.open()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.connections.close()

    @hookimpl
    def ditto_tools(self) -> Iterable[Tool[Any]]:
        """Offer the tool."""
        origin = origin_of(self.base_url)

        @tool(effects={"network"})
        async def track_parcel(
            number: Annotated[str, matches_re("[A-Z]{2}[0-9]{9}"), "such as 'QX123456789'"], *, context: ToolContext
        ) -> dict[str, str]:
            """Say where a parcel is."""
            context.sandbox.require("network", origin)
            answer = await exchange(
                self._request(number), connections=self.connections, timeout=self.timeout, max_bytes=MAX_ANSWER
            )
            if isinstance(answer, Ended):
                if answer.status == httpx.codes.NOT_FOUND:
                    raise ToolFailed("NO_PARCEL", "There is no parcel of this number.")
                raise ToolFailed("SERVICE_FAILED", answer.message, retryable=answer.retryable)
            return {"number": number, "place": _place(answer)}

        return [track_parcel]

    def _request(self, number: str) -> httpx.Request:
        headers = {"Accept": "application/json", "Authorization": f"Bearer {self._api_key.reveal()}"}
        return httpx.Request("GET", f"{self.base_url}/parcels/{number}", headers=headers)


def _place(answer: bytes) -> str:
    """Return what the answer says; a service can say anything, so nothing of a bad answer is repeated."""
    try:
        document = parse_json(answer.decode())
    except ValueError:  # no UTF-8, or no JSON
        document = None
    place = document.get("place") if type(document) is dict else None
    if type(place) is not str or not 1 <= len(place) <= 200:
        raise ToolFailed("BAD_ANSWER", "The service gave no place.")
    return place
