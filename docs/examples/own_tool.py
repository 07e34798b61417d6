"""The same tool twice: made by hand, and made by @tool out of a function with annotations."""

from __future__ import annotations

import asyncio
from typing import Annotated

from attrs.validators import ge, le

from ditto_core import (
    ACT_TOOL,
    InvalidArguments,
    JsonObject,
    Runtime,
    Sandbox,
    Tool,
    ToolCall,
    ToolContext,
    ToolFailed,
    ToolInput,
    ToolOutcome,
    interaction_worker,
    tool,
)

STOCK = {"apple": 12, "pear": 0}


# By hand: you write the schema that callers see, the check, and the outcome. Anything goes.


def validate(arguments: JsonObject) -> tuple[str, int]:
    """Return the article and how many of it; refuse what is wrong by raising, before anything runs."""
    article, count = arguments.get("article"), arguments.get("count", 1)
    if type(article) is not str or not arguments.keys() <= {"article", "count"}:
        raise ValueError("give an article, a string, and perhaps a count")
    if type(count) is not int or not 1 <= count <= 99:
        raise ValueError("count must be an integer from 1 to 99")
    return article, count


async def execute(arguments: tuple[str, int], context: ToolContext) -> ToolOutcome:
    """Reserve it; `arguments` is what `validate` returned."""
    article, count = arguments
    if STOCK.get(article, 0) < count:
        raise ToolFailed("OUT_OF_STOCK", f"{STOCK.get(article, 0)} are left.", retryable=True)
    return ToolOutcome(structured_content={"article": article, "reserved": count})


by_hand = Tool(
    name="reserve_by_hand",
    description="Reserve an article.",
    input_schema={
        "type": "object",
        "properties": {
            "article": {"type": "string"},
            "count": {"type": "integer", "minimum": 1, "maximum": 99, "default": 1},
        },
        "required": ["article"],
        "additionalProperties": False,
    },
    validate=validate,
    execute=execute,
    effects=frozenset({"write"}),
)


# With @tool: the schema and the check come from the same annotations, so they cannot disagree.


@tool(effects={"write"})
async def reserve(article: str, count: Annotated[int, ge(1), le(99)] = 1) -> dict[str, str | int]:
    """Reserve an article."""
    if STOCK.get(article, 0) < count:
        raise ToolFailed("OUT_OF_STOCK", f"{STOCK.get(article, 0)} are left.", retryable=True)
    return {"article": article, "reserved": count}


async def main() -> None:
    """Call both, each with something that is there, something that is not, and something wrong."""
    print("same schema:", by_hand.input_schema == reserve.input_schema)
    requests: list[JsonObject] = [
        {"article": "apple", "count": 2},
        {"article": "pear"},
        {"article": "pear", "count": 0},
    ]
    sandbox = Sandbox(tools=[by_hand.name, reserve.name])
    async with Runtime(workers=[interaction_worker(tools=[by_hand, reserve])], sandbox=sandbox) as runtime:
        for name in (by_hand.name, reserve.name):
            for arguments in requests:
                call = ToolCall(id="call-1", name=name, arguments=arguments)
                try:
                    result = await runtime.invoke(ACT_TOOL, ToolInput(call=call))
                except InvalidArguments as refusal:
                    print(refusal)
                else:
                    print(name, result.status, result.error.code if result.error else result.structured_content)


if __name__ == "__main__":
    asyncio.run(main())
