"""What the model is shown of what was observed."""

from __future__ import annotations

import json
from typing import Any

import attrs
from hypothesis import given

from ditto_context import Context, ContextScope
from ditto_core import UNSET, ExternalResult, ObserveInput, observe
from ditto_infer import ModelChoice
from order_observer import facts
from order_observer.decision import Decision
from order_observer.prompt import Question, goal_item, observation_item, sample_input, state_item
from tests.examples.order_observer.values import REQUEST, failure, order, result, results


def question(round: int) -> Question:
    scope = ContextScope(session_id="observation:team-a:task-1")
    model = ModelChoice(model="rules")
    return Question(scope=scope, request=REQUEST, round=round, model=model, under_schema=False, generation=UNSET)


def observed(result: ExternalResult) -> Any:
    return observe(ObserveInput(result=result))


@given(results)
def test_an_observation_goes_under_the_id_of_its_call_and_begins_with_its_failure(result: ExternalResult) -> None:
    context = Context(items=(goal_item(REQUEST), observation_item(0, observed(result))))
    asked = sample_input(question(0), context)
    system, user, call, answer = asked.messages
    assert [message.role for message in asked.messages] == ["system", "user", "assistant", "tool"]
    assert json.loads(str(user.content)) == {"goal": {"orderId": "ORD-1"}, "round": 0, "rounds": 2}
    assert call.metadata
    request: Any = call.metadata["actionRequests"]
    assert request == [{"id": result.call_id, "name": "result_read", "arguments": {"round": 0}}]
    assert answer.metadata == {"actionRequestId": result.call_id, "name": "result_read"}
    if result.error:
        assert str(answer.content).startswith(f"{result.status}: {result.error.code}: ")
    assert "ORD-1" not in str(system.content)


def test_both_rounds_and_the_state_between_them_are_shown() -> None:
    first = failure("HTTP_503")
    second = attrs.evolve(result("", order()), call_id="task-1:round-1", source="result_retry")
    decided = Decision(**attrs.asdict(facts(first, REQUEST, 0)), reason="It was overloaded.")
    items = (
        goal_item(REQUEST),
        observation_item(0, observed(first)),
        state_item(decided),
        observation_item(1, observed(second)),
    )
    asked = sample_input(question(1), Context(items=items))
    assert [message.role for message in asked.messages] == ["system", "user", *["assistant", "tool"] * 2]
    task = json.loads(str(asked.messages[1].content))
    assert (task["round"], task["task-state"]["state"]) == (1, "waiting_retry")
    ids = [
        message.metadata["actionRequestId"]
        for message in asked.messages
        if message.role == "tool" and message.metadata
    ]
    assert ids == ["task-1:round-0", "task-1:round-1"]


def test_what_is_structured_is_not_told_twice() -> None:
    whole = result(json.dumps(order()), order())
    context = Context(items=(goal_item(REQUEST), observation_item(0, observed(whole))))
    assert str(sample_input(question(0), context).messages[-1].content).count("unitCents") == 1
