"""Puts a task together: its folder, the service, Redis, memory, the model and the runtime, each closed in its turn."""

from __future__ import annotations

import fcntl
import os
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from pathlib import Path

import attrs
import redis.asyncio
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from ditto_context import RedisContextStore, context_worker
from ditto_core import PluginHost, Runtime, Sandbox, interaction_worker
from ditto_infer import ModelChoice, infer_worker
from ditto_memory import SqliteMemory, memory_worker
from ditto_openai import OpenAIModel

from .errors import NotConfigured, TaskBusy
from .request import Request
from .tools import ResultTools
from .tools.remote import DEADLINE, MAX_DEADLINE
from .tools.tasks import BUSY_TIMEOUT

TOOLS = ("result_read", "result_retry", "result_status", "result_commit", "result_publish")


@attrs.frozen(kw_only=True)
class Settings:
    """Which model is asked, at which endpoint, and where Redis is.

    ``under_schema`` says whether the endpoint can hold its model to a JSON schema. ``deadline`` bounds a request to
    the service, ``model_timeout`` one to the model, ``busy_timeout`` the wait for a lock of a database, in seconds.
    """

    model: str
    endpoint: str
    api_key: str | None = attrs.field(default=None, repr=False)
    redis: str
    under_schema: bool = True
    deadline: float = DEADLINE
    model_timeout: float = 30.0
    busy_timeout: float = BUSY_TIMEOUT

    @classmethod
    def of_environment(cls) -> Settings:
        """Read the variables ``ORDER_OBSERVER_…``; raises :class:`NotConfigured`, naming what is missing."""
        found = {name: os.environ.get(f"ORDER_OBSERVER_{name}", "") for name in ("MODEL", "ENDPOINT", "REDIS")}
        missing = [f"ORDER_OBSERVER_{name}" for name, value in found.items() if not value]
        if missing:
            raise NotConfigured(f"Nothing was begun: set {', '.join(missing)}.")
        return cls(
            model=found["MODEL"],
            endpoint=found["ENDPOINT"],
            api_key=os.environ.get("ORDER_OBSERVER_API_KEY") or None,
            redis=found["REDIS"],
            under_schema=os.environ.get("ORDER_OBSERVER_SCHEMA", "yes") != "no",
            deadline=_seconds("ORDER_OBSERVER_DEADLINE", DEADLINE),
        )

    def provider(self) -> OpenAIModel:
        """Return what asks the model."""
        return OpenAIModel(self.endpoint, self.api_key, output_schemas=self.under_schema)

    @property
    def choice(self) -> ModelChoice:
        """The model as a request names it."""
        return ModelChoice(model=self.model)


def _seconds(variable: str, usual: float) -> float:
    try:
        seconds = float(os.environ.get(variable) or usual)
    except ValueError:
        seconds = -1
    if not 0 < seconds <= MAX_DEADLINE:
        raise NotConfigured(
            f"Nothing was begun: {variable} must be seconds, more than 0 and at most {MAX_DEADLINE:g}."
        )
    return seconds


@contextmanager
def task_lock(directory: Path) -> Iterator[None]:
    """Keep other processes from the task of this folder; raises :class:`TaskBusy`.

    The lock is the system's, so it is gone with the process that holds it, however that ends.
    """
    with (directory / "lock").open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise TaskBusy("Another process works on this task. Nothing was begun.") from None
        yield


@asynccontextmanager
async def open_runtime(
    directory: Path, request: Request, settings: Settings, *, provider: OpenAIModel | None = None
) -> AsyncIterator[Runtime]:
    """Give a runtime for one task, with everything that its workflow needs and nothing else permitted.

    `provider`, if given, asks the model in place of the one that the settings make.
    What was opened is closed in reverse order, also when something failed before.
    """
    async with AsyncExitStack() as stack:
        stack.enter_context(task_lock(directory))
        client = redis.asyncio.Redis.from_url(settings.redis, retry=Retry(NoBackoff(), 0))
        stack.push_async_callback(client.aclose)
        host = PluginHost()
        tools = ResultTools(
            directory=directory, request=request, deadline=settings.deadline, busy_timeout=settings.busy_timeout
        )
        host.register(tools)
        await stack.enter_async_context(host)
        model = provider or settings.provider()
        sandbox = Sandbox(directory, tools=TOOLS, network=[request.origin, model.origin], write=True)
        workers = [
            context_worker(store=RedisContextStore(client)),
            memory_worker(SqliteMemory(directory / "memory.sqlite", busy_timeout=settings.busy_timeout)),
            infer_worker({"model": model}, timeout=settings.model_timeout),
            interaction_worker(tools=host.tools),
        ]
        yield await stack.enter_async_context(Runtime(workers=workers, sandbox=sandbox))
