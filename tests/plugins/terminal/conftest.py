"""The command in this process, and plugins that are as good as installed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import attrs
import pytest
from typer.testing import CliRunner

from ditto_terminal.app import app
from tests.support.plugins import Site, site_in


@attrs.frozen(kw_only=True)
class Ran:
    """How a command ended."""

    status: int
    out: str
    err: str


Ditto = Callable[..., Ran]


@pytest.fixture
def ditto(monkeypatch: pytest.MonkeyPatch) -> Ditto:
    """Give a function that runs the command with these words, as in a pipe: nothing of it is a terminal."""
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("TERM", "dumb")

    def run(*words: str, input: str | None = None) -> Ran:
        result = CliRunner().invoke(app, list(words), input=input)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return Ran(status=result.exit_code, out=result.stdout, err=result.stderr)

    return run


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    """Give an empty folder on ``sys.path`` into which distributions are installed."""
    with site_in(tmp_path) as found:
        yield found
