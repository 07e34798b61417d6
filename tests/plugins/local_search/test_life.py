"""From entering to leaving: the index is built in a thread, rebuilt on demand, replaced as a whole, and let go."""

from __future__ import annotations

import asyncio
import gc
import sqlite3
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ditto_core import InvalidValue, PluginHost, PluginLoadFailed, SearchFailed, in_thread
from ditto_local_search import Document, IndexReport, LocalSearch
from ditto_local_search import index as index_module
from ditto_local_search import store as store_module
from ditto_local_search.given_up import GivenUp, Ticket
from ditto_local_search.index import Index

Write = Callable[[dict[str, str | bytes]], Path]
SLOW = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i, '', '', ? FROM n WHERE i < 0 LIMIT ?"
"""Never ends, unless it is interrupted."""


def many(count: int = 50) -> list[Document]:
    return [Document(url=f"http://h/{n}", text=f"number{n} common word{n % 7}", title=str(n)) for n in range(count)]


async def titles(search: LocalSearch, query: str, limit: int = 20) -> list[str]:
    return [hit.title for hit in await search.search(query, limit)]


def test_it_serves_a_host_that_is_entered(write: Write) -> None:
    async def run() -> list[str]:
        folder = write({"a.md": "needle"})
        host = PluginHost()
        host.register(LocalSearch(folder=str(folder)))
        async with host:
            (folder / "b.md").write_text("needle", encoding="utf-8")  # the index is that of the entering
            return [hit.title for hit in await host.search_provider("local_search").search("needle", 5)]

    assert asyncio.run(run()) == ["a.md"]


def test_refreshing_sees_what_has_changed_and_leaving_lets_go(write: Write) -> None:
    async def run() -> None:
        folder = write({"a.md": "needle"})
        search = LocalSearch(folder=str(folder))
        async with search:
            (folder / "b.md").write_text("needle", encoding="utf-8")
            assert await search.refresh() == IndexReport(documents=2)
            assert await titles(search, "needle") == ["a.md", "b.md"]
        assert search._built.index is None
        (folder / "a.md").unlink()
        assert await titles(search, "needle") == ["b.md"]  # built anew for a search after it

    asyncio.run(run())


def test_a_failed_refresh_leaves_the_old_index(write: Write) -> None:
    async def run() -> None:
        folder = write({"a.md": "needle"})
        async with LocalSearch(folder=str(folder)) as search:
            folder.rename(folder.with_name("elsewhere"))
            with pytest.raises(InvalidValue, match="cannot be listed"):
                await search.refresh()
            assert await titles(search, "needle") == ["a.md"]

    asyncio.run(run())


def test_a_folder_that_is_missing_is_named_when_the_host_is_entered(tmp_path: Path) -> None:
    async def run() -> None:
        host = PluginHost()
        host.register(LocalSearch(folder=str(tmp_path / "missing")))
        with pytest.raises(PluginLoadFailed, match=r"LocalSearch.folder: cannot be listed \(ENOENT\)"):
            async with host:
                raise AssertionError

    asyncio.run(run())


def test_a_provider_that_was_never_entered_builds_once_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    fills = []
    fill = Index.fill
    monkeypatch.setattr(Index, "fill", lambda *words: fills.append(1) or fill(*words))

    async def run() -> list[list[str]]:
        search = LocalSearch(documents=many())
        return await asyncio.gather(*(titles(search, f"number{n}") for n in range(50)))

    assert asyncio.run(run()) == [
        [str(n), *(str(m) for m in range(n * 10, 50) if n and m // 10 == n)] for n in range(50)
    ]
    assert len(fills) == 1


def test_one_provider_serves_several_event_loops_at_once() -> None:
    search = LocalSearch(documents=many())
    found: list[list[str]] = []

    def run() -> None:
        found.append(asyncio.run(titles(search, "number42")))

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert found == [["42"]] * 4


def test_searches_during_refreshes_always_find_a_whole_index() -> None:
    async def run() -> None:
        async with LocalSearch(documents=many()) as search:
            refreshing = [asyncio.ensure_future(search.refresh()) for _ in range(5)]
            ends = await asyncio.gather(*(titles(search, f"word{n % 7}", 3) for n in range(100)), *refreshing)
            assert all(len(found) == 3 for found in ends[:100])
            assert ends[100:] == [IndexReport(documents=50)] * 5

    asyncio.run(run())


def test_the_connection_is_closed_when_nobody_holds_the_index() -> None:
    connection = sqlite3.connect(":memory:", check_same_thread=False)
    index = Index(connection)
    del index
    gc.collect()
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        connection.execute("SELECT 1")


@pytest.fixture
def slow_search(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Let every search run without end; the event says that one has begun."""
    begun = threading.Event()
    using = Ticket.using

    def noticed(ticket: Ticket, connection: sqlite3.Connection) -> object:
        connection.set_progress_handler(begun.set, 1000)
        return using(ticket, connection)

    monkeypatch.setattr(index_module, "_SEARCH", SLOW)
    monkeypatch.setattr(Ticket, "using", noticed)
    return begun


def test_cancelling_a_search_interrupts_it_and_no_other(
    slow_search: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run() -> None:
        async with LocalSearch(documents=many()) as search:
            slow_search.clear()
            task = asyncio.ensure_future(search.search("common", 3))
            assert await in_thread(slow_search.wait, 30)
            waiting = asyncio.ensure_future(search.search("number1", 3))
            monkeypatch.undo()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            async with asyncio.timeout(30):
                assert [hit.title for hit in await waiting][:1] == ["1"]

    asyncio.run(run())


def test_a_search_that_is_given_up_before_it_begins_does_nothing() -> None:
    ticket = Ticket()
    ticket.give_up()
    connection = sqlite3.connect(":memory:")
    with pytest.raises(GivenUp), ticket.using(connection):
        raise AssertionError
    connection.close()


def test_cancelling_a_build_stops_it() -> None:
    given = threading.Event()

    def endless() -> Iterator[tuple[Document, str]]:
        while True:
            given.set()
            yield Document(url="http://h/", text="again"), ""

    ticket = Ticket()
    index = Index(sqlite3.connect(":memory:", check_same_thread=False, isolation_level=None))
    ends: list[BaseException] = []

    def build() -> None:
        try:
            index.fill(endless(), ticket)
        except BaseException as error:
            ends.append(error)

    thread = threading.Thread(target=build)
    thread.start()
    assert given.wait(30)
    ticket.give_up()
    thread.join(30)
    assert isinstance(ends[0], GivenUp | sqlite3.OperationalError)


def test_a_failure_of_sqlite_is_told_without_the_query(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index_module, "_SEARCH", "SELECT secret FROM nowhere WHERE ? = ?")
    with pytest.raises(SearchFailed, match=r"^LocalSearch: SQLite could not do it \(SQLITE_ERROR\)\.$") as failure:
        asyncio.run(LocalSearch(documents=many()).search("needle", 3))
    assert failure.value.__context__ is None
    assert not failure.value.retryable


def test_an_index_in_a_file_is_replaced_as_a_whole(write: Write, tmp_path: Path) -> None:
    file = tmp_path / "index.db"
    folder = write({"a.md": "needle"})

    async def run() -> None:
        async with LocalSearch(folder=str(folder), index_file=str(file)) as search:
            first = file.stat().st_ino
            (folder / "b.md").write_text("needle", encoding="utf-8")
            async with LocalSearch(folder=str(folder), index_file=str(file)) as second:
                assert await titles(second, "needle") == ["a.md", "b.md"]
            assert file.stat().st_ino != first
            assert await titles(search, "needle") == ["a.md"]  # its own, though the name belongs to another by now

    asyncio.run(run())
    assert file.stat().st_mode & 0o077 == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["documents", "index.db"]


@pytest.mark.parametrize("content", [b"a text of somebody", b"SQLite format 3\0" + b"\0" * 100])
def test_a_file_of_something_else_is_never_replaced(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "precious"
    file.write_bytes(content)
    for path in (file, tmp_path):
        with pytest.raises(InvalidValue, match=r"^LocalSearch.index_file: is a file of something else"):
            asyncio.run(LocalSearch(documents=many(), index_file=str(path)).refresh())
    assert file.read_bytes() == content
    assert list(tmp_path.iterdir()) == [file]


def test_an_index_file_that_cannot_be_written_is_an_error_without_its_path(tmp_path: Path) -> None:
    search = LocalSearch(documents=many(), index_file=str(tmp_path / "missing/index.db"))
    with pytest.raises(InvalidValue, match=r"^LocalSearch.index_file: cannot be written \(ENOENT\)") as refusal:
        asyncio.run(search.refresh())
    assert refusal.value.__context__ is None


def test_a_build_that_fails_leaves_no_file(write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_module, "_SETTINGS", "nonsense")
    with pytest.raises(SearchFailed):
        asyncio.run(LocalSearch(documents=many(), index_file=str(tmp_path / "index.db")).refresh())
    assert list(tmp_path.iterdir()) == []
