"""The recipes also hold where their own run does not lead."""

from __future__ import annotations

import asyncio
import runpy
import sys
from types import SimpleNamespace
from typing import Any

import pytest

from ditto_core import ExternalResult, InteractionError, Status, ToolDefinition, ToolFailed
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
    arguments = {"account": "a\x1b[2K\rb"}
    assert run(recipe("approval")["approve"](definition, arguments)) is approved
    assert asked == [f"Run transfer with {arguments!r}? [y/N] "]
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
