"""The example of a graph and a loop does what the specification says of it."""

from __future__ import annotations

import runpy
from types import SimpleNamespace
from typing import Any

import attrs
import pytest

from ditto_core import (
    UNSET,
    JsonPart,
    OutputReceipt,
    OutputRequest,
    Runtime,
    Sandbox,
    Status,
    Tool,
    ToolContext,
    ToolFailed,
    ToolOutcome,
    interaction_worker,
    tool,
)
from tests.support import run
from tests.support.project import ROOT

EXAMPLE = runpy.run_path(str(ROOT / "docs/examples/read_and_deliver.py"))
Reading, graph, loop = EXAMPLE["Reading"], EXAMPLE["graph"], EXAMPLE["loop"]


@attrs.frozen(eq=False)
class Sink:
    requests: list[OutputRequest] = attrs.field(factory=list)

    async def deliver(self, request: OutputRequest) -> OutputReceipt:
        self.requests.append(request)
        return OutputReceipt(delivery_id=request.delivery_id, status="accepted")


def runtime(read: Tool[Any], sink: Sink) -> Runtime:
    return Runtime(workers=[interaction_worker(tools=[read], output=sink)], sandbox=Sandbox(tools=["read_text"]))


@pytest.mark.promise("GRAPH-05")
def test_the_content_that_was_observed_is_delivered_as_assistant_under_the_id_of_the_run() -> None:
    @tool(name="read_text")
    async def read(path: str) -> ToolOutcome:
        """Give text and data."""
        return ToolOutcome(content=f"text of {path}", structured_content={"lines": 1})

    async def main() -> None:
        sink = Sink()
        async with runtime(read, sink) as ditto:
            outputs = await ditto.run(graph, Reading(path="a.txt", id="r1"))
        (request,) = sink.requests
        assert request.delivery_id == "r1:delivery"
        assert request.message.role == "assistant"
        assert request.message.content == outputs["observe"].message.content
        assert request.message.content[1] == JsonPart(data={"lines": 1})
        assert outputs["output"].status == "accepted"

    run(main())


@pytest.mark.promise("GRAPH-06")
@pytest.mark.parametrize("status", ["failed", "cancelled", "timeout", "unknown"])
def test_what_is_no_success_raises_its_code_and_reaches_no_sink(status: Status) -> None:
    @tool(name="read_text")
    async def read(path: str) -> str:
        """Fail."""
        raise ToolFailed("DISK_ON_FIRE", "The disk is on fire.", status=status)

    async def main() -> None:
        sink = Sink()
        async with runtime(read, sink) as ditto:
            with pytest.raises(RuntimeError) as failure:
                await ditto.run(graph, Reading(path="a.txt", id="r1"))
        assert str(failure.value) == "DISK_ON_FIRE"
        assert failure.value.__notes__ == ["in node 'output' of graph 'read-and-deliver'"]
        assert sink.requests == []

    run(main())


@pytest.mark.promise("GRAPH-06")
def test_without_a_code_the_status_is_raised() -> None:
    observation: Any = SimpleNamespace(status="unknown", error=UNSET)
    with pytest.raises(RuntimeError, match=r"^unknown$"):
        EXAMPLE["output"].bind(Reading(path="a.txt", id="r1"), observation)


@pytest.mark.promise("LOOP-02")
def test_the_loop_reads_one_file_after_the_other_and_ends_with_the_state_2() -> None:
    log: list[str] = []

    @tool(name="read_text")
    async def read(path: str, context: ToolContext) -> str:
        """Take note of the call."""
        log.append(f"{context.call_id} reads {path}")
        return path

    async def main() -> None:
        sink = Sink()
        async with runtime(read, sink) as ditto:
            assert await ditto.loop(loop, 0) == 2
        assert log == ["read:0 reads monday.txt", "read:1 reads tuesday.txt"]
        assert [request.delivery_id for request in sink.requests] == ["read:0:delivery", "read:1:delivery"]

    run(main())
