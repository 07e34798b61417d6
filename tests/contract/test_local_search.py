"""Local search keeps the contract of a search provider, in memory and in a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from ditto_local_search import Document, LocalSearch
from ditto_testkit import Capabilities, WebSearchProviderContract

WORDS = ["ditto", "search", "plugin", "how", "number0", "number1", "number2", "number3", "plain"]
DOCUMENTS = [
    Document(url=f"http://documents.invalid/{n}", text=f"the {WORDS[n % 9]} {WORDS[n % 5]} and {n}") for n in range(40)
]


class TestLocalSearch(WebSearchProviderContract):
    contract = 1
    capabilities = Capabilities(no_backend="it opens no connection")

    def provider(self) -> LocalSearch:
        return LocalSearch(documents=DOCUMENTS)


class TestInAFile(WebSearchProviderContract):
    contract = 1
    capabilities = Capabilities(no_backend="it opens no connection")
    folder: Path

    @pytest.fixture(autouse=True, scope="class")
    @classmethod
    def index(cls, tmp_path_factory: pytest.TempPathFactory) -> None:
        cls.folder = tmp_path_factory.mktemp("index")

    def provider(self) -> LocalSearch:
        return LocalSearch(documents=DOCUMENTS, index_file=str(self.folder / "index.db"))
