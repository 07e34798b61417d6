"""A store on Redis, which several processes and machines may share."""

from __future__ import annotations

import asyncio
import re
from typing import Any, Protocol
from uuid import uuid4

from redis.exceptions import RedisError, ResponseError

from ditto_core import InvalidValue, describe

from .errors import ContextError
from .json_text import MAX_STATE_BYTES
from .seconds import check_ttl
from .store import StoredState

PREFIX = "ditto:context:"
TTL = 3_600.0
"""How many seconds a context is kept after it was last written, unless the store says otherwise."""
TIMEOUT = 5.0
"""How many seconds an answer of Redis is waited for, unless the store says otherwise."""

# Keeps ARGV[3] for ARGV[4] milliseconds if what is there begins with ARGV[1]; an empty one asks for nothing there.
# ARGV[2] is how ARGV[3] begins: if that is there, a client has sent the same command twice, and it has been done.
_SWAP = """
local function begins(start)
  return redis.call('GETRANGE', KEYS[1], 0, #start - 1) == start
end
if begins(ARGV[2]) then
  return 1
end
if ARGV[1] == '' then
  if redis.call('EXISTS', KEYS[1]) == 1 then
    return 0
  end
elseif not begins(ARGV[1]) then
  return 0
end
redis.call('SET', KEYS[1], ARGV[3], 'PX', ARGV[4])
return 1
"""
_VERSION = re.compile("[0-9a-f]{32}")
_VALUE = re.compile(r'\{"version":"([0-9a-f]{32})","context":(.*)\}', re.DOTALL)


class RedisClient(Protocol):
    """What is needed of a client: :class:`redis.asyncio.Redis` and :class:`redis.asyncio.RedisCluster` have it."""

    async def execute_command(self, *args: Any, **options: Any) -> Any:
        """Send one command and return the answer."""
        ...


class RedisContextStore:
    """Keeps contexts on Redis, each for `ttl` seconds after it was last written; reading does not prolong that.

    The application opens the client and closes it. A context is one string under ``<prefix>scope:<digest>``, so one
    Redis may serve several applications under prefixes of their own; a swap is one script on one key, which a cluster
    runs too. `timeout` (seconds) bounds each answer, whatever the client itself allows.

    The methods raise :class:`ContextError`: ``STATE_STORE_UNAVAILABLE`` when Redis does not answer or refuses
    (``uncertain`` if it may have made the change before it was lost), ``INVALID_STATE`` for what no such store has
    written. The client's exception is the ``__cause__``. The constructor raises :class:`InvalidValue`.
    """

    def __init__(
        self, client: RedisClient, *, prefix: str = PREFIX, ttl: float = TTL, timeout: float = TIMEOUT
    ) -> None:
        if not callable(getattr(client, "execute_command", None)):
            raise InvalidValue("RedisContextStore.client", f"must be a redis.asyncio.Redis, not {describe(client)}")
        if type(prefix) is not str or not prefix.isprintable():
            raise InvalidValue("RedisContextStore.prefix", "must be a printable string")
        self._client = client
        self._prefix = prefix
        self._milliseconds = round(check_ttl(ttl, "RedisContextStore.ttl") * 1000)
        self._timeout = check_ttl(timeout, "RedisContextStore.timeout")

    async def get(self, key: str) -> StoredState | None:
        """Return what is held under `key`; what is larger than a context may be is not read to its end."""
        most = MAX_STATE_BYTES + 64
        value = await self._answer("GETRANGE", self._prefix + key, 0, most, writes=False)
        try:
            text = value if type(value) is str else bytes(value).decode()
        except (TypeError, ValueError) as error:
            raise _invalid() from error
        if not text:
            return None
        found = _VALUE.fullmatch(text)
        if found is None:
            raise _invalid()
        return StoredState(version=found[1], state=found[2])

    async def compare_and_set(self, key: str, expected: str | None, state: str) -> str | None:
        """Hold `state` under `key` if the version held there is `expected`, in one step."""
        if expected is not None and not _VERSION.fullmatch(expected):
            return None  # no state has ever had such a version
        version = uuid4().hex
        before = "" if expected is None else _beginning(expected)
        value = f"{_beginning(version)}{state}}}"
        done = await self._answer(
            "EVAL", _SWAP, 1, self._prefix + key, before, _beginning(version), value, self._milliseconds, writes=True
        )
        return version if done == 1 else None

    async def _answer(self, *command: Any, writes: bool) -> Any:
        try:
            async with asyncio.timeout(self._timeout):
                return await self._client.execute_command(*command)
        except ResponseError as error:
            if str(error).startswith("WRONGTYPE"):
                raise _invalid() from error
            raise _unavailable("Redis refused the command", error, uncertain=False) from error
        except UnicodeDecodeError as error:
            raise _invalid() from error
        except (RedisError, OSError) as error:
            raise _unavailable("Redis does not answer", error, uncertain=writes) from error


def _beginning(version: str) -> str:
    return f'{{"version":"{version}","context":'


def _unavailable(fact: str, error: Exception, *, uncertain: bool) -> ContextError:
    if uncertain:
        remedy = "The context may have been written all the same: LOAD it before you write again."
    else:
        remedy = "Nothing was changed. See whether the server is up and this user may do it."
    return ContextError(
        "STATE_STORE_UNAVAILABLE", f"Context store: {fact} ({type(error).__name__}). {remedy}", uncertain=uncertain
    )


def _invalid() -> ContextError:
    return ContextError(
        "INVALID_STATE", "Context store: under this key Redis holds something that no context store has written."
    )
