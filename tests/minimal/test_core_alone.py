"""The core works with its four dependencies and the standard library; everything else is blocked."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent


def alone(script: str) -> str:
    """Run a script of this folder in a new process where only the core and its dependencies can be imported."""
    command = [sys.executable, "-W", "error", str(FOLDER / "blocked.py"), str(FOLDER / script)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_what_is_blocked_cannot_be_imported() -> None:
    refused = "click httpx hypothesis jsonschema mcp pydantic pytest rich ruamel.yaml yaml"
    assert alone("import_others.py") == f"refused: {refused}\n"


@pytest.mark.promise("D-QUAL-08", "SDK-01")
def test_every_module_of_the_core_can_be_imported() -> None:
    assert "ditto_core.errors" in alone("import_all.py").split()


@pytest.mark.promise("CFG-03")
def test_without_the_extra_everything_but_yaml_can_be_loaded() -> None:
    said = alone("load_without_yaml.py")
    assert said == (
        "ditto.json 5\nditto.yaml: is YAML, and what reads it is not installed. Run: pip install 'ditto-core[yaml]'; "
        "or write the file as JSON, under a name that ends in .json.\n"
    )
