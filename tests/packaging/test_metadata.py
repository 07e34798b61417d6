"""What the distributions say about themselves is complete, true and the same everywhere."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.support.project import ROOT, members, package, pyproject

MEMBERS = members()
PROJECTS: dict[str, dict[str, Any]] = {name: pyproject(folder)["project"] for name, folder in MEMBERS.items()}

each_member = pytest.mark.parametrize(("name", "folder"), MEMBERS.items(), ids=MEMBERS)


def test_the_workspace_holds_the_distributions() -> None:
    assert set(MEMBERS) >= {"ditto-core", "ditto-console", "acme-pack"}


def test_uv_takes_every_distribution_from_the_workspace() -> None:
    assert pyproject(ROOT)["tool"]["uv"]["sources"] == {name: {"workspace": True} for name in MEMBERS}


def test_every_tool_knows_every_distribution() -> None:
    tools = pyproject(ROOT)["tool"]
    packages = {package(folder).name for folder in MEMBERS.values()}
    assert set(tools["mypy"]["mypy_path"]) >= {f"{f.relative_to(ROOT).as_posix()}/src" for f in MEMBERS.values()}
    assert set(tools["ruff"]["lint"]["isort"]["known-first-party"]) == packages | {"reviewing", "tests"}
    assert set(tools["coverage"]["run"]["source_pkgs"]) == packages - {"acme_pack", "order_observer"}


def test_the_root_is_no_package() -> None:
    root = pyproject(ROOT)
    assert "project" not in root
    assert root["tool"]["uv"]["package"] is False


def test_all_distributions_have_one_version() -> None:
    assert len({project["version"] for project in PROJECTS.values()}) == 1


@pytest.mark.promise("D-QUAL-08", "SDK-01")
def test_the_core_needs_exactly_four_packages() -> None:
    assert requirements("ditto-core").keys() == {"attrs", "cattrs", "pluggy", "structlog"}


def test_what_reads_yaml_is_an_extra_and_the_tests_have_it() -> None:
    (requirement,) = PROJECTS["ditto-core"]["optional-dependencies"]["yaml"]
    assert requirement.startswith("ruamel.yaml>=")
    assert requirement in pyproject(ROOT)["dependency-groups"]["test"]


@each_member
def test_the_core_is_required_in_the_range_of_one_minor_version(name: str, folder: Path) -> None:
    major, minor, _ = PROJECTS["ditto-core"]["version"].split(".")
    expected = f">={major}.{minor},<{major}.{int(minor) + 1}"
    assert requirements(name).get("ditto-core", expected) == expected
    assert (name == "ditto-core") != ("ditto-core" in requirements(name)), folder


@each_member
def test_every_requirement_has_a_lower_bound(name: str, folder: Path) -> None:
    assert [need for need, versions in requirements(name).items() if not versions.startswith(">=")] == [], folder


@each_member
def test_the_supported_pythons_are_the_same(name: str, folder: Path) -> None:
    core = PROJECTS["ditto-core"]
    assert PROJECTS[name]["requires-python"] == core["requires-python"] == ">=3.11", folder
    assert pythons(PROJECTS[name]) == pythons(core) == ["3.11", "3.12", "3.13", "3.14"]


@each_member
def test_types_are_shipped(name: str, folder: Path) -> None:
    assert (package(folder) / "py.typed").read_text(encoding="utf-8") == ""
    assert "Typing :: Typed" in PROJECTS[name]["classifiers"]


@each_member
def test_the_licence_is_shipped(name: str, folder: Path) -> None:
    assert PROJECTS[name]["license"] == "Apache-2.0"
    assert PROJECTS[name]["license-files"] == ["LICENSE"]
    assert (folder / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()


@each_member
def test_the_readme_says_what_it_is_and_how_to_install_it(name: str, folder: Path) -> None:
    assert PROJECTS[name]["readme"] == "README.md"
    text = (folder / "README.md").read_text(encoding="utf-8")
    assert text.startswith(f"# {name}\n")
    assert f"pip install {name}" in text


@each_member
def test_every_change_has_a_fragment(name: str, folder: Path) -> None:
    fragments = list((folder / "changelog.d").iterdir())
    assert fragments, f"{name} has no fragment in changelog.d"
    kinds = "added|changed|deprecated|removed|fixed"
    assert [f.name for f in fragments if not re.fullmatch(rf"\d+\.({kinds})\.md", f.name)] == []
    assert "changelog.d" in (folder / "README.md").read_text(encoding="utf-8")


@each_member
def test_entry_points_lead_into_the_distribution_itself(name: str, folder: Path) -> None:
    points = PROJECTS[name].get("entry-points", {}).get("ditto.plugins", {})
    assert {target.partition(":")[0].partition(".")[0] for target in points.values()} <= {package(folder).name}


@pytest.mark.parametrize(
    ("distribution", "name", "module"),
    [
        ("ditto-commands", "commands", "ditto_commands"),
        ("ditto-console", "console", "ditto_console"),
        ("ditto-brave", "brave", "ditto_brave"),
        ("ditto-local-search", "local_search", "ditto_local_search"),
        ("acme-pack", "acme", "acme_pack"),
    ],
)
@pytest.mark.promise("D-QUAL-10")
def test_plugins_are_offered_by_name(distribution: str, name: str, module: str) -> None:
    assert PROJECTS[distribution]["entry-points"]["ditto.plugins"][name].startswith(f"{module}:")


def requirements(name: str) -> dict[str, str]:
    """Give the versions that a distribution asks for, under the name of what it needs."""
    parts = (re.fullmatch(r"([A-Za-z0-9-]+)(?:\[[^]]*])?([^;]*)", line) for line in PROJECTS[name]["dependencies"])
    return {part[1]: part[2] for part in parts if part}


def pythons(project: dict[str, Any]) -> list[str]:
    """Give the Python versions that the classifiers name."""
    return [line[-4:] for line in project["classifiers"] if re.fullmatch(r".* :: Python :: 3\.\d\d", line)]
