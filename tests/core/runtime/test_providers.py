"""The search providers that a runtime lends to its calls."""

from __future__ import annotations

from typing import Any

import pytest

from ditto_core import (
    ACT_TOOL,
    InvalidValue,
    PluginHost,
    Runtime,
    Sandbox,
    ToolCall,
    ToolContext,
    ToolInput,
    interaction_worker,
    tool,
)
from tests.support import run
from tests.support.plugins import Pack, Provider

ASK = ToolInput(call=ToolCall(id="c1", name="names", arguments={}))


@tool
async def names(context: ToolContext) -> list[str]:
    """Name the search providers that there are."""
    return sorted(context.services.providers)


async def named(runtime: Runtime) -> Any:
    return (await runtime.invoke(ACT_TOOL, ASK)).structured_content


def runtime(**more: Any) -> Runtime:
    return Runtime(workers=[interaction_worker(tools=[names])], sandbox=Sandbox(tools=["*"]), **more)


def test_a_tool_finds_them_by_name_and_there_are_none_without() -> None:
    assert run(named(runtime())) == []
    assert run(named(runtime(providers={"b": Provider(), "a": Provider()}))) == ["a", "b"]


def test_what_a_host_is_given_and_loses_holds_for_the_next_call() -> None:
    async def main() -> None:
        host = PluginHost()
        lending = runtime(providers=host.search_providers)
        assert await named(lending) == []
        undo = host.register(Pack(providers={"mine": Provider()}))
        assert await named(lending) == ["mine"]
        undo()
        assert await named(lending) == []

    run(main())


def test_a_narrower_call_has_the_same_ones() -> None:
    lending = runtime(providers={"a": Provider()})
    result = run(lending.invoke(ACT_TOOL, ASK, sandbox=Sandbox(tools=["names"])))
    assert result.structured_content == ["a"]


def test_calls_cannot_change_them() -> None:
    for services in (runtime(providers={"a": Provider()}).services, ToolContext(providers={"a": Provider()}).services):
        changeable: Any = services.providers
        with pytest.raises(TypeError):
            changeable["b"] = Provider()
        assert list(services.providers) == ["a"]


@pytest.mark.parametrize("providers", [[Provider()], Provider(), "brave", PluginHost()])
def test_anything_but_a_mapping_is_refused(providers: Any) -> None:
    with pytest.raises(InvalidValue, match="providers: must be a mapping by name"):
        Runtime(providers=providers)
