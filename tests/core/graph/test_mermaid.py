"""The picture of a graph is a flowchart that says the same, whatever its nodes are called."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from ditto_core import OBSERVE, Graph, Step
from tests.support.jobs import JOB, Run, jobs_graph

PRINTABLE = st.text(min_size=1, max_size=12).filter(str.isprintable)
HOSTILE = st.sampled_from(
    [
        'a"]',
        "#quot;",
        "<br/>",
        "&lt;",
        "n0 --> n1",
        "end",
        "`x`",
        "%% off",
        "]:::c",
        "a\\nb",
        "ä 漢 🙂",
        "#35;",
        "[(x)]",
    ]
)
BOX = re.compile(r'    n(\d+)\["(?P<id>[^"]*)<br/>(?P<node>[^"]*)"\]')
ARROW = re.compile(r"    n(\d+) --> n(\d+)")


def _unescaped(text: str) -> str:
    assert not re.search(r'[<>&`"\\]', text)
    return re.sub(r"#(\d+);", lambda found: chr(int(found.group(1))), text)


def test_a_graph_is_drawn_with_its_ids_nodes_and_arrows() -> None:
    graph = jobs_graph("read", observe="read", save="observe read")
    assert graph.to_mermaid() == (
        "flowchart TD\n"
        '    n0["read<br/>T.JOB"]\n'
        '    n1["observe<br/>T.JOB"]\n'
        '    n2["save<br/>T.JOB"]\n'
        "    n0 --> n1\n"
        "    n1 --> n2\n"
        "    n0 --> n2\n"
    )
    assert Graph("empty", Run).to_mermaid() == "flowchart TD\n"


@given(st.data(), st.lists(PRINTABLE | HOSTILE, unique=True, max_size=6))
def test_the_flowchart_reads_back_to_the_same_nodes_and_arrows(data: st.DataObject, ids: list[str]) -> None:
    graph = Graph("g", Run)
    edges = []
    steps: list[Step[object]] = []
    nodes = []
    for index, id in enumerate(ids):
        after = data.draw(st.lists(st.sampled_from(steps), max_size=4)) if steps else []
        edges += [(steps.index(step), index) for step in dict.fromkeys(after)]
        node = data.draw(st.sampled_from([JOB, OBSERVE]) | HOSTILE)
        nodes.append(node if isinstance(node, str) else node.type)
        steps.append(graph.add(id, node, lambda *all: None, after=after))  # type: ignore[call-overload]
    first, *lines = graph.to_mermaid().split("\n")
    assert (first, lines.pop()) == ("flowchart TD", "")
    boxes = [BOX.fullmatch(line) for line in lines[: len(ids)]]
    assert [int(box[1]) for box in boxes if box] == list(range(len(ids)))
    assert [_unescaped(box["id"]) for box in boxes if box] == ids
    assert [_unescaped(box["node"]) for box in boxes if box] == nodes
    arrows = [ARROW.fullmatch(line) for line in lines[len(ids) :]]
    assert [(int(arrow[1]), int(arrow[2])) for arrow in arrows if arrow] == edges
    assert None not in boxes + arrows
