"""The recipes also hold where their own run does not lead."""

from __future__ import annotations

import asyncio
import runpy
import sys
from types import SimpleNamespace
from typing import Any

import pytest

from ditto_core import (
    UNSET,
    Effect,
    ExternalResult,
    InteractionError,
    JsonValue,
    Status,
    ToolContext,
    ToolDefinition,
    ToolFailed,
    ToolOutcome,
    tool,
)
from tests.support import run
from tests.support.project import ROOT


def recipe(name: str) -> dict[str, Any]:
    return runpy.run_path(str(ROOT / f"docs/examples/{name}.py"))


@pytest.mark.parametrize(("answer", "approved"), [("y", True), (" Y ", True), ("", False), ("yes!", False)])
def test_a_person_is_asked_on_the_terminal_and_sees_what_runs(
    answer: str, approved: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(isatty=lambda: True))
    monkeypatch.setattr("builtins.input", lambda question: asked.append(question) or answer)
    definition = ToolDefinition(name="transfer", input_schema={}, effects=("write",))
    given: dict[str, JsonValue] = {"account": "a\x1b[2K\rb", "amount": 70}
    example = recipe("approval")
    for arguments in (given, example["transfer"].validate(given)):
        asked.clear()
        assert run(example["approve"](definition, arguments)) is approved
        assert asked == [f"Run transfer with {given!r}? [y/N] "]
        assert asked[0].isprintable()


def test_a_call_that_gives_up_leaves_its_turn_to_the_next() -> None:
    async def main() -> None:
        limit = recipe("rate_limit")["RateLimit"](interval=0.01, max_waiting=2)
        await limit.wait()
        given_up = asyncio.create_task(limit.wait())
        next_one = asyncio.create_task(limit.wait())
        await asyncio.sleep(0)
        with pytest.raises(ToolFailed, match="RATE_LIMITED"):
            await limit.wait()
        given_up.cancel()
        await asyncio.wait_for(next_one, 5)
        assert given_up.cancelled()

    run(main())


def test_a_cache_keeps_successes_only_and_gives_each_caller_a_copy() -> None:
    example = recipe("cache")
    statuses: list[Status] = ["failed", "success"]
    runs: list[str] = []

    @tool(effects={"read"})
    async def look(name: str) -> ToolOutcome:
        """Fail once."""
        runs.append(name)
        status = statuses.pop(0) if statuses else "success"
        error = UNSET if status == "success" else InteractionError(code="BROKEN", message="It is broken.")
        return ToolOutcome(status=status, structured_content=[name], error=error, metadata={"more": 1})

    async def main() -> None:
        cached = example["with_cache"](look, example["Cache"](seconds=60, most=2), lambda context: context.call_id)

        async def ask(name: str, who: str = "red") -> ToolOutcome:
            outcome: ToolOutcome = await cached.execute(cached.validate({"name": name}), ToolContext(call_id=who))
            return outcome

        assert (await ask("a")).status == "failed"
        first: Any = await ask("a")
        first.structured_content.append("mine")
        second: Any = await ask("a")
        assert (second.structured_content, second.metadata) == (["a"], {"more": 1, "from_cache": True})
        second.structured_content.clear()
        assert (await ask("a")).structured_content == ["a"]
        assert runs == ["a", "a"]
        await ask("a", who="blue")  # for whom the answer was not good
        await ask("b")  # in the place of the oldest
        await ask("a")
        assert runs == ["a", "a", "a", "b", "a"]

    run(main())


@pytest.mark.parametrize("effects", [(), ("write",), ("read", "write")])
def test_a_cache_refuses_what_may_do_more_than_read(effects: tuple[Effect, ...]) -> None:
    @tool(effects=effects)
    async def act() -> str:
        """Act."""
        return "done"

    example = recipe("cache")
    with pytest.raises(ValueError, match="each time"):
        example["with_cache"](act, example["Cache"](seconds=60, most=2), example["same_for_all"])


@pytest.mark.parametrize(
    ("answers", "outcome"),
    [
        (["failed"], False),
        (["success"], True),
        (["unknown", False, "success"], True),
        (["timeout", True], True),
        (["unknown", "unknown"], "a person"),
        (["unknown", False, "timeout", False, "unknown", False], False),
    ],
)
def test_what_may_have_happened_is_looked_up_before_each_further_attempt(
    answers: list[Status | bool], outcome: bool | str
) -> None:
    book_reliably = recipe("retry")["book_reliably"]
    made = []

    async def call(runtime: object, id: str, name: str, **arguments: str) -> ExternalResult:
        answer = answers[len(made)]
        made.append(name)
        if isinstance(answer, bool):
            return ExternalResult(call_id=id, source=name, status="success", structured_content=answer)
        error = InteractionError(code="SAID_SO", message="It said so.")
        return ExternalResult(call_id=id, source=name, status=answer, content="", error=error)

    book_reliably.__globals__["call"] = call
    if isinstance(outcome, str):
        with pytest.raises(RuntimeError, match=outcome):
            run(book_reliably(None, "b1", "12A"))
    else:
        assert run(book_reliably(None, "b1", "12A")) is outcome
    assert len(made) == len(answers)
