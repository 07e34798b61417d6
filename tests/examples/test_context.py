"""The example of a context decides itself that failures are not entered."""

from __future__ import annotations

import asyncio
import runpy

import pytest

from ditto_context import CONTEXT_LOAD, ContextItem, ContextLoad, InProcessContextStore, context_worker
from ditto_core import Runtime, Sandbox, ToolCall, ToolFailed, interaction_worker, tool
from tests.support.project import ROOT

EXAMPLE = runpy.run_path(str(ROOT / "docs/examples/context.py"))


@tool
async def price(article: str) -> int:
    """Look up a price, in vain."""
    raise ToolFailed("NO_PRICE", "There is no price.")


@pytest.mark.promise("CTX-03")
def test_a_failed_observation_is_not_entered_by_the_example() -> None:
    async def main() -> list[str]:
        workers = [interaction_worker(tools=[price]), context_worker(store=InProcessContextStore())]
        async with Runtime(workers=workers, sandbox=Sandbox(tools=["price"])) as runtime:
            goal = ContextItem(id="goal", content="Buy fruit.")
            await runtime.invoke(CONTEXT_LOAD, ContextLoad(scope=EXAMPLE["SCOPE"], sources=(goal,)))
            with pytest.raises(RuntimeError, match="NO_PRICE"):
                await EXAMPLE["enter"](runtime, ToolCall(id="c1", name="price", arguments={"article": "apple"}))
            kept = await runtime.invoke(CONTEXT_LOAD, ContextLoad(scope=EXAMPLE["SCOPE"]))
            return [item.id for item in kept.items]

    assert asyncio.run(main()) == ["goal"]
