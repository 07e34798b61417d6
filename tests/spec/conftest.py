"""Shows after every run of the tests how much of the specification is built and how much is planned."""

from __future__ import annotations

import pytest

from tests.spec.manifest import ManifestError
from tests.spec.report import summary


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    try:
        lines = list(summary())
    except ManifestError as error:
        lines = [f"specification: the manifest cannot be read: {error}"]
    for line in lines:
        terminalreporter.write_line(line)
