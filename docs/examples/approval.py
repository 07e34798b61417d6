"""Ask before something is done: a policy decides what may pass, and a person decides on the rest."""

from __future__ import annotations

import asyncio
import sys
from typing import Any

import attrs

from ditto_core import (
    ACT_TOOL,
    PermissionDenied,
    Runtime,
    Sandbox,
    ToolCall,
    ToolDefinition,
    ToolInput,
    in_thread,
    interaction_worker,
    tool,
    with_approval,
)


@tool(effects={"read"})
async def balance(account: str) -> int:
    """Look up a balance."""
    return 100


@tool(effects={"write"}, requires_approval=True)
async def transfer(account: str, amount: int) -> str:
    """Transfer money."""
    return f"{amount} sent to {account}"


async def approve(definition: ToolDefinition, arguments: Any) -> bool:
    """Let readers pass, and ask a person about everything else; where there is no terminal, the answer is no."""
    if set(definition.effects) <= {"read"}:
        return True
    if not sys.stdin.isatty():
        return False
    # What @tool makes of arguments has no repr, since logs would show it; a person has to see what is asked for.
    given = attrs.asdict(arguments) if attrs.has(type(arguments)) else arguments
    # A repr shows control characters by their codes, so no argument can rewrite the question.
    answer = await in_thread(input, f"Run {definition.name} with {given!r}? [y/N] ")
    return answer.strip().lower() == "y"


async def main() -> None:
    """Ask for a reader and for a writer."""
    worker = interaction_worker(tools=[with_approval(balance, approve), with_approval(transfer, approve)])
    async with Runtime(workers=[worker], sandbox=Sandbox(tools=["balance", "transfer"])) as runtime:
        read = ToolCall(id="c1", name="balance", arguments={"account": "rent"})
        print((await runtime.invoke(ACT_TOOL, ToolInput(call=read))).structured_content)
        write = ToolCall(id="c2", name="transfer", arguments={"account": "rent", "amount": 70})
        try:
            print((await runtime.invoke(ACT_TOOL, ToolInput(call=write))).content)
        except PermissionDenied as refusal:
            print(refusal)


if __name__ == "__main__":
    asyncio.run(main())
