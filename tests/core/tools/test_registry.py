"""The registry of tools and the path of one call."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, invariant, rule

from ditto_core import (
    UNSET,
    DuplicateName,
    InvalidName,
    InvalidSchema,
    InvalidTool,
    Sandbox,
    ToolCall,
    ToolContext,
    ToolRegistry,
    UnknownTool,
)
from tests.support import run
from tests.support.strategies import NOT_JSON
from tests.support.tools import Gate, echo, make_tool

ALL = Sandbox(tools=["*"])


@pytest.mark.promise("REG-01", "COMP-01")
def test_a_new_registry_is_empty_and_names_are_its_own() -> None:
    first, second = ToolRegistry(), ToolRegistry()
    assert first.list(ALL) == ()
    first.register(make_tool())
    second.register(make_tool())


@pytest.mark.parametrize("name", ["a", "A-z_9", "a" * 64])
@pytest.mark.promise("REG-02")
@pytest.mark.case("TOOL-03")
def test_a_good_name_is_accepted(name: str) -> None:
    ToolRegistry().register(make_tool(name))


@pytest.mark.parametrize(
    "name", ["", "a" * 65, "a.b", "a/b", "a b", "a:b", "tool\n", "é", "１", None, 5, b"a"], ids=repr
)
@pytest.mark.promise("REG-02", "REG-03")
@pytest.mark.case("TOOL-01", "TOOL-03")
def test_a_bad_name_is_refused_and_leaves_no_trace(name: Any) -> None:
    registry = ToolRegistry()
    registry.register(make_tool("first"))
    with pytest.raises(InvalidName, match="1-64 ASCII letters"):
        registry.register_all([make_tool("second"), make_tool(name), make_tool("third")])
    assert [definition.name for definition in registry.list(ALL)] == ["first"]


@given(st.text(max_size=70))
@pytest.mark.promise("REG-02")
def test_the_rule_for_names_is_the_rule(name: str) -> None:
    good = 1 <= len(name) <= 64 and all(c.isascii() and (c.isalnum() or c in "_-") for c in name)
    try:
        make_tool(name)
    except InvalidName:
        assert not good
    else:
        assert good


@pytest.mark.promise("REG-03", "REG-04")
def test_a_taken_name_is_refused_and_undo_answers_true_once() -> None:
    registry = ToolRegistry()
    undo = registry.register(make_tool("a"))
    with pytest.raises(DuplicateName, match="the name is taken by tool 'a'"):
        registry.register_all([make_tool("b"), make_tool("a")])
    with pytest.raises(DuplicateName, match="given twice"):
        registry.register_all([make_tool("c"), make_tool("c")])
    assert [definition.name for definition in registry.list(ALL)] == ["a"]
    assert (undo(), undo()) == (True, False)
    again = registry.register(make_tool("a"))
    assert undo() is False  # an old undo does not remove a newer tool of the same name
    assert len(registry.list(ALL)) == 1
    assert again() is True


@pytest.mark.parametrize("kind", NOT_JSON)
@pytest.mark.promise("TOOL-09")
@pytest.mark.case("JSON-08", "JSON-03")
def test_a_schema_that_is_no_json_is_refused_when_registered(kind: str) -> None:
    for field in ("input_schema", "output_schema"):
        schemas: Any = {"input_schema": {}, field: {"type": "object", "x": NOT_JSON[kind]}}
        tool = make_tool("a")
        from ditto_core import Tool

        tool = Tool(name="a", validate=tool.validate, execute=tool.execute, **schemas)
        with pytest.raises(InvalidSchema, match=f"Tool 'a': {field}"):
            ToolRegistry().register(tool)


def test_a_tool_may_say_where_its_results_come_from() -> None:
    registry = ToolRegistry()
    registry.register(make_tool("plain"))
    registry.register(make_tool("handed", source="files:read"))
    context = ToolContext(sandbox=ALL)
    for name, source in (("plain", "plain"), ("handed", "files:read")):
        assert run(registry.call(ToolCall(id="1", name=name, arguments={}), context)).source == source


@pytest.mark.parametrize("source", [None, 5, b"a", "a\ud800"], ids=repr)
def test_a_source_is_text(source: Any) -> None:
    with pytest.raises(InvalidTool, match="Tool 'echo': source: "):
        make_tool(source=source)


@pytest.mark.parametrize("tool", [None, "echo", echo, type], ids=["none", "name", "function", "class"])
def test_what_is_no_tool_is_refused(tool: Any) -> None:
    with pytest.raises(InvalidTool, match="needs a Tool"):
        ToolRegistry().register(tool)


@pytest.mark.promise("REG-06", "TOOL-09", "TOOL-10")
def test_the_list_holds_permitted_definitions_without_functions_in_order() -> None:
    registry = ToolRegistry()
    schema: Any = {"type": "object", "properties": {"a": True}}
    from ditto_core import Tool

    for name in ("b", "a", "c"):
        registry.register(
            Tool(
                name=name,
                input_schema=schema,
                validate=dict,
                execute=echo,
                description="d",
                effects={"read", "network"},
                requires_approval=True,
            )
        )
    (first, second) = registry.list(Sandbox(tools=["a", "b"]))
    assert (first.name, second.name) == ("b", "a")
    assert first.input_schema == schema
    assert (first.description, first.effects, first.requires_approval) == ("d", ("network", "read"), True)
    assert first.output_schema is UNSET
    assert not any(callable(getattr(first, name)) for name in ("name", "input_schema", "effects", "title"))
    schema["properties"]["a"] = False
    assert registry.list(ALL)[0].input_schema == {"type": "object", "properties": {"a": True}}


@pytest.mark.promise("REG-05")
@pytest.mark.case("TOOL-08")
def test_the_registry_may_change_from_a_thread_while_a_call_runs() -> None:
    async def scenario() -> None:
        registry, gate = ToolRegistry(), Gate()
        undo = registry.register(make_tool("slow", gate))
        context = ToolContext(sandbox=ALL)
        running = asyncio.create_task(registry.call(ToolCall(id="1", name="slow", arguments={}), context))
        await gate.wait_for(1)
        assert undo() is True
        failures: list[BaseException] = []

        def churn() -> None:
            try:
                for index in range(5_000):
                    remove = registry.register(make_tool(f"t{index % 50}"))
                    registry.list(ALL)
                    remove()
            except BaseException as error:
                failures.append(error)

        thread = threading.Thread(target=churn, daemon=True)
        thread.start()
        while thread.is_alive():
            registry.list(ALL)
            await asyncio.sleep(0)
        assert not failures
        with pytest.raises(UnknownTool):
            await registry.call(ToolCall(id="2", name="slow", arguments={}), ToolContext(sandbox=ALL))
        gate.open.set()
        assert (await running).status == "success"

    run(scenario(), timeout=60)


class RegistryMachine(RuleBasedStateMachine):
    """The registry against a dict."""

    undos: Bundle[Any] = Bundle("undos")

    def __init__(self) -> None:
        super().__init__()
        self.registry = ToolRegistry()
        self.model: dict[str, Any] = {}

    @rule(target=undos, name=st.sampled_from("abcd"))
    def register(self, name: str) -> Any:
        tool = make_tool(name)
        if name in self.model:
            with pytest.raises(DuplicateName):
                self.registry.register(tool)
            return None
        self.model[name] = tool
        return (self.registry.register(tool), name, tool)

    @rule(undo=undos)
    def remove(self, undo: Any) -> None:
        if undo is None:
            return
        function, name, tool = undo
        assert function() is (self.model.get(name) is tool)
        if self.model.get(name) is tool:
            del self.model[name]

    @invariant()
    def lists_the_same(self) -> None:
        assert [definition.name for definition in self.registry.list(ALL)] == list(self.model)


RegistryTest = RegistryMachine.TestCase
