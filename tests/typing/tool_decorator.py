"""What type checkers make of `@tool` and the wrappers; only checked, never run."""

from __future__ import annotations

from typing import Any, assert_type

import attrs

from ditto_core import (
    Tool,
    ToolContext,
    ToolDefinition,
    ToolOutcome,
    tool,
    with_approval,
    with_output_limit,
    with_prefix,
    with_timeout,
)


@attrs.frozen
class Search:
    """Arguments of a tool."""

    text: str


# One attrs class gives a tool of that class, with a context and without, async and plain, in both forms.


@tool
async def search(arguments: Search) -> str:
    """Have only arguments."""
    return arguments.text


@tool
def search_plain(arguments: Search, context: ToolContext) -> list[str]:
    """Have a context too."""
    return [arguments.text, context.call_id]


@tool(name="search", effects={"read"}, requires_approval=True)
async def search_with_options(arguments: Search, context: ToolContext) -> ToolOutcome:
    """Have options."""
    return ToolOutcome(content=arguments.text)


assert_type(search, Tool[Search])
assert_type(search_plain, Tool[Search])
assert_type(search_with_options, Tool[Search])
assert_type(search.validate({"text": "a"}), Search)

# Plain parameters have a class that no type checker can know.


@tool
async def add(a: int, b: int = 0) -> int:
    """Add."""
    return a + b


@tool(narrower="no reason")
def limit(limit: int, context: ToolContext) -> None:
    """Have one plain parameter, which is no class of arguments."""


@tool
def nothing() -> None:
    """Have no parameters."""


@tool
async def by_name(*, text: str, context: ToolContext) -> str:
    """Have parameters by name."""
    return text


assert_type(add, Tool[Any])
assert_type(limit, Tool[Any])
assert_type(nothing, Tool[Any])
assert_type(by_name, Tool[Any])


# A wrapper keeps the type, and an approver sees the arguments as what they are.


async def approve(definition: ToolDefinition, arguments: Search) -> bool:
    """Decide."""
    return arguments.text == definition.name


wrapped = with_timeout(with_output_limit(with_approval(with_prefix(search, "a_"), approve), 1000), 2.5)
assert_type(wrapped, Tool[Search])
with_approval(search, lambda definition, arguments: arguments.text == "yes")
with_approval(search, lambda definition, arguments: arguments.other)  # type: ignore[attr-defined]
with_approval(search, lambda definition, arguments: "yes")  # type: ignore[arg-type, return-value]
tool(effects={"delete"})  # type: ignore[arg-type]
tool("name")  # type: ignore[call-overload]
