"""The client of HTTP, which sends nothing more for a request that was given up."""

from __future__ import annotations

from typing import Any, Final

import httpx2

from .waiting import WAITING, NobodyWaits, while_waited_for

MAX_RESUMED: Final = 50
"""How often one answer may break off and be asked for again; the SDK goes one level deeper each time."""


class HttpClient(httpx2.AsyncClient):
    """A client whose requests end when nobody waits for them, with an answer that the SDK takes for a refusal."""

    async def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:
        """Send a request and return its answer."""
        waiting = WAITING.get()
        if waiting is not None and request.method == "GET":  # the rest of an answer that broke off
            waiting.resumed += 1
            if waiting.resumed > MAX_RESUMED:
                waiting.give_up()
        try:
            return await while_waited_for(lambda: super(HttpClient, self).send(request, **options))
        except NobodyWaits:
            return httpx2.Response(httpx2.codes.GATEWAY_TIMEOUT, request=request)
