"""The entries, wherever the application is installed. ``nox -s understanding`` sees to the guard and the types."""

from __future__ import annotations

import subprocess
import sys

import pytest

from order_observer import WrongMode
from tests.acceptance.conftest import MakeTask
from tests.acceptance.task import ENTRIES
from tests.support import run


@pytest.mark.promise("UND-02", "UND-30")
@pytest.mark.parametrize("name", ENTRIES)
def test_an_entry_is_imported_without_a_word(name: str) -> None:
    command = [sys.executable, "-W", "error", "-c", f"import order_observer.workflows.{name}"]
    done = subprocess.run(command, capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@pytest.mark.promise("UND-02")
@pytest.mark.parametrize("name", ENTRIES)
def test_an_entry_takes_the_requests_of_its_mode_only(name: str, make_task: MakeTask) -> None:
    task = make_task("read" if name != "read" else "state", "success")
    with pytest.raises(WrongMode):
        run(ENTRIES[name].run(None, request=task.request, model=task.settings.choice))
