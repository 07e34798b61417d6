"""The tools of the named plugins, for people and for the APIs of models."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ditto_core import NotOffered, Sandbox, ToolDefinition, guess, to_wire

from .composing import composed
from .given import given
from .missing import needed
from .printing import shown, write, write_json, write_table


def list_tools(names: Sequence[str], plugins: Sequence[str], file: Path | None, *, form: str | None) -> bool:
    """Write the tools, all of them or those that are named; tell whether a plugin was broken.

    Raises :class:`NotOffered` for a name that none of the plugins offers.
    """
    found = composed(given(plugins), file)
    everything = found.host.tools.list(Sandbox(tools=["*"]))
    by_name = {definition.name: definition for definition in everything}
    for name in names:
        if name not in by_name:
            raise NotOffered(
                f"Tool {name[:100]!r}: none of the named plugins offers it.{guess(name, by_name)} "
                "ditto tools lists what they offer."
            )
    chosen = [by_name[name] for name in names] if names else list(everything)
    if form is not None:
        write_json(_written(chosen, form))
    elif names:
        for definition in chosen:
            _describe(definition)
    else:
        write_table(
            ("tool", "effects", "approval", "description"),
            [
                (one.name, ", ".join(one.effects) or "none", "asked for" if one.requires_approval else "", _first(one))
                for one in chosen
            ],
        )
    return bool(found.broken)


def _written(definitions: Sequence[ToolDefinition], form: str) -> Any:
    if form == "json":
        return [to_wire(definition) for definition in definitions]
    if form == "mcp":
        return [_as_mcp(definition) for definition in definitions]
    formats = needed("ditto_formats", f"for --format {form}")
    module = formats.openai_chat if form == "openai" else formats.anthropic_messages
    return module.tools(definitions)


def _as_mcp(definition: ToolDefinition) -> Mapping[str, Any]:
    """Return a tool as an MCP server lists it: the same names, without those that are Ditto's own."""
    wire: Any = to_wire(definition)
    return {key: wire[key] for key in ("name", "title", "description", "inputSchema", "outputSchema") if wire.get(key)}


def _describe(definition: ToolDefinition) -> None:
    write(definition.name)
    if definition.description:
        write(shown(definition.description))
    write(f"effects: {', '.join(definition.effects) or 'none'}")
    if definition.requires_approval:
        write("asks for approval before it runs")
    write(json.dumps(definition.input_schema, indent=2))


def _first(definition: ToolDefinition) -> str:
    """Return the first line of the description, or the title where there is none."""
    text = definition.description.strip() or definition.title
    return text.partition("\n")[0]
