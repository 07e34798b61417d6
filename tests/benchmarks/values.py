"""A large result: what its checks cost, beside writing the same value as JSON once."""

from __future__ import annotations

import json
import random
from typing import Final

from ditto_core import JsonObject, JsonValue, Sandbox, ToolCall, ToolContext, ToolRegistry, tool

from .harness import FLOOR, Effort, Row, in_turns, row

SIZE: Final = 1 << 20
SEED: Final = 20


def payload() -> JsonObject:
    """Return records as a listing gives them, a little more than one MiB of compact JSON, always the same."""
    pick = random.Random(SEED)
    records: list[JsonValue] = []
    size = 0
    while size < SIZE:
        record: JsonObject = {
            "number": len(records),
            "title": f"entry {pick.randrange(10**9)}",
            "weight": pick.random(),
            "open": pick.random() < 0.5,
            "closed_by": None,
            "labels": [f"label-{pick.randrange(1000)}" for _ in range(4)],
            "source": {"file": f"src/part_{pick.randrange(500)}.py", "line": pick.randrange(2000)},
            "changes": [{"at": pick.randrange(2**31), "who": "someone", "share": pick.random()} for _ in range(2)],
        }
        size += len(json.dumps(record, separators=(",", ":"))) + 1
        records.append(record)
    return {"records": records}


async def large_result(effort: Effort) -> list[Row]:
    """Measure a call of the registry whose tool returns the large value."""
    value = payload()

    @tool
    async def listing() -> JsonObject:
        """Give all records."""
        return value

    tools, context = ToolRegistry(), ToolContext(sandbox=Sandbox(tools=["listing"]))
    tools.register(listing)

    async def written(times: int) -> None:
        for _ in range(times):
            json.dumps(value, allow_nan=False)

    async def called(times: int) -> None:
        for _ in range(times):
            await tools.call(ToolCall(id="call-1", name="listing", arguments={}), context)

    case = "a result of 1 MiB of JSON, checked"
    samples = await in_turns({FLOOR: written, case: called}, effort)
    return [row(samples, case, floor="json.dumps(allow_nan=False) of it", budget=0.85, goal=0.6)]
