"""Values for tests: JSON that every entrance takes, look-alikes that none takes, and contract objects."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import find, given, settings
from hypothesis import strategies as st

from ditto_core import (
    CommandResult,
    ExternalResult,
    InvalidInput,
    InvalidValue,
    Message,
    ObserveInput,
    OutputReceipt,
    OutputRequest,
    ToolCall,
    ToolContext,
    ToolOutcome,
    from_wire,
    observe,
    to_wire,
)
from ditto_testkit import strategies

FEW = settings(max_examples=40, deadline=None)
OBJECTS = [
    (strategies.calls(), ToolCall),
    (strategies.results(), ExternalResult),
    (strategies.messages(), Message),
    (strategies.requests(), OutputRequest),
    (strategies.receipts(), OutputReceipt),
]


@pytest.mark.promise("D-KIT-03")
@pytest.mark.parametrize(("strategy", "kind"), OBJECTS, ids=[kind.__name__ for _, kind in OBJECTS])
def test_contract_objects_survive_the_wire(strategy: st.SearchStrategy[Any], kind: type[Any]) -> None:
    @FEW
    @given(strategy)
    def check(made: Any) -> None:
        assert to_wire(from_wire(kind, to_wire(made))) == to_wire(made)

    check()


@FEW
@given(strategies.results(), strategies.observations(), strategies.outcomes())
def test_results_can_be_observed(result: ExternalResult, observation: Any, outcome: ToolOutcome) -> None:
    assert observe(ObserveInput(result=result)).call_id == result.call_id
    assert observation.message.role == "tool"
    assert outcome.status == "success" or outcome.error


@FEW
@given(strategies.json_values())
def test_json_is_json(value: Any) -> None:
    ToolContext().emit(value)


@FEW
@given(strategies.hostile_values())
def test_hostile_values_are_refused(value: Any) -> None:
    with pytest.raises((InvalidValue, InvalidInput)):
        ToolContext().emit(value)


@FEW
@given(strategies.nasty_texts(), strategies.output_texts())
def test_texts_can_be_written(text: str, output: str) -> None:
    text.encode()
    output.encode()


@FEW
@given(strategies.command_results())
def test_results_of_commands_keep_the_rules_of_the_port(result: CommandResult) -> None:
    assert result.stopped == (result.exit_code is None)
    assert result.stdout_bytes >= len(result.stdout.encode())


@pytest.mark.parametrize(
    "wanted",
    [b"", b"a" * 100, b"\xff"],
    ids=["nothing", "long", "no UTF-8"],
)
def test_outputs_of_each_kind_come(wanted: bytes) -> None:
    found = find(strategies.output_bytes(), lambda data: data[: len(wanted)] == wanted)
    assert found.startswith(wanted)
