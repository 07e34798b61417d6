"""What is particular to the store on Redis: expiry, several processes, and a server that is lost, slow or misused."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from uuid import uuid4

import pytest
import redis.asyncio
import redis.exceptions

from ditto_context import ContextError, RedisContextStore
from ditto_core import InvalidValue
from tests.plugins.context.calling import SCOPE, calling, ids, item
from tests.support.redis_server import RedisServer


@pytest.fixture
def own_server() -> Any:
    """Give a server that the test may end."""
    with RedisServer() as server:
        yield server


@asynccontextmanager
async def opened(server: RedisServer, **options: Any) -> AsyncIterator[tuple[redis.asyncio.Redis, RedisContextStore]]:
    async with server.client() as client:
        yield client, RedisContextStore(client, prefix=f"{uuid4().hex}:", **options)


def test_a_write_says_when_it_expires_and_a_read_does_not(redis_server: RedisServer) -> None:
    async def main() -> None:
        async with redis_server.client() as client:
            store = RedisContextStore(client, prefix="ttl:", ttl=100)
            version = await store.compare_and_set("k", None, "1")
            await client.pexpire("ttl:k", 5_000)
            await store.get("k")
            assert await client.pttl("ttl:k") <= 5_000
            await store.compare_and_set("k", version, "2")
            assert 99_000 < await client.pttl("ttl:k") <= 100_000
            await client.delete("ttl:k")
            assert await store.get("k") is None

    asyncio.run(main())


def test_a_key_is_a_prefix_and_a_digest_and_its_value_json(redis_server: RedisServer) -> None:
    async def main() -> None:
        async with redis_server.client(decode_responses=True) as client:
            await client.flushall()
            async with calling(RedisContextStore(client)) as calls:
                made = await calls.load(scope=SCOPE, sources=(item("é", "ü"),))
                assert await calls.load(scope=SCOPE) == made
            (key,) = await client.keys("*")
            assert key.startswith("ditto:context:scope:")
            assert len(key) == len("ditto:context:scope:") + 64
            assert await client.get(key) == (
                f'{{"version":"{made.version}","context":{{"scope":{{"sessionId":"s1"}},'
                '"items":[{"id":"é","content":"ü"}]}}'
            )

    asyncio.run(main())


def test_a_command_that_a_client_sends_twice_counts_once(redis_server: RedisServer) -> None:
    """As a client does that retries when an answer is lost."""

    class Twice:
        def __init__(self, client: redis.asyncio.Redis) -> None:
            self._client = client

        async def execute_command(self, *args: Any, **options: Any) -> Any:
            await self._client.execute_command(*args, **options)
            return await self._client.execute_command(*args, **options)

    async def main() -> None:
        async with redis_server.client() as client:
            store = RedisContextStore(Twice(client), prefix=f"{uuid4().hex}:")
            first = await store.compare_and_set("k", None, "1")
            assert first
            assert await store.compare_and_set("k", first, "2")

    asyncio.run(main())


@pytest.mark.parametrize(
    "value",
    ["", "x", '{"version":"1","context":{}}', b"\xff", b"x" * 16_778_000],
    ids=["empty", "text", "other json", "no text", "large"],
)
@pytest.mark.parametrize("decoding", [True, False])
def test_what_is_no_context_is_not_taken_for_one(redis_server: RedisServer, value: Any, decoding: Any) -> None:
    async def main() -> None:
        async with redis_server.client(decode_responses=decoding) as client:
            store = RedisContextStore(client, prefix=f"{uuid4().hex}:")
            await client.set(f"{store._prefix}k", value)
            if not value:
                assert await store.get("k") is None
                assert await store.compare_and_set("k", None, "1") is None
                return
            with pytest.raises(ContextError) as refusal:
                await store.get("k")
            assert refusal.value.code == "INVALID_STATE"
            assert await store.compare_and_set("k", None, "1") is None
            assert await store.compare_and_set("k", "0" * 32, "1") is None
            assert await store.compare_and_set("k", "*", "1") is None

    asyncio.run(main())


def test_a_key_of_another_type_is_refused(redis_server: RedisServer) -> None:
    async def main() -> None:
        async with opened(redis_server) as (client, store):
            await client.lpush(f"{store._prefix}k", "1")
            for call in (store.get("k"), store.compare_and_set("k", None, "1")):
                with pytest.raises(ContextError) as refusal:
                    await call
                assert (refusal.value.code, refusal.value.uncertain) == ("INVALID_STATE", False)

    asyncio.run(main())


def test_a_server_that_refuses_has_changed_nothing(own_server: RedisServer) -> None:
    async def main() -> None:
        async with opened(own_server) as (client, store):
            await client.config_set("maxmemory", "1")
            with pytest.raises(ContextError) as refusal:
                await store.compare_and_set("k", None, "1")
            assert (refusal.value.code, refusal.value.uncertain) == ("STATE_STORE_UNAVAILABLE", False)
            assert isinstance(refusal.value.__cause__, redis.exceptions.ResponseError)

    asyncio.run(main())


def test_a_lost_server_is_an_error_that_says_whether_anything_may_have_changed(own_server: RedisServer) -> None:
    async def main() -> None:
        async with opened(own_server) as (_, store), calling(store) as calls:
            await calls.load(scope=SCOPE, sources=())
            own_server.kill()
            for call in (calls.load(scope=SCOPE), calls.update(scope=SCOPE), calls.load(scope=SCOPE, sources=())):
                with pytest.raises(ContextError, match="does not answer") as refusal:
                    await call
                assert (refusal.value.code, refusal.value.uncertain) == ("STATE_STORE_UNAVAILABLE", False)
            with pytest.raises(ContextError, match="LOAD it before") as refusal:
                await store.compare_and_set("k", None, "1")
            assert refusal.value.uncertain
            assert str(own_server.url) not in str(refusal.value)
            own_server.start()
            with pytest.raises(ContextError) as refusal:
                await calls.load(scope=SCOPE)
            assert refusal.value.code == "CONTEXT_NOT_FOUND"
            await calls.load(scope=SCOPE, sources=())

    asyncio.run(main())


def test_a_server_that_does_not_answer_is_waited_for_a_bounded_time(own_server: RedisServer) -> None:
    async def main() -> None:
        async with opened(own_server, timeout=0.05) as (_, store):
            await store.compare_and_set("k", None, "1")
            assert own_server._process
            os.kill(own_server._process.pid, signal.SIGSTOP)
            try:
                with pytest.raises(ContextError) as refusal:
                    await store.compare_and_set("l", None, "1")
                assert refusal.value.uncertain
                assert isinstance(refusal.value.__cause__, TimeoutError)
            finally:
                os.kill(own_server._process.pid, signal.SIGCONT)
        async with own_server.client() as client:
            assert await client.ping()

    asyncio.run(main())


def test_a_cancelled_call_is_cancelled_and_the_client_goes_on(own_server: RedisServer) -> None:
    async def main() -> None:
        async with opened(own_server) as (_, store), calling(store) as calls:
            await calls.load(scope=SCOPE, sources=(item("a"),))
            assert own_server._process
            os.kill(own_server._process.pid, signal.SIGSTOP)
            try:
                task = asyncio.create_task(calls.load(scope=SCOPE))
                await asyncio.sleep(0)
                task.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await task
            finally:
                os.kill(own_server._process.pid, signal.SIGCONT)
            assert ids(await calls.load(scope=SCOPE)) == ["a"]

    asyncio.run(main())


WRITER = """
import asyncio, sys
from redis.asyncio import Redis
from ditto_context import *
from ditto_core import Runtime

async def main(url, name):
    async with Redis.from_url(url) as client:
        async with Runtime(workers=[context_worker(store=RedisContextStore(client, prefix="many:"))]) as runtime:
            for number in range(10):
                while True:
                    add = (ContextItem(id=f"{name}-{number}", content=number),)
                    update = ContextUpdate(scope=ContextScope(session_id="s1"), add=add)
                    try:
                        await runtime.invoke(CONTEXT_UPDATE, update)
                        break
                    except ContextError as refusal:
                        assert refusal.code == "STATE_CONFLICT", refusal
asyncio.run(main(*sys.argv[1:]))
"""


@pytest.mark.once
def test_nothing_is_lost_between_processes(redis_server: RedisServer) -> None:
    async def main() -> None:
        async with redis_server.client() as client, calling(RedisContextStore(client, prefix="many:")) as calls:
            await calls.load(scope=SCOPE, sources=())
            command = [sys.executable, "-W", "error", "-c", WRITER, redis_server.url]
            writers = [subprocess.Popen([*command, name]) for name in "abc"]
            assert [writer.wait(60) for writer in writers] == [0, 0, 0]
            assert sorted(ids(await calls.load(scope=SCOPE))) == sorted(f"{w}-{n}" for w in "abc" for n in range(10))

    asyncio.run(main())


@pytest.mark.parametrize(
    "wrong", [{"client": object()}, {"prefix": "a\n"}, {"prefix": b"a"}, {"ttl": 0}, {"timeout": "1"}]
)
def test_a_wrong_option_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(InvalidValue):
        RedisContextStore(**{"client": redis.asyncio.Redis(), **wrong})
