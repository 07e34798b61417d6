"""Tools that end in every way, and a server of them in this process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

from ditto_core import (
    InteractionError,
    JsonPart,
    Reference,
    ReferencePart,
    Runtime,
    Sandbox,
    TextPart,
    Tool,
    ToolContext,
    ToolOutcome,
    ToolRegistry,
    interaction_worker,
    tool,
)
from ditto_mcp import HttpAddress, McpConnection, connect_inprocess, mcp_server, serve_mcp

PIXEL = "data:image/png;base64,iVBORw0KGgo="


def made(name: str, execute: Callable[..., Any], **more: Any) -> Tool[Any]:
    """Return a tool that takes anything."""
    return Tool(name=name, **{"input_schema": {"type": "object"}, "validate": dict, "execute": execute, **more})


def giving(name: str, outcome: ToolOutcome, **more: Any) -> Tool[Any]:
    """Return a tool that always ends with this outcome."""

    async def execute(arguments: Any, context: ToolContext) -> ToolOutcome:
        return outcome

    return made(name, execute, **more)


@tool(effects={"read"})
def add(first: int, second: int = 1) -> int:
    """Add two numbers."""
    return first + second


async def _raises(arguments: Any, context: ToolContext) -> ToolOutcome:
    raise RuntimeError("password=hunter2 at /home/me")


async def _never(arguments: Any, context: ToolContext) -> ToolOutcome:
    await asyncio.Event().wait()
    raise AssertionError


async def _reads(arguments: Any, context: ToolContext) -> ToolOutcome:
    return ToolOutcome(content=await context.sandbox.read_text(arguments["path"]))


ENDINGS: Sequence[Tool[Any]] = (
    add,
    giving("text", ToolOutcome(content="hello")),
    giving("json", ToolOutcome(content=[1, {"a": None}])),
    giving(
        "parts",
        ToolOutcome(
            content=(
                TextPart(text="see"),
                JsonPart(data={"n": 1}),
                ReferencePart(reference=Reference(uri="https://acme.example/a", media_type="text/html")),
            ),
            references=(Reference(uri="https://acme.example/a"), Reference(uri=PIXEL)),
        ),
    ),
    giving("structured", ToolOutcome(structured_content={"a": [1]}), output_schema={"type": "object"}),
    giving("listed", ToolOutcome(structured_content=[1]), output_schema={"type": "array"}),
    giving(
        "failing",
        ToolOutcome(
            status="failed", content="half", error=InteractionError(code="NO_LUCK", message="It did not work.")
        ),
    ),
    giving("large", ToolOutcome(content="x" * 10_000)),
    giving("no_outcome", "nothing"),  # type: ignore[arg-type]
    made("raises", _raises),
    made("never", _never),
    made("reads", _reads, effects={"read"}),
)


def runtime_of(tools: Sequence[Tool[Any]], sandbox: Sandbox | None = None) -> Runtime:
    """Return a runtime of these tools, all permitted unless a sandbox is given."""
    registry = ToolRegistry()
    for one in tools:
        registry.register(one)
    return Runtime(workers=[interaction_worker(tools=registry)], sandbox=sandbox or Sandbox(tools=["*"]))


@asynccontextmanager
async def served(
    tools: Sequence[Tool[Any]] = ENDINGS, *, sandbox: Sandbox | None = None, **options: Any
) -> AsyncIterator[McpConnection]:
    """Give a connection to a server of these tools."""
    async with (
        runtime_of(tools, sandbox) as runtime,
        connect_inprocess(mcp_server(runtime, **options)) as connection,
    ):
        yield connection


@asynccontextmanager
async def serving_http(
    tools: Sequence[Tool[Any]] = ENDINGS, **options: Any
) -> AsyncIterator[tuple[str, asyncio.Task[None]]]:
    """Serve these tools over HTTP; give the address and the task, which is cancelled at the end."""
    address: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    async with runtime_of(tools) as runtime:
        serving = asyncio.create_task(
            serve_mcp(runtime, http=HttpAddress(port=0), ready=address.set_result, **options)
        )
        either: set[asyncio.Future[Any]] = {serving, address}
        await asyncio.wait(either, timeout=30, return_when=asyncio.FIRST_COMPLETED)
        try:
            yield address.result(), serving
        finally:
            serving.cancel()
            await asyncio.wait({serving})
        assert serving.cancelled()


async def serve_streams() -> None:
    """Serve them all over standard streams."""
    async with runtime_of(ENDINGS) as runtime:
        await serve_mcp(runtime)


if __name__ == "__main__":
    asyncio.run(serve_streams())
