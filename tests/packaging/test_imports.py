"""Who may import whom: the core its four dependencies, plugins the public API, and no module one that imports it."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from importlib.util import resolve_name
from itertools import chain
from pathlib import Path

import pytest

import ditto_core
from tests.support.project import files, members, package, pyproject

MEMBERS = members()
PUBLIC = {f"ditto_core.{name}" for name in ditto_core.__all__}
"""Names of the core that mean what it says, also where a module of it is called the same."""

each_member = pytest.mark.parametrize(("name", "folder"), MEMBERS.items(), ids=MEMBERS)
each_plugin = pytest.mark.parametrize(
    ("name", "folder"),
    [(name, folder) for name, folder in MEMBERS.items() if name != "ditto-core"],
    ids=[name for name in MEMBERS if name != "ditto-core"],
)


@each_member
def test_a_distribution_requires_what_it_imports_and_no_more(name: str, folder: Path) -> None:
    project = pyproject(folder)["project"]
    requirements = [*project["dependencies"], *chain(*project.get("optional-dependencies", {}).values())]
    required = {re.split(r"[^A-Za-z0-9-]", line)[0].replace("-", "_") for line in requirements}
    modules = {module for path in files(".py", below=package(folder)) for module in imported(path, folder)}
    foreign = {module.partition(".")[0] for module in modules} - sys.stdlib_module_names - {package(folder).name}
    assert foreign == required, f"the dependencies of {name} do not say what its sources import"


@each_plugin
@pytest.mark.promise("D-PLUG-25")
def test_a_plugin_uses_only_the_public_names_of_the_core(name: str, folder: Path) -> None:
    inner = {
        f"{path.relative_to(folder)}: {module}"
        for path in files(".py", below=package(folder))
        for module in imported(path, folder)
        if module.startswith("ditto_core.")
    }
    assert inner == set(), f"{name} has no back door: import the name from ditto_core"


@pytest.mark.promise("D-QUAL-09")
def test_no_module_of_the_core_imports_one_that_imports_it() -> None:
    folder = MEMBERS["ditto-core"]
    modules = {module_name(path, folder): path for path in files(".py", below=package(folder))}
    graph = {name: modules.keys() & set(imported(path, folder)) - {name} for name, path in modules.items()}
    assert list(TopologicalSorter(graph).static_order())  # raises CycleError, which names the circle


def module_name(path: Path, folder: Path) -> str:
    """Give the dotted name of a module of the distribution in that folder."""
    parts = path.relative_to(folder / "src").with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported(path: Path, folder: Path) -> Iterator[str]:
    """Give the full names of the modules a file imports, inside functions too, but not for type checkers only."""
    own = module_name(path, folder)
    parent = own if path.name == "__init__.py" else own.rpartition(".")[0]
    nodes: list[ast.AST] = [ast.parse(path.read_bytes())]
    while nodes:
        node = nodes.pop()
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            nodes += node.orelse
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = resolve_name("." * node.level + (node.module or ""), parent)
            names = [f"{module}.{alias.name}" for alias in node.names]
            yield from (name if is_module(name) and name not in PUBLIC else module for name in names)
        else:
            nodes += ast.iter_child_nodes(node)


def is_module(name: str) -> bool:
    """Whether a distribution of the workspace has a module of that name."""
    paths = [folder.joinpath("src", *name.split(".")) for folder in MEMBERS.values()]
    return any(path.with_suffix(".py").is_file() or (path / "__init__.py").is_file() for path in paths)
