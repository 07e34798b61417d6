"""Asking a model in tests: short ways to make the input, a runtime, and a provider that gives what it is told."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ditto_core import Runtime, Sandbox, ToolCall, Worker
from ditto_infer import (
    SAMPLE,
    Action,
    ModelChoice,
    ModelMessage,
    ModelProvider,
    Sample,
    SampleInput,
    SampleResult,
    Usage,
    infer_worker,
)
from ditto_openai import OpenAIModel
from tests.support.model_server import ModelServer

KEY = "sk-test-0123456789abcdefghij"

STOCK = Action(
    name="stock",
    description="How many there are.",
    input_schema={
        "type": "object",
        "properties": {"item": {"type": "string"}},
        "required": ["item"],
        "additionalProperties": False,
    },
)


def question(text: str = "hello", *, actions: tuple[Action, ...] = (), **more: Any) -> SampleInput:
    """Ask one question."""
    return SampleInput(
        messages=(ModelMessage(role="user", content=text),),
        model=more.pop("model", ModelChoice(model="small")),
        actions=actions,
        **more,
    )


def permitted(server: ModelServer) -> Sandbox:
    """Permit the server and every tool."""
    return Sandbox(network=[server.origin], tools=["*"], mcp=["*"])


async def ask(
    server: ModelServer, input: SampleInput, *, timeout: float = 10.0, key: str | None = KEY, **options: Any
) -> SampleResult:
    """Ask the server's model through a runtime."""
    model = OpenAIModel(server.url, key, **options)
    worker = infer_worker({"local": model}, timeout=timeout)
    async with Runtime(workers=[worker], sandbox=permitted(server)) as runtime:
        return await runtime.invoke(SAMPLE, input)


class Scripted:
    """A provider that opens no connection: it gives what the script says, and keeps what it was asked."""

    origin = None

    def __init__(self, *script: Sample | Exception | Callable[[SampleInput], Sample]) -> None:
        self.script = list(script)
        self.asked: list[SampleInput] = []

    async def sample(self, request: SampleInput) -> Sample:
        self.asked.append(request)
        given = self.script.pop(0)
        if isinstance(given, Exception):
            raise given
        return given if isinstance(given, Sample) else given(request)


def scripted(*script: Any) -> tuple[Scripted, Worker]:
    """Give such a provider and a worker that offers it."""
    provider = Scripted(*script)
    checked: ModelProvider = provider
    return provider, infer_worker({"scripted": checked})


def says(text: str, *, tokens: int | None = 10, finish: Any = "stop") -> Sample:
    """Give a sample that is text."""
    message = ModelMessage(role="assistant", content=text)
    return Sample(message=message, finish_reason=finish, usage=_usage(tokens))


def asks(*calls: tuple[str, str, dict[str, Any]], text: str = "", tokens: int | None = 10) -> Sample:
    """Give a sample that asks for actions."""
    requests: Iterable[ToolCall] = (ToolCall(id=id, name=name, arguments=given) for id, name, given in calls)
    message = ModelMessage(role="assistant", content=text)
    return Sample(
        message=message, finish_reason="action_request", action_requests=tuple(requests), usage=_usage(tokens)
    )


def _usage(tokens: int | None) -> Usage:
    return Usage() if tokens is None else Usage(total_tokens=tokens)
