"""What pytest learns of the contract tests when it starts: four options and a line. The library is imported later.

pytest imports this in every run where ditto-testkit is installed, so it costs nothing and imports nothing of it.
"""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    group = parser.getgroup("ditto", "contract tests of Ditto plugins")
    group.addoption(
        "--ditto-level", type=int, metavar="N", help="the contract level, instead of the one that a contract declares"
    )
    group.addoption("--ditto-examples", type=int, metavar="N", help="how many examples each check tries")
    group.addoption("--ditto-seed", type=int, metavar="N", help="the seed of the examples")
    group.addoption("--ditto-explain", metavar="ID", help="say what a check such as TP-022 is about, and end")


def pytest_report_header(config: pytest.Config) -> str:
    """Say which version of the kit runs, and what was chosen."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        known = version("ditto-testkit")
    except PackageNotFoundError:
        known = "not installed"
    chosen = [
        f"{name} {value}"
        for name in ("level", "examples", "seed")
        if (value := config.getoption(f"ditto_{name}")) is not None
    ]
    return f"ditto-testkit: {', '.join([known, *chosen])}"


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> int | None:
    """Answer ``--ditto-explain`` and run nothing."""
    id = config.getoption("ditto_explain")
    if not id:
        return None
    from ditto_testkit import CHECKS

    try:
        text = CHECKS[id.upper()].explanation()
    except KeyError as error:
        raise pytest.UsageError(f"--ditto-explain: {error.args[0]}") from None
    print(text)  # noqa: T201 - the answer
    return 0
