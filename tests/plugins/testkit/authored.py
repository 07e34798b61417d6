"""Test modules of authors, run in this process by pytest's own pytester: without a conftest, each in its folder."""

from __future__ import annotations

import pytest

SOURCE = """
import unittest
from _pytest import outcomes
from pytest import mark
from hypothesis import strategies as st
from ditto_testkit import Capabilities, ToolPackContract
from tests.plugins.testkit.packs import Pack, reading
{before}

class TestIt({bases}):
    contract = 1

    def pack(self):
        return Pack(lambda: [reading()])

    {body}

{after}
"""


PLUGINS = ("-p", "no:cacheprovider", "-p", "_ditto_pytestplugin", "-rA")


def run(pytester: pytest.Pytester, source: str, *words: str) -> pytest.RunResult:
    """Run a test module in this process, as an author has it: without a conftest."""
    # Where the kit is installed, its entry point would load the plugin by itself, and then a second time.
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
        pytester.makepyfile(test_it=source)
        return pytester.runpytest_inprocess(*PLUGINS, "--ditto-examples=2", *words)


def source(body: str = "", *, before: str = "", after: str = "", bases: str = "ToolPackContract") -> str:
    return SOURCE.format(body=body, before=before, after=after, bases=bases)
