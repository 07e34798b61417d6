"""MCP in an agent: the tools of the application and of a server are one list, and each call gets its answer."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

from mcp.server import MCPServer

from ditto_core import (
    ACT_TOOL,
    ExternalResult,
    McpRegistry,
    ObserveInput,
    RefusedCall,
    Runtime,
    Sandbox,
    ToolCall,
    ToolInput,
    ToolRegistry,
    interaction_worker,
    mcp_tools,
    observe,
    tool,
)
from ditto_formats import BadCall, openai_chat
from ditto_mcp import connect_inprocess

Model: TypeAlias = Callable[[list[Any], list[Any]], Awaitable[Any]]
"""Is given the messages and what is offered, and gives a reply of OpenAI's chat completions."""

MOST_TURNS = 8
SHELVES = {"Emma": "A 12", "Persuasion": "A 14"}


@tool(effects={"read"})
async def shelf(title: str) -> str:
    """Where a book stands in this house."""
    return SHELVES.get(title, "We do not have it.")


# Stands for a server elsewhere: connect_stdio and connect_http give a connection that is used in the same way.
library = MCPServer("library")


@library.tool(name="books.search", structured_output=False)
def search(author: str) -> str:
    """Titles by an author."""
    return "Emma, Persuasion" if author == "Austen" else "Nothing."


@library.tool(name="books.lend", structured_output=False)
def lend(title: str) -> str:
    """Lend a book to whoever asks."""
    return f"{title} is yours for four weeks."


async def act(runtime: Runtime, call: ToolCall | BadCall) -> ExternalResult:
    """Make one call. A refusal is told to the model, nothing has run; what else is raised is for the application."""
    if isinstance(call, BadCall):
        return call.result()
    try:
        return await runtime.invoke(ACT_TOOL, ToolInput(call=call))
    except RefusedCall as refusal:
        return BadCall(id=call.id, name=call.name, reason=str(refusal)).result()


async def converse(runtime: Runtime, model: Model, question: str) -> str:
    """Ask the model until it asks for nothing more, and return its last words."""
    messages: list[Any] = [{"role": "user", "content": question}]
    for _ in range(MOST_TURNS):
        reply = await model(messages, openai_chat.tools(runtime.tools()))
        message = reply["choices"][0]["message"]
        messages.append(message)
        calls = openai_chat.calls(reply)
        if not calls:
            return str(message["content"])
        observations = [observe(ObserveInput(result=await act(runtime, call))) for call in calls]
        answers = openai_chat.answers(list(zip(calls, observations, strict=True)))
        for seen, answer in zip(observations, answers, strict=True):
            print(f"{seen.source}: {seen.status}: {json.dumps(answer)}")
        messages.extend(answers)
    raise RuntimeError(f"The model has not come to an end in {MOST_TURNS} turns.")


async def main(model: Model) -> None:
    """Offer both, but for what the sandbox does not permit, and let the model ask."""
    tools, servers = ToolRegistry(), McpRegistry(discovery_timeout=10)
    connection = connect_inprocess(library)
    tools.register(shelf)
    servers.register("library", connection.client())
    sandbox = Sandbox(tools=["shelf", "library_search"], mcp=["library"])
    worker = interaction_worker(tools=tools)

    async with connection, Runtime(workers=[worker], sandbox=sandbox) as runtime:
        names = {"books.search": "search", "books.lend": "lend"}
        tools.register_all(await mcp_tools(servers, sandbox, "library", rename=names, prefix="library_"))
        print(await converse(runtime, model, "Where do I find something by Austen? Lend me one."))


def asks(*calls: tuple[str, str, str]) -> Any:
    """Give a reply that asks for calls: id, name and the arguments as the model wrote them."""
    asked = [
        {"id": id, "type": "function", "function": {"name": name, "arguments": arguments}}
        for id, name, arguments in calls
    ]
    message = {"role": "assistant", "content": None, "tool_calls": asked}
    return {"choices": [{"finish_reason": "tool_calls", "message": message}]}


REPLIES = [
    asks(("call_1", "library_search", '{"author": "Austen"}'), ("call_2", "library_lend", '{"title": "Emma"}')),
    asks(("call_3", "shelf", '{"title": "Emma"}'), ("call_4", "library_search", '{"author": "Br')),
    {"choices": [{"finish_reason": "stop", "message": {"role": "assistant", "content": "Emma: shelf A 12."}}]},
]


async def script(messages: list[Any], offered: list[Any]) -> Any:
    """Stand for the model: say what stands in the script."""
    turn = sum(message["role"] == "assistant" for message in messages)
    if turn == 0:
        print("offered:", *(one["function"]["name"] for one in offered))
    return REPLIES[turn]


if __name__ == "__main__":
    asyncio.run(main(script))
