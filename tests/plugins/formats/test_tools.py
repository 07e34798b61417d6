"""What a request offers: every tool under its name, with a schema that the API takes and that is a copy."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ditto_core import (
    DuplicateName,
    InvalidName,
    InvalidSchema,
    InvalidValue,
    JsonObject,
    Sandbox,
    Tool,
    ToolDefinition,
    ToolOutcome,
    ToolRegistry,
)
from ditto_formats import anthropic_messages, openai_chat, openai_responses
from tests.support.strategies import json_objects

SCHEMA: JsonObject = {
    "type": "object",
    "properties": {"path": {"type": "string"}},
    "required": ["path"],
    "additionalProperties": False,
}
READ = ToolDefinition(
    name="read_text",
    input_schema=SCHEMA,
    description="Read a file.",
    title="Reader",
    output_schema={"type": "object"},
    effects=("read",),
    requires_approval=True,
)
MODULES = (openai_chat, openai_responses, anthropic_messages)
each_module = pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__.rpartition(".")[2])


@pytest.mark.promise("D-MCP-09")
def test_each_api_gets_its_own_form() -> None:
    function = {"name": "read_text", "description": "Read a file.", "parameters": SCHEMA}
    assert openai_chat.tools([READ]) == [{"type": "function", "function": function}]
    assert openai_responses.tools([READ]) == [{"type": "function", **function, "strict": False}]
    assert anthropic_messages.tools([READ]) == [
        {"name": "read_text", "description": "Read a file.", "input_schema": SCHEMA}
    ]


@each_module
def test_nothing_is_offered_for_nothing(module: Any) -> None:
    assert module.tools([]) == []


@each_module
def test_the_order_is_kept_and_any_iterable_taken(module: Any) -> None:
    given = (ToolDefinition(name=name, input_schema={}) for name in ("b", "a", "x" * 64))
    assert [named(one)["name"] for one in module.tools(given)] == ["b", "a", "x" * 64]


@each_module
def test_a_title_stands_for_a_description_that_is_missing(module: Any) -> None:
    bare, titled = module.tools(
        [ToolDefinition(name="a", input_schema={}), ToolDefinition(name="b", input_schema={}, title="The b")]
    )
    assert "description" not in named(bare)
    assert named(titled)["description"] == "The b"


@each_module
@pytest.mark.parametrize("schema", [{}, {"type": "object"}, {"additionalProperties": False}])
def test_what_the_apis_want_and_ditto_knows_is_added(module: Any, schema: JsonObject) -> None:
    (offer,) = module.tools([ToolDefinition(name="a", input_schema=schema)])
    assert schema_of(offer) == {"type": "object", "properties": {}, **schema}


@each_module
@given(schema=json_objects)
def test_a_schema_is_told_as_it_is_and_copied(module: Any, schema: JsonObject) -> None:
    for keyword in ("allOf", "anyOf", "oneOf"):
        schema.pop(keyword, None)
    schema = {**schema, "type": "object", "properties": {"a": {"enum": [1, [2]]}}}
    before = repr(schema)
    (offer,) = module.tools([ToolDefinition(name="a", input_schema=schema)])
    assert schema_of(offer) == schema
    schema_of(offer)["properties"]["a"]["enum"][1].append(3)
    assert repr(schema) == before


@each_module
@pytest.mark.parametrize("kind", ["string", "array", ["object", "null"], None, True])
def test_a_schema_of_something_else_than_an_object_is_refused_by_name(module: Any, kind: Any) -> None:
    with pytest.raises(InvalidSchema, match="'second'"):
        module.tools([READ, ToolDefinition(name="second", input_schema={"type": kind})])


@each_module
def test_a_schema_that_is_none_is_refused(module: Any) -> None:
    with pytest.raises(InvalidSchema, match="'a'"):
        module.tools([ToolDefinition(name="a", input_schema=None)])  # type: ignore[arg-type]


@pytest.mark.parametrize("keyword", ["allOf", "anyOf", "oneOf"])
def test_anthropic_would_refuse_a_choice_at_the_top(keyword: str) -> None:
    definition = ToolDefinition(name="either", input_schema={"type": "object", keyword: [{"required": ["a"]}]})
    with pytest.raises(InvalidSchema, match=f"'either'.*{keyword}"):
        anthropic_messages.tools([definition])
    assert openai_chat.tools([definition])
    assert openai_responses.tools([definition])


@pytest.mark.case("TOOL-03")
@each_module
@pytest.mark.parametrize("name", ["", "x" * 65, "a.b", "a/b", "a b", "server:tool", "tool\n", "é", None, 5, b"a"])
def test_a_name_that_no_api_takes_is_refused(module: Any, name: Any) -> None:
    with pytest.raises(InvalidName, match="1-64 ASCII letters"):
        module.tools([READ, ToolDefinition(name=name, input_schema={})])


@each_module
def test_a_name_is_offered_once(module: Any) -> None:
    with pytest.raises(DuplicateName, match="'read_text'"):
        module.tools([READ, READ])


@each_module
@pytest.mark.parametrize("other", ["read_text", None, {"name": "a", "inputSchema": {}}])
def test_what_is_no_definition_is_refused_by_its_place(module: Any, other: Any) -> None:
    with pytest.raises(InvalidValue, match=r"^tools\[1]: must be a ToolDefinition, not"):
        module.tools([READ, other])


@each_module
@given(names=st.lists(st.from_regex(r"[A-Za-z0-9_-]{1,64}", fullmatch=True), unique=True, max_size=8))
def test_every_name_that_a_registry_takes_is_offered(module: Any, names: list[str]) -> None:
    registry = ToolRegistry()
    for name in names:
        registry.register(
            Tool(name=name, input_schema={}, validate=lambda a: a, execute=lambda a, c: ToolOutcome(content="x"))
        )
    offers = module.tools(registry.list(Sandbox(tools=["*"])))
    assert sorted(named(one)["name"] for one in offers) == sorted(names)


def named(offer: Any) -> Any:
    return offer.get("function", offer)


def schema_of(offer: Any) -> Any:
    told = named(offer)
    return told.get("parameters", told.get("input_schema"))
