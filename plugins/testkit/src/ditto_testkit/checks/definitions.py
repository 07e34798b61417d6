"""TP-001 to TP-007: what a tool pack says of itself."""

from __future__ import annotations

from typing import Any

from ditto_core import UNSET, DittoError, PluginHost, Sandbox, Tool

from ..audit import recording
from ..labs.loop import Loop
from ..labs.packs import PackLab, ToolPack, tools_of
from ..labs.tool_case import ToolCase
from ..strategies.arguments import NoStrategy
from ..strategies.judging import schema_problem
from .model import call_text, check, fail


@check(
    "TP-001",
    title="The plugin is accepted by a host",
    fix="read the message of the host; a pack has api_version = 1, a hook ditto_tools marked with @hookimpl and, "
    "where it opens something, __aenter__ and __aexit__ that work with what the contract gives",
)
def accepted_by_a_host(pack: ToolPack, data: Any) -> None:
    """An application registers the pack with PluginHost.register. What the host refuses, nobody can use."""
    try:
        plugin = pack.make()
    except Exception as error:
        fail("the plugin could not be made", raised=f"{type(error).__name__}: {error}")
    host = PluginHost()
    try:
        host.register(plugin)
    except DittoError as error:
        fail("a host refuses the plugin", refused=f"{type(error).__name__}: {error}")
    if not host.tools.list(Sandbox(tools=["*"])):
        fail("the plugin offers no tool", hook="ditto_tools gave nothing")
    with Loop(pack.capabilities.call_timeout) as loop:
        ended = loop.ended(_opened(host))
    found = ended.error
    while isinstance(found, BaseExceptionGroup):
        found = found.exceptions[0]
    if found is not None:
        fail("the plugin cannot be opened and closed", raised=f"{type(found).__name__}: {found}")


async def _opened(host: PluginHost) -> None:
    async with host:
        pass


@check(
    "TP-002",
    title="A pack offers the same tools whenever it is asked",
    fix="make names, schemas and descriptions of nothing but the options of the plugin",
)
def the_same_tools_each_time(lab: PackLab, data: Any) -> None:
    """Applications register a pack once and show its definitions to models; tests and caches rely on them."""
    first = _definitions(lab.tools)
    for again, what in ((tools_of(lab.plugin), "the same plugin again"), (lab.pack.tools(), "a new plugin")):
        second = _definitions(again)
        if list(first) != list(second):
            fail("the names differ from one time to the next", first=list(first), asked=what, then=list(second))
        for name, definition in first.items():
            if definition != second[name]:
                fail(f"the definition of {name!r} differs", first=definition, asked=what, then=second[name])


def _definitions(tools: dict[str, Tool[Any]]) -> dict[str, Any]:
    return {
        name: (
            tool.input_schema,
            tool.output_schema,
            tool.description,
            tool.title,
            tool.effects,
            tool.requires_approval,
        )
        for name, tool in tools.items()
    }


@check(
    "TP-003",
    title="The input schema is a JSON Schema for an object",
    fix='give a schema of draft 2020-12 with "type": "object" at its top; @tool makes one from the annotations',
    each_tool=True,
)
def schema_of_an_object(case: ToolCase, data: Any) -> None:
    """Arguments are always an object, and models, editors and gateways read the schema by the rules of the draft."""
    problem = schema_problem(case.tool.input_schema)
    if problem:
        fail(f"the input schema of {case.name!r} is no JSON Schema", problem=problem)
    kind = case.tool.input_schema.get("type")
    if kind != "object":
        fail(f"the input schema of {case.name!r} is not for an object", type=kind)


@check(
    "TP-004",
    title="Arguments can be made from the schema",
    fix="correct a schema that nothing fits, use simpler keywords, or supply a strategy: "
    'arguments = {"NAME": st.fixed_dictionaries({…})}',
    each_tool=True,
)
def arguments_can_be_made(case: ToolCase, data: Any) -> None:
    """Most checks call the tool with arguments made from its schema. If none can be made, they would prove nothing.

    The same holds if validate, which is declared to be narrower than the schema, refuses all that were made.
    """
    try:
        made = case.made
    except NoStrategy as error:
        fail(f"no arguments can be made for {case.name!r}", problem=str(error))
    remedy = f'arguments = {{"{case.name}": st.fixed_dictionaries({{…}})}}'
    if not made:
        fail(f"no arguments can be made for {case.name!r}", problem="nothing that was made fits", supply=remedy)
    if not case.accepted:
        fail(
            f"{case.name!r} refuses all arguments that can be made for it",
            refused=[call_text(case.name, one) for one in made[:3]],
            narrower=case.narrower or "(not declared)",
            supply=remedy,
        )


@check(
    "TP-005",
    title="Every tool says what it does",
    fix="give the function a docstring, or the tool a description",
    each_tool=True,
)
def has_a_description(case: ToolCase, data: Any) -> None:
    """A model chooses a tool by its description."""
    if not case.tool.description.strip():
        fail(f"{case.name!r} has no description", description=case.tool.description)


@check(
    "TP-006",
    title="The output schema is a JSON Schema",
    fix="give a schema of draft 2020-12, or leave output_schema out",
    each_tool=True,
)
def output_schema_is_one(case: ToolCase, data: Any) -> None:
    """What is announced about the structured content has to be readable by the rules of the draft."""
    schema = case.tool.output_schema
    problem = None if schema is UNSET else schema_problem(schema)
    if problem:
        fail(f"the output schema of {case.name!r} is no JSON Schema", problem=problem)


@check(
    "TP-007",
    title="Making and registering the plugin has no effect",
    fix="open connections, files and processes in __aenter__ of the plugin or in execute, not in __init__ or the hook",
)
def registering_has_no_effect(lab: PackLab, data: Any) -> None:
    """An application may register a pack only to list its tools; nothing is connected or run that nobody asked for."""
    with recording() as seen:
        lab.pack.tools()
    changed = [path for path in seen.changed if "__pycache__" not in path]
    if seen.sockets or seen.processes or changed:
        fail("the plugin acts while it is made", sockets=seen.sockets, processes=seen.processes, files=changed)
