"""The contracts of asking models refuse what makes no sense, and how a call and its observation become messages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ditto_core import (
    UNSET,
    ExternalResult,
    InteractionError,
    InvalidValue,
    ObserveInput,
    ToolCall,
    from_wire,
    observe,
    to_wire,
)
from ditto_infer import (
    Action,
    Generation,
    McpTarget,
    ModelChoice,
    ModelMessage,
    Sample,
    SampleInput,
    SampleResult,
    ToolTarget,
    Usage,
    assistant_message,
    tool_message,
)
from tests.support.models import STOCK, asks, question, says

CALL = ToolCall(id="a", name="stock", arguments={})
HI = ModelMessage(role="assistant", content="hi")
WRONG: list[Callable[[], Any]] = [
    lambda: ModelMessage(role="robot", content=""),  # type: ignore[arg-type]
    lambda: ModelMessage(role="user", content=None),  # type: ignore[arg-type]
    lambda: ModelMessage(role="user", content="", metadata=[]),  # type: ignore[arg-type]
    lambda: ModelMessage(role="tool", content="3"),
    lambda: ModelMessage(role="tool", content="3", metadata={"actionRequestId": " "}),
    lambda: ModelMessage(role="tool", content="3", metadata={"actionRequestId": 1}),
    lambda: Action(name="no spaces", input_schema={}),
    lambda: Action(name="a" * 65, input_schema={}),
    lambda: Action(name="a", input_schema=[]),  # type: ignore[arg-type]
    lambda: Action(name="a", input_schema={}, description=None),  # type: ignore[arg-type]
    lambda: Action(name="a", input_schema={}, target="tool"),  # type: ignore[arg-type]
    lambda: ToolTarget(kind="mcp"),  # type: ignore[arg-type]
    lambda: ToolTarget(tool_name=""),
    lambda: McpTarget(server="", tool_name="x"),
    lambda: McpTarget(server="x", tool_name=""),
    lambda: ModelChoice(model=""),
    lambda: ModelChoice(model="m", provider=""),
    lambda: ModelChoice(model="m", provider_options="x"),  # type: ignore[arg-type]
    lambda: Generation(temperature=2.1),
    lambda: Generation(temperature=True),
    lambda: Generation(top_p=float("nan")),
    lambda: Generation(top_k=0),
    lambda: Generation(max_tokens=1.0),  # type: ignore[arg-type]
    lambda: Generation(seed=2**53),
    lambda: Generation(seed=-(2**53)),
    lambda: Generation(stop=("",)),
    lambda: Generation(stop="\n"),  # type: ignore[arg-type]
    lambda: question(actions=(STOCK, STOCK)),
    lambda: question(actions=[STOCK]),  # type: ignore[arg-type]
    lambda: question(model="m"),
    lambda: question(generation={}),
    lambda: question(output_schema=True),
    lambda: SampleInput(messages=(), model=ModelChoice(model="m")),
    lambda: Usage(total_tokens=-1),
    lambda: Usage(total_tokens=True),
    lambda: Sample(message=ModelMessage(role="user", content=""), finish_reason="stop"),
    lambda: Sample(message=HI, finish_reason="stop", action_requests=(CALL,)),
    lambda: Sample(message=HI, finish_reason="action_request"),
    lambda: Sample(message=HI, finish_reason="action_request", action_requests=(CALL, CALL)),
    lambda: Sample(message=HI, finish_reason="bored"),  # type: ignore[arg-type]
    lambda: Sample(message=HI, finish_reason="stop", usage={}),  # type: ignore[arg-type]
    lambda: SampleResult(execution_id="1", node="n", status="success"),
    lambda: SampleResult(execution_id="1", node="n", status="failed"),
    lambda: SampleResult(execution_id="", node="n", status="success", output=says("")),
    lambda: SampleResult(execution_id="1", node="n", status="unknown", output=says("")),  # type: ignore[arg-type]
    lambda: SampleResult(
        execution_id="1", node="n", status="success", output=says(""), error=InteractionError(code="A", message="b")
    ),
]


@pytest.mark.parametrize("make", WRONG)
def test_what_makes_no_sense_is_refused(make: Callable[[], Any]) -> None:
    with pytest.raises(InvalidValue):
        make()


@given(
    temperature=st.floats(0, 2) | st.integers(0, 2) | st.just(UNSET),
    top_k=st.integers(1, 2**62) | st.just(UNSET),
    seed=st.integers(-(2**53) + 1, 2**53 - 1) | st.just(UNSET),
    stop=st.lists(st.text(min_size=1)).map(tuple) | st.just(UNSET),
)
def test_generation_survives_the_wire(**fields: Any) -> None:
    generation = Generation(**fields)
    assert from_wire(Generation, to_wire(generation)) == generation


def test_the_models_turn_is_repeated_with_all_its_requests_and_its_metadata() -> None:
    sample = asks(("a", "stock", {"item": "tea"}), ("b", "stock", {}), text="Let me see.")
    sample = attrs.evolve(sample, message=attrs.evolve(sample.message, metadata={"provider": "p"}))
    message = assistant_message(sample)
    assert (message.role, message.content) == ("assistant", "Let me see.")
    assert message.metadata == {
        "provider": "p",
        "actionRequests": [
            {"id": "a", "name": "stock", "arguments": {"item": "tea"}},
            {"id": "b", "name": "stock", "arguments": {}},
        ],
    }
    assert assistant_message(says("Done.")) == says("Done.").message


@pytest.mark.promise("CTX-05")
def test_an_observation_is_a_message_that_keeps_id_name_and_failure() -> None:
    error = InteractionError(code="SOLD_OUT", message="There is none left.")
    result = ExternalResult(call_id="a", source="shop:stock", status="failed", error=error, content="Come again.")
    message = tool_message(CALL, observe(ObserveInput(result=result)))
    assert message.metadata == {"actionRequestId": "a", "name": "stock"}
    assert message.content == "failed: SOLD_OUT: There is none left.\nCome again."
    other = ToolCall(id="b", name="stock", arguments={})
    with pytest.raises(InvalidValue):
        tool_message(other, observe(ObserveInput(result=result)))
