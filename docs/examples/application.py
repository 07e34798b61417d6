"""An application, composed: it answers questions out of a folder, and opens a ticket where there is no answer."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, ClassVar, Protocol, Self

import attrs
from attrs.validators import max_len, min_len

from ditto_core import (
    ACT_TOOL,
    OBSERVE,
    OUTPUT,
    Config,
    ExternalResult,
    Graph,
    Message,
    Observation,
    ObserveInput,
    OutputRequest,
    OutputSink,
    PluginHost,
    Runtime,
    Tool,
    ToolCall,
    ToolDefinition,
    ToolInput,
    hookimpl,
    interaction_worker,
    load_config,
    load_plugin,
    tool,
    with_approval,
    with_output_limit,
    with_timeout,
)

FILE = Path(__file__).with_name("application.yaml")
Approve = Callable[[ToolDefinition, Any], bool]


# 1. A plugin of the application's own. What it connects to is given to it, so a test gives something else.


class Tracker(Protocol):
    """What the application needs of a ticket service."""

    async def connect(self) -> None:
        """Open the connection."""

    async def create(self, title: str) -> int:
        """Open a ticket and return its number."""

    async def close(self) -> None:
        """Close the connection."""


@attrs.frozen(eq=False)
class Tickets:
    """Offers ``open_ticket``. The host opens its connection, and closes it when no call can use it any more."""

    api_version: ClassVar[int] = 1

    tracker: Tracker

    async def __aenter__(self) -> Self:
        await self.tracker.connect()
        return self

    async def __aexit__(self, *failure: object) -> None:
        await self.tracker.close()

    @hookimpl
    def ditto_tools(self) -> Iterable[Tool[Any]]:
        """Offer the tool."""

        @tool(effects={"write"}, requires_approval=True)
        async def open_ticket(title: Annotated[str, min_len(1), max_len(200)]) -> dict[str, int]:
            """Open a ticket for a person to look at."""
            return {"number": await self.tracker.create(title)}

        return [open_ticket]


# 2. The host: which plugins there are, what of them is taken, and how it is bounded.


def composed(config: Config, tracker: Tracker, approve: Approve) -> PluginHost:
    """Return the host with all plugins; nothing is connected yet."""
    host = PluginHost()
    host.register(
        load_plugin("acme", config=config),
        prefix="files_",
        include={"search_text"},
        wrap=lambda tool: with_output_limit(with_timeout(tool, 5), 16_384),
    )
    host.register(Tickets(tracker), wrap=lambda tool: with_approval(tool, approve))
    host.register(load_plugin("console", config=config))
    return host


# 3. The runtime: one worker, what it may do, and where answers go.


def runtime_of(config: Config, host: PluginHost, output: OutputSink) -> Runtime:
    """Return the runtime. Its sandbox permits what the environment permits, and nothing else."""
    worker = interaction_worker(tools=host.tools, output=output, concurrency=8)
    return Runtime(workers=[worker], config=config)


# 4. The graph: calls that belong together. It holds data and functions, no tool and no sink.


@attrs.frozen(kw_only=True)
class Question:
    """What one run is given."""

    id: str
    words: str


graph = Graph("answer", Question)


@graph.node(ACT_TOOL)
def search(question: Question) -> ToolInput:
    """Look for the words."""
    return call(f"{question.id}:search", "files_search_text", pattern=question.words, ignore_case=True)


@graph.node(OBSERVE, search)
def observe(_: Question, result: ExternalResult) -> ObserveInput:
    """Observe what was found, or what failed."""
    return ObserveInput(result=result)


@graph.node(OUTPUT, observe)
def deliver(question: Question, observation: Observation) -> OutputRequest:
    """Deliver it."""
    text = "\n".join(lines_of(observation)) or "Nothing was found."
    return OutputRequest(delivery_id=f"{question.id}:answer", message=Message(role="assistant", content=text))


def call(id: str, name: str, **arguments: Any) -> ToolInput:
    """Return the input of a tool call."""
    return ToolInput(call=ToolCall(id=id, name=name, arguments=arguments))


def lines_of(observation: Observation) -> list[str]:
    """Return the lines that were found; a failure has none."""
    found: Any = observation.structured_content or {"matches": []}
    return [f"{match['path']}:{match['line']}: {match['text']}" for match in found["matches"]]


# 5. What comes next is Python: look at what came of it, then decide.


async def answer(runtime: Runtime, question: Question) -> str:
    """Answer a question, or open a ticket; return what was done."""
    outputs = await runtime.run(graph, question)
    observation = outputs[observe]
    if observation.status != "success":
        return f"{observation.status}: {observation.error.code if observation.error else ''}"
    if lines_of(observation):
        return "answered"
    result = await runtime.invoke(ACT_TOOL, call(f"{question.id}:ticket", "open_ticket", title=question.words))
    opened: Any = result.structured_content
    return f"ticket {opened['number']}"


# 6. The program: it alone knows the environment, the real services and the person who approves.


class PrintingTracker:
    """Stands for the client of a real service."""

    async def connect(self) -> None:
        """Say so."""
        print("tracker: connected")

    async def create(self, title: str) -> int:
        """Give the first number."""
        return 1

    async def close(self) -> None:
        """Say so."""
        print("tracker: closed")


async def main(environment: Mapping[str, str]) -> None:
    """Answer two questions; what was opened last is closed first."""
    config = load_config(FILE, environment)
    host = composed(config, PrintingTracker(), approve=lambda definition, arguments: True)
    async with host, runtime_of(config, host, host.sink("console")) as runtime:
        print("permitted:", [definition.name for definition in runtime.tools()])
        for number, words in enumerate(("budget", "dress code"), start=1):
            print(await answer(runtime, Question(id=f"q{number}", words=words)))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "travel.md").write_text("Book trains first.\nThe budget is the team's.\n", encoding="utf-8")
        asyncio.run(
            main(
                {  # a program gives os.environ
                    "DITTO_RUNTIME_WORKSPACE": folder,
                    "DITTO_SHARED_SANDBOX_ALLOW_TOOLS": "files_search_text, open_ticket",
                    "DITTO_SHARED_SANDBOX_ALLOW_READ": "true",
                }
            )
        )
