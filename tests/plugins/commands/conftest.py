"""The programs that these tests run have to be there: a missing one would look like a fault of the tools."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from tests.support.commands import PROGRAMS

PATH = "/usr/bin:/bin"


@pytest.fixture(scope="session", autouse=True)
def _programs() -> None:
    missing = [name for name in PROGRAMS if shutil.which(name, path=PATH) is None]
    if missing:
        pytest.fail(
            f"install {', '.join(missing)} in {PATH}; on Debian: apt-get install {_packages(missing)}", pytrace=False
        )
    version = subprocess.run(["grep", "--version"], capture_output=True, text=True, timeout=60, check=False).stdout
    if "GNU" not in version:
        pytest.fail("install GNU grep, findutils and coreutils: these commands are written for them", pytrace=False)


def _packages(missing: list[str]) -> str:
    others = {"grep": "grep", "find": "findutils", "file": "file"}
    return " ".join(sorted({others.get(name, "coreutils") for name in missing}))
