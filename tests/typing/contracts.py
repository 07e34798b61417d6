"""What type checkers know of the contracts: checked by mypy, not run."""

from __future__ import annotations

from typing import Literal, assert_type

from ditto_core import (
    ACT_TOOL,
    OBSERVE,
    OUTPUT,
    UNSET,
    ExternalResult,
    InteractionError,
    JsonValue,
    Observation,
    ObserveInput,
    OutputReceipt,
    Reference,
    Runtime,
    ToolCall,
    ToolInput,
    ToolOutcome,
    Unset,
)


def absent_fields_narrow(result: ExternalResult) -> str:
    assert_type(result.error, InteractionError | Unset)
    if result.error is UNSET:
        assert_type(result.error, Literal[Unset.UNSET])
        return "no error"
    assert_type(result.error, InteractionError)
    if not result.references:
        return "none"
    assert_type(result.references, tuple[Reference, ...])
    return result.error.message


async def nodes_know_what_goes_in_and_comes_out(runtime: Runtime, call: ToolCall) -> None:
    result = await runtime.invoke(ACT_TOOL, ToolInput(call=call))
    assert_type(result, ExternalResult)
    observation = await runtime.invoke(OBSERVE, ObserveInput(result=result))
    assert_type(observation, Observation)
    receipt = await runtime.invoke(OUTPUT, {"deliveryId": "d", "message": {"role": "user", "content": "a"}})
    assert_type(receipt, OutputReceipt)
    await runtime.invoke(OBSERVE, ToolInput(call=call))  # type: ignore[misc]


def json_is_json() -> None:
    rows: JsonValue = [{"a": [1, 2.5, None, True, "x"]}]
    ToolOutcome(structured_content=rows)
    ToolOutcome(structured_content={1, 2})  # type: ignore[arg-type]
    ToolOutcome(content=(1,))  # type: ignore[arg-type]


async def an_output_is_at_least_what_its_reader_wants(runtime: Runtime, call: ToolCall) -> None:
    print(await runtime.invoke(ACT_TOOL, ToolInput(call=call)))
