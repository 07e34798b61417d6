"""A model's reply asks for four calls: two run, one is refused, one cannot be read, and each gets its answer."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from ditto_core import (
    ACT_TOOL,
    ExternalResult,
    ObserveInput,
    RefusedCall,
    Runtime,
    Sandbox,
    ToolCall,
    ToolFailed,
    ToolInput,
    ToolRegistry,
    interaction_worker,
    observe,
    tool,
)
from ditto_formats import BadCall, anthropic_messages, openai_chat, openai_responses

STOCK = {"tea": 3, "coffee": 0}


@tool
async def stock(item: str) -> int:
    """How many of an item there are."""
    if item not in STOCK:
        raise ToolFailed("NO_SUCH_ITEM", "There is no item of that name.")
    return STOCK[item]


# What the model answered: in an application, the body of the response, or response.model_dump() of OpenAI's SDK.
ASKED = [
    ("call_1", '{"item": "tea"}'),
    ("call_2", '{"item": "milk"}'),
    ("call_3", '{"thing": 1}'),
    ("call_4", '{"item"'),
]
REPLY: dict[str, Any] = {
    "choices": [
        {
            "finish_reason": "tool_calls",
            "message": {
                "role": "assistant",
                "content": None,
                "tool_calls": [
                    {"id": id, "type": "function", "function": {"name": "stock", "arguments": arguments}}
                    for id, arguments in ASKED
                ],
            },
        }
    ]
}


async def act(runtime: Runtime, call: ToolCall | BadCall) -> ExternalResult:
    """Make one call, if it can be made; a refusal is told to the model, everything else is for the application."""
    if isinstance(call, BadCall):
        return call.result()
    try:
        return await runtime.invoke(ACT_TOOL, ToolInput(call=call))
    except RefusedCall as refusal:
        return BadCall(id=call.id, name=call.name, reason=str(refusal)).result()


async def main() -> None:
    """Offer one tool, make the calls of one reply, and build what the next request carries."""
    tools = ToolRegistry()
    tools.register(stock)
    worker = interaction_worker(tools=tools)
    async with Runtime(workers=[worker], sandbox=Sandbox(tools=["stock"])) as runtime:
        print("offered:", json.dumps(openai_chat.tools(runtime.tools())))
        messages: list[Any] = [{"role": "user", "content": "How much tea and milk is there?"}]
        messages.append(REPLY["choices"][0]["message"])
        calls = openai_chat.calls(REPLY)
        observations = [observe(ObserveInput(result=await act(runtime, call))) for call in calls]
        pairs = list(zip(calls, observations, strict=True))
        messages.extend(openai_chat.answers(pairs))

    for message in messages[2:]:
        print(json.dumps(message))
    print("the second for the other APIs:")
    print(json.dumps(openai_responses.message(*pairs[1])))
    print(json.dumps(anthropic_messages.message(*pairs[1])))


if __name__ == "__main__":
    asyncio.run(main())
