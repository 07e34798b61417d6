"""`with_prefix`: the name changes and nothing else; and no wrapper wraps anything but a tool."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs
import pytest

from ditto_core import (
    InvalidName,
    InvalidTool,
    Tool,
    with_approval,
    with_output_limit,
    with_prefix,
    with_timeout,
)
from tests.support.tools import make_tool

WRAPPERS: list[Callable[[Any], Tool[Any]]] = [
    lambda one: with_prefix(one, "a"),
    lambda one: with_output_limit(one, 10),
    lambda one: with_timeout(one, 10),
    lambda one: with_approval(one, lambda definition, arguments: True),
]


def fields(one: Tool[Any], *left_out: str) -> dict[str, Any]:
    return {field.name: getattr(one, field.name) for field in attrs.fields(Tool) if field.name not in left_out}


def everything() -> Tool[Any]:
    return make_tool(
        description="d",
        title="t",
        output_schema={"type": "object"},
        effects={"write"},
        requires_approval=True,
    )


@pytest.mark.promise("D-TOOL-15")
def test_only_the_name_changes() -> None:
    one = everything()
    prefixed = with_prefix(one, "acme_")
    assert prefixed.name == "acme_echo"
    assert one.name == "echo"
    assert fields(prefixed, "name") == fields(one, "name")


def test_prefixes_add_up_and_none_is_one() -> None:
    assert with_prefix(with_prefix(make_tool(), "b-"), "a-").name == "a-b-echo"
    assert with_prefix(make_tool(), "").name == "echo"


@pytest.mark.case("TOOL-01", "TOOL-03")
@pytest.mark.parametrize("prefix", ["a b", "a\n", "é", "x" * 61, None, 5])
def test_together_they_must_be_a_name(prefix: Any) -> None:
    with pytest.raises(InvalidName):
        with_prefix(make_tool(), prefix)


@pytest.mark.parametrize("wrap", WRAPPERS[1:])
@pytest.mark.promise("D-TOOL-15")
def test_other_wrappers_keep_all_but_execute(wrap: Callable[[Any], Tool[Any]]) -> None:
    one = everything()
    assert fields(wrap(one), "execute", "is_async") == fields(one, "execute", "is_async")


@pytest.mark.parametrize("wrap", WRAPPERS)
@pytest.mark.parametrize("what", [None, "echo", lambda: None, Tool])
def test_only_a_tool_is_wrapped(wrap: Callable[[Any], Tool[Any]], what: Any) -> None:
    with pytest.raises(InvalidTool, match=r"^with_[a-z_]+: needs a Tool, not "):
        wrap(what)
