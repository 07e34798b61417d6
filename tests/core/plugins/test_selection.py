"""Taking a part of what a plugin offers, under other names."""

from __future__ import annotations

from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ditto_core import (
    DittoError,
    InvalidName,
    InvalidTool,
    InvalidValue,
    NotOffered,
    PluginHost,
    Sandbox,
    Tool,
    with_prefix,
)
from tests.support.plugins import Pack, Provider, Sink
from tests.support.tools import make_tool


def acme() -> Pack:
    return Pack(make_tool("grep"), make_tool("cat"), sinks={"out": Sink()}, providers={"web": Provider()})


def offered(host: PluginHost) -> tuple[list[str], list[str], list[str]]:
    tools = [tool.name for tool in host.tools.list(Sandbox(tools=["*"]))]
    return tools, list(host.sinks), list(host.search_providers)


@pytest.mark.promise("D-PLUG-08")
@pytest.mark.parametrize(
    ("choice", "tools", "sinks", "providers"),
    [
        ({}, ["grep", "cat"], ["out"], ["web"]),
        ({"prefix": "a_"}, ["a_grep", "a_cat"], ["out"], ["web"]),
        ({"include": ["cat", "web"]}, ["cat"], [], ["web"]),
        ({"exclude": {"cat", "out"}}, ["grep"], [], ["web"]),
        ({"include": {"cat", "grep"}, "exclude": ("cat",), "prefix": "a-"}, ["a-grep"], [], []),
        ({"include": iter(["cat"]), "exclude": {"cat": 1}}, [], [], []),
    ],
)
def test_names_are_chosen_as_the_plugin_gives_them_and_only_tools_are_renamed(
    choice: dict[str, Any], tools: list[str], sinks: list[str], providers: list[str]
) -> None:
    host = PluginHost()
    undo = host.register(acme(), **choice)
    assert offered(host) == (tools, sinks, providers)
    assert undo() is True
    assert offered(host) == ([], [], [])


def test_a_renamed_tool_is_the_same_but_for_its_name() -> None:
    tool = make_tool("grep", title="Search", description="Finds lines.", effects={"read"}, requires_approval=True)
    host = PluginHost()
    host.register(Pack(tool), prefix="a_")
    (definition,) = host.tools.list(Sandbox(tools=["*"]))
    assert (definition.name, definition.title, definition.description) == ("a_grep", "Search", "Finds lines.")
    assert (definition.effects, definition.requires_approval) == (("read",), True)
    assert tool.name == "grep"


@pytest.mark.promise("D-PLUG-06")
@pytest.mark.parametrize("field", ["include", "exclude"])
def test_a_choice_that_matches_nothing_is_refused(field: str) -> None:
    host = PluginHost()
    message = (
        rf"Plugin 'pack'.*: {field} names 'a_grp', which the plugin does not offer. Did you mean 'grep'\? "
        r"It offers 'cat', 'grep', 'out', 'web' \(names without prefix\)"
    )
    with pytest.raises(NotOffered, match=message):
        host.register(acme(), prefix="a_", **{field: ["grep", "a_grp"]})
    assert host.plugins == ()


@pytest.mark.parametrize(
    ("choice", "error", "message"),
    [
        ({"include": "grep"}, InvalidValue, r"include: must be a set of names such as \{'grep'\}, not a str"),
        ({"exclude": b"grep"}, InvalidValue, "exclude: must be a set of names .* not a bytes"),
        ({"exclude": None}, InvalidValue, "exclude: must be a set of names .* not None"),
        ({"include": [1]}, InvalidValue, "include: must hold names, not an int"),
        ({"include": []}, InvalidValue, "include: is empty, so nothing would be registered"),
        ({"prefix": None}, InvalidValue, "prefix: must be a string, not None"),
        ({"prefix": "a b"}, InvalidName, "Prefix 'a b': may hold up to 63"),
        ({"prefix": "a\n"}, InvalidName, r"Prefix 'a\\n': may hold up to 63"),
        (
            {"prefix": "x" * 61},
            InvalidName,
            f"Plugin 'pack'.*, prefix '{'x' * 61}': Tool name '{'x' * 61}grep': must be",
        ),
    ],
)
def test_wrong_arguments_are_refused(choice: dict[str, Any], error: type[DittoError], message: str) -> None:
    host = PluginHost()
    with pytest.raises(error, match=message):
        host.register(acme(), **choice)
    assert host.plugins == ()


@given(
    st.sets(st.sampled_from("abcdef"), min_size=1),
    st.none() | st.sets(st.sampled_from("abcdef"), min_size=1),
    st.sets(st.sampled_from("abcdef")),
    st.sampled_from(["", "x", "a"]),
)
def test_every_choice_is_exact_or_refused(
    given: set[str], include: set[str] | None, exclude: set[str], prefix: str
) -> None:
    host = PluginHost()
    plugin = Pack(*[make_tool(name) for name in sorted(given)])
    if ((include or set()) | exclude) <= given:
        host.register(plugin, include=include, exclude=exclude, prefix=prefix)
        kept = (given if include is None else include) - exclude
        assert offered(host)[0] == [prefix + name for name in sorted(kept)]
    else:
        with pytest.raises(NotOffered):
            host.register(plugin, include=include, exclude=exclude, prefix=prefix)
        assert host.plugins == ()


@pytest.mark.promise("D-PLUG-08")
def test_each_chosen_tool_is_wrapped_before_it_is_renamed_and_keeps_its_origin() -> None:
    host = PluginHost()
    asked: list[str] = []

    def wrapped(tool: Tool[Any]) -> Tool[Any]:
        asked.append(tool.name)
        return attrs.evolve(tool, title="Wrapped")

    host.register(acme(), exclude={"cat"}, prefix="a_", wrap=wrapped)
    assert asked == ["grep"]
    (definition,) = host.tools.list(Sandbox(tools=["*"]))
    assert (definition.name, definition.title) == ("a_grep", "Wrapped")
    origin = host.origin_of("tool", "a_grep")
    assert origin is not None
    assert origin.plugin == "pack"


@pytest.mark.parametrize(
    ("wrap", "error", "said"),
    [
        ("with_timeout", InvalidValue, "wrap: must be a function from a tool to a tool, not a str"),
        (lambda _: None, InvalidTool, "tool 'grep': wrap gave None"),
        (lambda tool: with_prefix(tool, "b_"), InvalidTool, "tool 'grep': wrap gave one named 'b_grep'"),
        (lambda _: 1 / 0, ZeroDivisionError, "division by zero"),
    ],
)
def test_a_wrapper_that_gives_no_tool_of_that_name_leaves_nothing_registered(
    wrap: Any, error: type[Exception], said: str
) -> None:
    host = PluginHost()
    with pytest.raises(error, match=said):
        host.register(acme(), wrap=wrap)
    assert offered(host) == ([], [], [])
