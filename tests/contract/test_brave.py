"""Brave search keeps the contract of a search provider, before a server that plays Brave."""

from __future__ import annotations

import json
from collections.abc import Sequence

from ditto_brave import BraveSearch
from ditto_core import SearchHit
from ditto_testkit import WebSearchProviderContract

KEY = "BSA-made-up-key-5c2f"


class TestBrave(WebSearchProviderContract):
    contract = 1
    secrets = (KEY,)

    def provider_at(self, url: str, timeout: float) -> BraveSearch:
        return BraveSearch(KEY, timeout=timeout, endpoint=f"{url}/res/v1/web/search")

    def reply(self, hits: Sequence[SearchHit]) -> bytes:
        results = [{"title": hit.title, "url": hit.url, "description": hit.snippet} for hit in hits]
        return json.dumps({"type": "search", "web": {"results": results}}).encode()
