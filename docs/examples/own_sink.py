"""A sink of one's own, as a plugin: it says of each delivery what became of it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import ClassVar

import attrs

from ditto_core import (
    OUTPUT,
    InteractionError,
    Message,
    OutputReceipt,
    OutputRequest,
    OutputSink,
    PluginHost,
    Runtime,
    hookimpl,
    interaction_worker,
)


@attrs.frozen(eq=False)
class Mailbox:
    """Keeps messages in memory, `room` at the most.

    ``accepted`` says that the message is kept, and nothing of anybody who reads it.
    """

    api_version: ClassVar[int] = 1

    room: int
    kept: list[Message] = attrs.field(factory=list)

    @hookimpl
    def ditto_output_sinks(self) -> Mapping[str, OutputSink]:
        """Offer this sink as ``mailbox``."""
        return {"mailbox": self}

    async def deliver(self, request: OutputRequest) -> OutputReceipt:
        """Keep the message; ``rejected`` says for certain that it was not kept."""
        if len(self.kept) >= self.room:
            error = InteractionError(code="MAILBOX_FULL", message="There is no room left.", retryable=True)
            return OutputReceipt(delivery_id=request.delivery_id, status="rejected", error=error)
        self.kept.append(request.message)
        return OutputReceipt(delivery_id=request.delivery_id, status="accepted", metadata={"kept": len(self.kept)})


async def main() -> None:
    """Deliver two messages into a mailbox with room for one."""
    mailbox = Mailbox(room=1)
    host = PluginHost()
    host.register(mailbox)
    worker = interaction_worker(output=host.sink("mailbox"))
    async with Runtime(workers=[worker]) as runtime:
        for number in (1, 2):
            message = Message(role="assistant", content=f"answer {number}")
            receipt = await runtime.invoke(OUTPUT, OutputRequest(delivery_id=f"delivery-{number}", message=message))
            print(receipt.delivery_id, receipt.status, receipt.error.code if receipt.error else receipt.metadata)
    print("kept:", [message.content for message in mailbox.kept])


if __name__ == "__main__":
    asyncio.run(main())
