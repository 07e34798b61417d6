"""The recipe for an agent's tools: whatever a model asks for, each call gets one answer, and no more runs than may."""

from __future__ import annotations

import runpy
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ditto_core import ToolCall
from ditto_mcp import McpClosed, McpTimeout
from tests.support import run
from tests.support.project import ROOT

EXAMPLE = runpy.run_path(str(ROOT / "docs/examples/mcp_in_an_agent.py"))
DONE: Any = {"choices": [{"finish_reason": "stop", "message": {"role": "assistant", "content": "Done."}}]}
ANSWERS = {
    ("library_search", '{"author": "Austen"}'): "Emma, Persuasion",
    ("shelf", '{"title": "Emma"}'): "A 12",
    ("library_lend", '{"title": "Emma"}'): "failed: INVALID_TOOL_CALL: Tool 'library_lend'",
    ("books.search", '{"author": "Austen"}'): "failed: INVALID_TOOL_CALL: ",
    ("shelf", '{"name": 5}'): "failed: INVALID_TOOL_CALL: Tool 'shelf'",
    ("library_search", "{"): "failed: INVALID_TOOL_CALL: The JSON of the arguments is no valid JSON",
}
"""What a model may ask for, and how the answer begins."""


def model(*replies: Any) -> tuple[Callable[..., Awaitable[Any]], list[Any]]:
    """Give a model that says this, and the list in which it notes what it was given."""
    seen: list[Any] = []

    async def says(messages: list[Any], offered: list[Any]) -> Any:
        seen.append((list(messages), [one["function"]["name"] for one in offered]))
        return replies[min(len(seen), len(replies)) - 1]

    return says, seen


@given(asked=st.lists(st.sampled_from(list(ANSWERS)), min_size=1, max_size=5))
def test_each_call_gets_its_own_answer_in_the_order_of_the_calls(asked: list[tuple[str, str]]) -> None:
    reply = EXAMPLE["asks"](*((f"call_{number}", *words) for number, words in enumerate(asked)))
    says, seen = model(reply, DONE)
    run(EXAMPLE["main"](says))
    (first, offered), (second, _) = seen
    assert offered == ["shelf", "library_search"]
    question, turn, *answers = second
    assert (first, turn) == ([question], reply["choices"][0]["message"])
    assert [answer["tool_call_id"] for answer in answers] == [f"call_{number}" for number in range(len(asked))]
    for answer, words in zip(answers, asked, strict=True):
        assert answer["role"] == "tool"
        assert answer["content"].startswith(ANSWERS[words])


def test_what_is_not_permitted_does_not_reach_the_server(capsys: pytest.CaptureFixture[str]) -> None:
    says, _ = model(EXAMPLE["asks"](("call_1", "library_lend", '{"title": "Emma"}')), DONE)
    run(EXAMPLE["main"](says))
    assert capsys.readouterr().out.startswith("library_lend: failed: ")  # a server's tool would be library:books.lend


def test_a_model_without_an_end_is_stopped() -> None:
    says, seen = model(EXAMPLE["asks"](("call_1", "shelf", '{"title": "Emma"}')))
    with pytest.raises(RuntimeError, match="8 turns"):
        run(EXAMPLE["main"](says))
    assert len(seen) == EXAMPLE["MOST_TURNS"]


@pytest.mark.parametrize("error", [McpTimeout("late"), McpClosed("lost", started=True)])
def test_what_may_have_run_is_told_to_the_application_and_not_to_the_model(error: Exception) -> None:
    class Lost:
        async def invoke(self, node: object, input: object) -> None:
            raise error

    call = ToolCall(id="call_1", name="library_search", arguments={})
    with pytest.raises(type(error)) as raised:
        run(EXAMPLE["act"](Lost(), call))
    assert raised.value is error
