"""Contexts that are kept under a scope, on every store: against a simple model, and when two write at once."""

from __future__ import annotations

import asyncio
import pickle
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ditto_context import (
    Context,
    ContextError,
    ContextScope,
    ContextStore,
    ContextUpdate,
    InProcessContextStore,
    RedisContextStore,
    StoredState,
)
from ditto_core import InvalidResult, Message
from tests.plugins.context.calling import SCOPE, Calls, calling, ids, item
from tests.support.redis_server import RedisServer
from tests.support.strategies import contents

Opening = Callable[[], AbstractAsyncContextManager[ContextStore]]


@pytest.fixture(scope="module", params=["in process", "redis"])
def opening(request: pytest.FixtureRequest) -> Opening:
    """Give what opens a store that holds nothing."""
    server: RedisServer | None = request.getfixturevalue("redis_server") if request.param == "redis" else None

    @asynccontextmanager
    async def opened() -> AsyncIterator[ContextStore]:
        if server is None:
            yield InProcessContextStore()
        else:
            async with server.client() as client:
                yield RedisContextStore(client, prefix=f"{uuid4().hex}:")

    return opened


def using(opening: Opening, work: Callable[[Calls], Any]) -> Any:
    async def main() -> Any:
        async with opening() as store, calling(store) as calls:
            return await work(calls)

    return asyncio.run(main())


scopes = st.builds(
    ContextScope, session_id=st.sampled_from(["a", "b"]), turn_id=st.sampled_from(["a", "t"])
) | st.sampled_from(
    [
        ContextScope(session_id="a"),
        ContextScope(turn_id="a"),
        ContextScope(invocation_id="a"),
        ContextScope(turn_id="t"),
    ]
)
versions = st.sampled_from(["none", "current", "old", "foreign"])
loads = st.tuples(st.just("load"), scopes, versions, st.lists(st.sampled_from("abc"), max_size=3))
reads = st.tuples(st.just("read"), scopes)
updates = st.tuples(st.just("update"), scopes, versions, st.sampled_from("abc"), st.sampled_from("abc"))


@given(steps=st.lists(loads | reads | updates, max_size=12))
def test_a_store_holds_what_a_dict_would(opening: Opening, steps: list[Any]) -> None:
    async def main(calls: Calls) -> None:
        kept: dict[ContextScope, tuple[list[str], list[str]]] = {}  # the items, and the versions so far
        for name, scope, *details in steps:
            items, seen = kept.get(scope, ([], []))
            expected = expectation(details[0], seen) if details else {}
            if name == "load":
                after = list(dict.fromkeys(details[1]))
                call = calls.load(scope=scope, sources=tuple(item(id) for id in details[1]), **expected)
            elif name == "update":
                after = [id for id in items if id != details[1]]
                after += [] if details[2] in after else [details[2]]
                call = calls.update(scope=scope, remove_ids=(details[1],), add=(item(details[2]),), **expected)
            else:
                after, call = items, calls.load(scope=scope)
            made = await settled(call)
            if not seen and name != "load":
                assert code(made) == "CONTEXT_NOT_FOUND"
            elif expected and expected["expected_version"] not in seen[-1:]:
                assert code(made) == "STATE_CONFLICT"
            else:
                assert ids(made) == after
                assert (made.version in seen) == (name == "read")
                kept[scope] = (after, seen if name == "read" else [*seen, made.version])

    using(opening, main)


async def settled(call: Awaitable[Context]) -> Any:
    """Give what a call gives, or the error that it ends in."""
    try:
        return await call
    except ContextError as refusal:
        return refusal


def code(made: Any) -> str:
    """Give the code of an error after which nothing has changed."""
    assert isinstance(made, ContextError)
    assert not made.uncertain
    return made.code


def expectation(kind: str, seen: list[str]) -> dict[str, str]:
    """Give the version to ask for: the last one, the one before it, or one of nobody's."""
    if kind == "none" or (kind == "current" and not seen):
        return {}
    if kind == "current":
        return {"expected_version": seen[-1]}
    return {"expected_version": seen[-2] if kind == "old" and len(seen) > 1 else "0" * 32}


@given(content=contents)
def test_any_content_comes_back_as_it_was_kept(opening: Opening, content: Any) -> None:
    async def main(calls: Calls) -> None:
        kept = await calls.load(scope=SCOPE, sources=(item("a", content), Message(role="user", content=content)))
        assert await calls.load(scope=SCOPE) == kept

    using(opening, main)


def test_of_two_that_change_the_same_state_one_is_told(opening: Opening) -> None:
    async def main(calls: Calls) -> None:
        first = await calls.load(scope=SCOPE, sources=())
        both = await asyncio.gather(
            *(calls.update(scope=SCOPE, expected_version=first.version, add=(item(id),)) for id in "ab"),
            return_exceptions=True,
        )
        (refused,) = [one for one in both if isinstance(one, ContextError)]
        (made,) = [one for one in both if not isinstance(one, BaseException)]
        assert refused.code == "STATE_CONFLICT"
        assert await calls.load(scope=SCOPE) == made

    using(opening, main)


def test_nothing_is_lost_when_many_add_at_once_and_try_again(opening: Opening) -> None:
    async def main(calls: Calls) -> None:
        await calls.load(scope=SCOPE, sources=())

        async def add(id: str) -> None:
            while isinstance(made := await settled(calls.update(scope=SCOPE, add=(item(id),))), ContextError):
                assert code(made) == "STATE_CONFLICT"

        await asyncio.gather(*(add(str(n)) for n in range(12)))
        assert sorted(ids(await calls.load(scope=SCOPE)), key=int) == [str(n) for n in range(12)]

    using(opening, main)


def test_of_many_that_begin_a_context_one_does(opening: Opening) -> None:
    async def main() -> None:
        async with opening() as store:
            made = await asyncio.gather(*(store.compare_and_set("k", None, f"{n}") for n in range(8)))
            (version,) = filter(None, made)
            assert await store.get("k") == StoredState(version=version, state=str(made.index(version)))

    asyncio.run(main())


def test_the_context_of_another_scope_is_not_taken_for_ones_own(opening: Opening) -> None:
    async def main() -> None:
        async with opening() as store, calling(store) as calls:
            await calls.load(scope=SCOPE, sources=(item("a"),))
            moved = await store.get(await key_of(calls))
            assert moved
            twice = moved.state.replace('{"scope"', '{"items":[],"scope"')
            for state in (
                moved.state.replace("s1", "s2"),
                "[]",
                "{",
                twice,
                moved.state.replace("a", "\\ud800"),
                "NaN",
            ):
                key = await key_of(calls)
                held = await store.get(key)
                assert held
                assert await store.compare_and_set(key, held.version, state)
                for call in (calls.load(scope=SCOPE), calls.update(scope=SCOPE)):
                    with pytest.raises(ContextError) as refusal:
                        await call
                    assert refusal.value.code == "INVALID_STATE"
            await calls.load(scope=SCOPE, sources=())  # which replaces whatever is there

    asyncio.run(main())


async def key_of(calls: Calls) -> str:
    """Give the key of the scope, as a store sees it."""
    seen = Spying()
    async with calling(seen) as other:
        with pytest.raises(ContextError):
            await other.load(scope=SCOPE)
    return seen.key


class Spying:
    """A store that notes the key; what it gives may be made wrong."""

    def __init__(self, found: Any = None, version: Any = "v") -> None:
        self.key = ""
        self._found, self._version = found, version

    async def get(self, key: str) -> Any:
        self.key = key
        return self._found

    async def compare_and_set(self, key: str, expected: str | None, state: str) -> Any:
        return self._version


@pytest.mark.parametrize("store", [Spying(found=("v", "{}")), Spying(version=b"v"), Spying(version="")])
def test_what_a_store_may_not_give_is_refused(store: Spying) -> None:
    async def main() -> None:
        async with calling(store) as calls:
            with pytest.raises(InvalidResult):
                await calls.load(scope=SCOPE, sources=())

    asyncio.run(main())


def test_what_a_store_raises_reaches_the_caller() -> None:
    class Broken(Spying):
        async def get(self, key: str) -> Any:
            raise LookupError(key)

    async def main() -> None:
        async with calling(Broken()) as calls:
            with pytest.raises(LookupError):
                await calls.load(scope=SCOPE)

    asyncio.run(main())


def test_an_error_survives_being_sent_elsewhere() -> None:
    error = ContextError("STATE_STORE_UNAVAILABLE", "lost", uncertain=True)
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), again.code, str(again), again.uncertain) == (ContextError, error.code, "lost", True)


def test_a_context_may_be_sixteen_mebibytes_large() -> None:
    async def main() -> None:
        async with calling(InProcessContextStore(max_bytes=10**9)) as calls:
            sources = tuple(item(f"{n}", "x" * 60_000) for n in range(256))
            kept = await calls.load(scope=SCOPE, sources=sources)
            for fields in ({"metadata": {"m": "y" * 2_000_000}}, {"metadata": {"é" * 1_000_000: 1}}):
                with pytest.raises(ContextError) as refusal:
                    await calls.update(scope=SCOPE, add=(item("0", **fields),))
                assert refusal.value.code == "INLINE_LIMIT_EXCEEDED"
            assert (await calls.load(scope=SCOPE)).version == kept.version

    asyncio.run(main())


def test_an_update_of_what_was_never_begun_is_refused_for_its_input_first() -> None:
    async def main() -> None:
        async with calling(InProcessContextStore()) as calls:
            with pytest.raises(ContextError) as refusal:
                await calls.runtime.invoke("CONTEXT.UPDATE", ContextUpdate(scope=SCOPE, expected_version="v"))
            assert refusal.value.code == "CONTEXT_NOT_FOUND"

    asyncio.run(main())
