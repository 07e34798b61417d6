"""The reference has every public name, nothing else, and what is written by hand in it equals the code."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Iterator
from types import ModuleType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

import pytest

import ditto_agent
import ditto_agent.flows
import ditto_brave
import ditto_commands
import ditto_console
import ditto_context
import ditto_core
import ditto_formats
import ditto_formats.anthropic_messages
import ditto_formats.openai_chat
import ditto_formats.openai_responses
import ditto_http
import ditto_infer
import ditto_local
import ditto_local_search
import ditto_mcp
import ditto_memory
import ditto_openai
import ditto_terminal
import ditto_testkit
from tests.docs.pages import names, page

PACKAGES = (
    ditto_core,
    ditto_commands,
    ditto_local,
    ditto_console,
    ditto_http,
    ditto_brave,
    ditto_local_search,
    ditto_context,
    ditto_mcp,
    ditto_memory,
    ditto_formats,
    ditto_formats.anthropic_messages,
    ditto_formats.openai_chat,
    ditto_formats.openai_responses,
    ditto_terminal,
    ditto_infer,
    ditto_openai,
    ditto_agent,
    ditto_agent.flows,
    ditto_testkit,
    ditto_testkit.fakes,
    ditto_testkit.strategies,
)

REFERENCE = "\n".join(page(name) for name in names() if name.startswith("reference/"))
DIRECTIVE = r"^ *\.\. (?:auto(?:class|decorator|exception|function)|py:(?:data|decorator|type)):: ([\w.]+)"


@pytest.mark.promise("D-QUAL-07")
def test_the_reference_has_every_public_name_once_and_no_other() -> None:
    public = {f"{package.__name__}.{name}" for package in PACKAGES for name in package.__all__}
    assert sorted(documented()) == sorted(public - {package.__name__ for package in PACKAGES})


@pytest.mark.promise("D-QUAL-03")
@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.__name__)
def test_every_public_class_and_function_has_a_docstring(package: ModuleType) -> None:
    named = {name: getattr(package, name) for name in package.__all__}
    described = {name: value for name, value in named.items() if inspect.isclass(value) or inspect.isfunction(value)}
    assert described
    assert [name for name, value in described.items() if not value.__doc__] == []


def test_types_that_are_choices_are_written_with_all_of_them() -> None:
    types = re.findall(r"^\.\. py:type:: (\w+)\n   :canonical: Literal\[(.*)]$", REFERENCE, re.MULTILINE)
    told = {name: sorted(re.findall(r'"(\w+)"', written)) for name, written in types}
    named = [(name, sorted(set(choices(getattr(package, name))))) for package in PACKAGES for name in package.__all__]
    assert told == {name: values for name, values in named if values and name in told}
    assert told.keys() >= {name for name in ditto_core.__all__ if list(choices(getattr(ditto_core, name)))}


@pytest.mark.parametrize("kind", [ditto_core.Runtime, ditto_core.ToolContext])
def test_a_method_whose_signature_is_written_out_has_that_signature(kind: type[Any]) -> None:
    block = REFERENCE.partition(f".. autoclass:: {kind.__name__}\n")[2].partition("\n.. ")[0]
    (written,) = re.findall(r"   \.\. automethod:: invoke(\(.*\)) -> \w+$", block, re.MULTILINE)
    assert told(written) == defaults(kind.invoke, leave_out="self")


def test_the_decorator_whose_signature_is_written_out_has_that_signature() -> None:
    (written,) = re.findall(r"^\.\. autodecorator:: tool(\(.*\))$", REFERENCE, re.MULTILINE)
    assert told(written) == defaults(ditto_core.tool, leave_out="function")


def documented() -> Iterator[str]:
    """Give the full name of each thing that the reference describes."""
    module = ""
    for line in REFERENCE.splitlines():
        module = line.removeprefix(".. currentmodule:: ") if line.startswith(".. currentmodule:: ") else module
        found = re.match(DIRECTIVE, line)
        if found:
            yield found[1] if "." in found[1] else f"{module}.{found[1]}"


def choices(form: Any) -> Iterator[str]:
    """Give the values of a literal type, or of a union of such."""
    if get_origin(form) is Literal:
        yield from get_args(form)
    elif get_origin(form) in (Union, UnionType) and all(get_origin(one) is Literal for one in get_args(form)):
        yield from (value for one in get_args(form) for value in get_args(one))


def told(signature: str) -> dict[str, Any]:
    """Give the parameters of a signature that is written out, each with its default."""
    (function,) = ast.parse(f"def written{signature}: ...").body
    assert isinstance(function, ast.FunctionDef)
    arguments = function.args
    assert not arguments.defaults
    given = {one.arg: inspect.Parameter.empty for one in arguments.args}
    values = [None if one is None else ast.literal_eval(one) for one in arguments.kw_defaults]
    return {**given, **dict(zip((one.arg for one in arguments.kwonlyargs), values, strict=True))}


def defaults(function: Callable[..., Any], *, leave_out: str) -> dict[str, Any]:
    """Give the parameters of a function, each with its default."""
    parameters = inspect.signature(function).parameters.values()
    return {parameter.name: parameter.default for parameter in parameters if parameter.name != leave_out}
