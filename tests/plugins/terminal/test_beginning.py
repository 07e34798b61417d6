"""``ditto new pack``: what it makes is whole. That it installs and passes is tried from wheels."""

from __future__ import annotations

import ast
import tomllib
from pathlib import Path

import pytest

from tests.plugins.terminal.conftest import Ditto
from tests.support.project import ROOT, pyproject


def test_a_pack_is_a_whole_distribution(ditto: Ditto, tmp_path: Path) -> None:
    ran = ditto("new", "pack", "acme-weather", "--in", str(tmp_path))
    assert ran.status == 0
    assert "ditto tools -p acme-weather" in ran.out
    folder = tmp_path / "acme-weather"
    made = {
        str(path.relative_to(folder)): path.read_text(encoding="utf-8") for path in folder.rglob("*") if path.is_file()
    }
    assert made.keys() == {
        ".github/workflows/ci.yml",
        ".gitignore",
        "README.md",
        "pyproject.toml",
        "src/acme_weather/__init__.py",
        "src/acme_weather/counting.py",
        "src/acme_weather/plugin.py",
        "src/acme_weather/py.typed",
        "tests/test_contract.py",
    }
    assert [name for name, text in made.items() if "{{" in text.replace("${{", "")] == []
    for name, text in made.items():
        if name.endswith(".py"):
            ast.parse(text)
    project = tomllib.loads(made["pyproject.toml"])["project"]
    assert project["name"] == "acme-weather"
    assert project["entry-points"]["ditto.plugins"] == {"acme-weather": "acme_weather:AcmeWeather"}


def test_what_a_pack_requires_is_what_the_core_of_this_release_is(ditto: Ditto, tmp_path: Path) -> None:
    ditto("new", "pack", "fresh", "--in", str(tmp_path))
    needs = tomllib.loads((tmp_path / "fresh/pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    core = next(
        line for line in pyproject(ROOT / "plugins/terminal")["project"]["dependencies"] if "ditto-core" in line
    )
    assert core in needs


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("Acme", "lower-case words"),
        ("acme_weather", "lower-case words"),
        ("-acme", "No such option"),
        ("acme--x", "lower-case words"),
        ("../acme", "lower-case words"),
        ("", "lower-case words"),
        ("a" * 51, "at most 50"),
        ("class", "a name of Python itself"),
        ("json", "a name of Python itself"),
    ],
)
def test_a_name_that_cannot_be_a_pack_is_refused(ditto: Ditto, tmp_path: Path, name: str, told: str) -> None:
    ran = ditto("new", "pack", name, "--in", str(tmp_path))
    assert (ran.status, ran.out) == (2, "")
    assert told in ran.err
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_exists_is_left_alone(ditto: Ditto, tmp_path: Path) -> None:
    (tmp_path / "acme").mkdir()
    ran = ditto("new", "pack", "acme", "--in", str(tmp_path))
    assert ran.status == 2
    assert "exists already" in ran.err
    assert list((tmp_path / "acme").iterdir()) == []
    assert "does not exist" in ditto("new", "pack", "acme", "--in", str(tmp_path / "nowhere")).err
