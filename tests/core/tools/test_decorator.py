"""`@tool`: from a function to a tool, and what the function is called with."""

from __future__ import annotations

import functools
from typing import Annotated, Any

import attrs
import pytest
from attrs import validators

from ditto_core import (
    UNSET,
    InvalidArguments,
    InvalidName,
    InvalidResult,
    InvalidSchema,
    InvalidTool,
    Sandbox,
    Tool,
    ToolCall,
    ToolContext,
    ToolRegistry,
    tool,
)
from tests.support import run
from tests.support.made import refusal, tool_with

EVERYTHING = Sandbox(tools=["*"])


@attrs.frozen
class Search:
    text: str = attrs.field(validator=validators.min_len(1), metadata={"description": "What to look for"})
    max_entries: int = attrs.field(default=10, alias="maxEntries", validator=[validators.ge(1), validators.le(20)])


def called(made: Tool[Any], arguments: dict[str, Any]) -> Any:
    """Call the tool through a registry and return its structured content."""
    registry = ToolRegistry()
    registry.register(made)
    call = ToolCall(id="c1", name=made.name, arguments=arguments)
    return run(registry.call(call, ToolContext(sandbox=EVERYTHING, call_id="c1"))).structured_content


def test_the_names_and_words_come_from_the_function() -> None:
    @tool
    async def read_text(path: str) -> str:
        """Return the text of a file.

        It must be UTF-8.
        """
        return path

    assert read_text.name == "read_text"
    assert read_text.description == "Return the text of a file.\n\nIt must be UTF-8."
    assert (read_text.title, read_text.effects, read_text.requires_approval) == ("", frozenset(), False)
    assert read_text.output_schema is UNSET
    assert read_text.is_async
    assert type(read_text) is Tool


def test_options_say_otherwise() -> None:
    @tool(name="send", description="Sends.", title="Send", effects={"network", "write"}, requires_approval=True)
    def made(text: str) -> None:
        """For readers of the source."""

    assert (made.name, made.description, made.title) == ("send", "Sends.", "Send")
    assert made.effects == {"network", "write"}
    assert made.requires_approval
    assert not made.is_async


@pytest.mark.promise("D-TOOL-07")
def test_a_class_holds_the_arguments_under_the_aliases_of_its_fields() -> None:
    @tool
    async def search(arguments: Search) -> Search:
        return arguments

    assert search.input_schema == {
        "type": "object",
        "properties": {
            "text": {"type": "string", "minLength": 1, "description": "What to look for"},
            "maxEntries": {"type": "integer", "minimum": 1, "maximum": 20, "default": 10},
        },
        "required": ["text"],
        "additionalProperties": False,
    }
    assert search.validate({"text": "a", "maxEntries": 3}) == Search(text="a", maxEntries=3)
    assert refusal(search, {"text": "a", "max_entries": 3}) == (
        "arguments: has the unknown property 'max_entries'; leave it out"
    )
    assert called(search, {"text": "a"}) == {"text": "a", "maxEntries": 10}


def test_a_class_fills_in_what_is_left_out() -> None:
    @attrs.frozen
    class Job:
        tags: list[str] = attrs.field(factory=list)
        priority: int = attrs.field(factory=lambda: 7)
        double: int = attrs.field(init=False, default=attrs.Factory(lambda self: self.priority * 2, takes_self=True))

    @tool
    async def made(job: Job) -> int:
        return job.double

    assert made.input_schema == {
        "type": "object",
        "properties": {
            "tags": {"type": "array", "items": {"type": "string"}, "default": []},
            "priority": {"type": "integer"},
        },
        "additionalProperties": False,
    }
    assert called(made, {}) == 14
    assert refusal(made, {"double": 1}) == "arguments: has the unknown property 'double'; leave it out"


@pytest.mark.promise("D-TOOL-07")
def test_every_kind_of_parameter_gets_its_value() -> None:
    @tool
    async def made(
        a: int,
        /,
        b: Annotated[str, "the b"],
        *,
        c: list[int] = [],  # noqa: B006  # copied for each call
        _d: bool = False,
        context: ToolContext,
    ) -> list[int | str]:
        c.append(9)
        return [a, b, len(c), str(_d), context.call_id]

    assert made.input_schema["properties"] == {
        "a": {"type": "integer"},
        "b": {"type": "string", "description": "the b"},
        "c": {"type": "array", "items": {"type": "integer"}, "default": []},
        "_d": {"type": "boolean", "default": False},
    }
    assert made.input_schema["required"] == ["a", "b"]
    assert called(made, {"a": 1, "b": "x", "_d": True, "c": [1]}) == [1, "x", 2, "True", "c1"]
    assert called(made, {"a": 1, "b": "x"}) == [1, "x", 1, "False", "c1"]
    assert called(made, {"a": 1, "b": "x"}) == [1, "x", 1, "False", "c1"]


def test_a_single_annotated_class_is_one_property() -> None:
    @tool
    def made(search: Annotated[Search, "how to search"]) -> str:
        return search.text

    assert list(made.input_schema["properties"]) == ["search"]
    assert made.input_schema["properties"]["search"]["description"] == "how to search"


def test_no_parameters_take_an_empty_object() -> None:
    @tool
    def made() -> int:
        return 1

    assert made.input_schema == {"type": "object", "properties": {}, "additionalProperties": False}
    assert called(made, {}) == 1
    assert refusal(made, {"a": 1}) == "arguments: has the unknown property 'a'; leave it out"


@pytest.mark.parametrize("arguments", [None, [], "{}", 5, True])
@pytest.mark.case("TOOL-04", "TOOL-05")
def test_arguments_that_are_no_object_are_refused(arguments: Any) -> None:
    words = refusal(tool_with(int), arguments)
    assert words is not None
    assert words.startswith("arguments: must be an object, not ")


def test_all_missing_properties_are_named() -> None:
    @tool
    def made(a: int, b: int, c: int, d: int = 0) -> None: ...

    assert refusal(made, {"b": 1, "c": 1}) == "a: is missing"
    assert refusal(made, {"b": 1}) == "a: is missing, and so is 'c'"
    assert refusal(made, {}) == "a: is missing, and so is 'b', 'c'"


def test_context_alone_and_class_by_name() -> None:
    @tool
    async def who(context: ToolContext) -> str:
        return context.call_id

    @tool
    async def text(*, arguments: Search, context: ToolContext) -> dict[str, str]:
        return {"text": arguments.text, "call": context.call_id}

    assert who.input_schema["properties"] == {}
    assert called(text, {"text": "a"}) == {"text": "a", "call": "c1"}


def test_a_method_of_an_object_is_a_tool() -> None:
    class Pack:
        def __init__(self, factor: int) -> None:
            self.factor = factor

        def double(self, x: int) -> int:
            """Multiply."""
            return x * self.factor

    made = tool(Pack(2).double)
    assert (made.name, made.description) == ("double", "Multiply.")
    assert called(made, {"x": 4}) == 8


def test_a_plain_function_that_hands_on_an_async_one_is_awaited() -> None:
    async def later(x: int) -> int:
        return x + 1

    @tool
    def made(x: int) -> int:
        return later(x)

    assert not made.is_async
    assert called(made, {"x": 1}) == 2


def test_two_tools_share_no_schema() -> None:
    first, second = tool_with(Search), tool_with(Search)
    first.input_schema["properties"]["changed"] = {}
    assert "changed" not in second.input_schema["properties"]


@pytest.mark.promise("TOOL-08")
@pytest.mark.case("TOOL-05")
def test_the_registry_refuses_a_call_with_path_and_rule() -> None:
    ran = []

    @tool
    async def made(limit: Annotated[int, validators.le(20)]) -> None:
        ran.append(limit)

    with pytest.raises(InvalidArguments, match=r"the arguments were refused: limit: must be at most 20\.$"):
        called(made, {"limit": 21})
    assert ran == []


@pytest.mark.case("TOOL-09")
def test_the_registry_refuses_a_return_that_does_not_fit() -> None:
    @tool
    async def made() -> list[int]:
        return [1, "2"]

    with pytest.raises(InvalidResult, match=r"the result is invalid: return\[1\]: must be an integer, not a string"):
        called(made, {})


def no_annotation(x) -> None: ...  # noqa: ANN001
def no_return(x: int): ...  # noqa: ANN201
def many(*xs: int) -> None: ...
def named(**xs: int) -> None: ...
def context_first(context: ToolContext, x: int) -> None: ...
def two_contexts(one: ToolContext, two: ToolContext) -> None: ...
def defaulted(arguments: Search = Search(text="a")) -> None: ...
def with_self(self: int) -> None: ...
def generator() -> Any:
    yield 1


async def stream() -> Any:
    yield 1


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (no_annotation, "Tool 'no_annotation': x has no annotation; give it one."),
        (no_return, "Tool 'no_return': return has no annotation; say what the function returns."),
        (many, "Tool 'many' takes *xs; name each parameter."),
        (named, "Tool 'named' takes **xs; name each parameter."),
        (context_first, "Tool 'context_first' has a ToolContext that is not its one last parameter"),
        (two_contexts, "Tool 'two_contexts' has a ToolContext that is not its one last parameter"),
        (defaulted, "Tool 'defaulted' has a default for the class of its arguments"),
        (with_self, "Tool 'with_self': self has no annotation"),
        (generator, "Tool 'generator': is a generator"),
        (stream, "Tool 'stream': is a generator"),
        (functools.partial(many), "@tool: needs a function, not a partial."),
        (Search, "@tool: needs a function, not a type."),
        (print, "@tool: needs a function, not a builtin_function_or_method."),
        ("name", "@tool: needs a function, not a str."),
        (staticmethod(many), "@tool: needs a function, not a staticmethod."),
    ],
)
def test_functions_that_make_no_tool(function: Any, words: str) -> None:
    with pytest.raises(InvalidTool) as caught:
        tool(function)
    assert str(caught.value).startswith(words)


@pytest.mark.case("TOOL-01", "TOOL-03")
@pytest.mark.parametrize("name", ["a\n", "", "a b", "x" * 65, 5])
def test_a_name_keeps_the_rule_for_names(name: Any) -> None:
    with pytest.raises(InvalidName):
        tool_with(int, name=name)


def test_a_lambda_needs_a_name() -> None:
    made = lambda: 1  # noqa: E731
    made.__annotations__ = {"return": int}
    with pytest.raises(InvalidName):
        tool(made)
    assert called(tool(name="one")(made), {}) == 1


def test_what_json_cannot_write_is_refused_in_a_schema() -> None:
    with pytest.raises(InvalidSchema, match=r"^Tool 'made': input_schema: properties\.x\.description: holds a lone"):
        tool_with(Annotated[int, "\ud800"])


def test_effects_are_those_of_tools() -> None:
    with pytest.raises(InvalidTool, match="effects may hold only"):
        tool_with(int, effects={"delete"})
    with pytest.raises(InvalidTool, match="not a string"):
        tool_with(int, effects="read")
