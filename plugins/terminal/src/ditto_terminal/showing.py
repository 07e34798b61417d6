"""A graph of a module, as a picture."""

from __future__ import annotations

import importlib
import sys

import typer

from ditto_core import Graph, describe, guess

from .printing import write


def show_graph(where: str) -> None:
    """Write the flowchart of ``module:graph``; raises :class:`typer.BadParameter` for what is no graph."""
    module_name, colon, name = where.partition(":")
    if not colon or not module_name or not name:
        raise _bad("write MODULE:GRAPH, such as acme.flows:read_via_mcp")
    if "" not in sys.path:
        sys.path.insert(0, "")  # as python -m does: the module is mostly one of the current folder
    try:
        module = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{module_name}.".startswith(f"{error.name}."):
            raise
        raise _bad(f"there is no module {module_name!r} in the current folder or in this environment") from None
    found = getattr(module, name, None)
    if not isinstance(found, Graph):
        graphs = sorted(key for key, value in vars(module).items() if isinstance(value, Graph))
        what = f"is {describe(found)}, not a Graph" if hasattr(module, name) else "does not exist"
        raise _bad(f"{name!r} of {module_name} {what}.{guess(name, graphs)} Its graphs: {', '.join(graphs) or 'none'}")
    write(found.to_mermaid().removesuffix("\n"))


def _bad(problem: str) -> typer.BadParameter:
    return typer.BadParameter(problem, param_hint="MODULE:GRAPH")
