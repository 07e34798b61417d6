"""Tools made in one line, for the tests of `@tool`."""

from __future__ import annotations

import inspect
from typing import Any

from ditto_core import InvalidValue, Tool, tool


def tool_with(form: Any, default: Any = inspect.Parameter.empty, **options: Any) -> Tool[Any]:
    """Make a tool named ``made`` with one parameter ``x`` of that form; it returns nothing."""

    def made(x: Any) -> None: ...

    made.__annotations__ = {"x": form, "return": None}
    if default is not inspect.Parameter.empty:
        made.__defaults__ = (default,)
    return tool(**options)(made)


def tool_returning(form: Any, value: Any) -> Tool[Any]:
    """Make a tool named ``made`` without parameters that is annotated to return `form` and returns `value`."""

    def made() -> Any:
        return value

    made.__annotations__ = {"return": form}
    return tool(made)


def refusal(made: Tool[Any], arguments: Any) -> str | None:
    """Return the words in which `validate` refuses the arguments, or None when it accepts them."""
    try:
        made.validate(arguments)
    except InvalidValue as error:
        return str(error)
    return None
