"""``ditto graph show``."""

from __future__ import annotations

import pytest

from tests.plugins.terminal.conftest import Ditto
from tests.support.plugins import Site

FLOWS = """
from ditto_core import ACT_TOOL, Graph, ToolCall, ToolInput

flow = Graph("flow", str)
other = 3

@flow.node(ACT_TOOL)
def read(path):
    return ToolInput(call=ToolCall(id="r", name="read", arguments={}))
"""


def test_a_graph_of_a_module_is_written_as_a_flowchart(ditto: Ditto, site: Site) -> None:
    site.install("flows", flows_module=FLOWS)
    ran = ditto("graph", "show", "flows_module:flow")
    assert ran.status == 0
    assert ran.out == 'flowchart TD\n    n0["read<br/>INTERACTION.ACT.TOOL"]\n'


@pytest.mark.parametrize(
    ("where", "told"),
    [
        ("flows_module", "write MODULE:GRAPH"),
        ("flows_module:", "write MODULE:GRAPH"),
        ("flows_module:other", "is an int, not a Graph"),
        ("flows_module:flwo", "Did you mean 'flow'? Its graphs: flow"),
        ("no_such_module:flow", "there is no module 'no_such_module'"),
        ("flows_module.inner:flow", "there is no module"),
    ],
)
def test_what_is_no_graph_is_wrong_usage(ditto: Ditto, site: Site, where: str, told: str) -> None:
    site.install("flows", flows_module=FLOWS)
    ran = ditto("graph", "show", where)
    assert (ran.status, ran.out) == (2, "")
    assert told in ran.err


def test_a_module_that_cannot_be_imported_is_a_failure(ditto: Ditto, site: Site) -> None:
    site.install("flows", bad_module="import no_such_thing_at_all\n")
    ran = ditto("graph", "show", "bad_module:flow")
    assert ran.status == 1
    assert "no_such_thing_at_all" in ran.err
