"""What a run has to know of a graph is worked out once, and is right for every shape of graph."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ditto_core import Graph, Step
from tests.support.jobs import JOB, OTHER, Run, job, jobs_graph


@given(st.data(), st.integers(0, 12))
def test_a_plan_says_who_waits_for_whom(data: st.DataObject, size: int) -> None:
    graph = Graph("g", Run)
    steps: list[Step[str]] = []
    for index in range(size):
        after = data.draw(st.lists(st.sampled_from(steps), max_size=5)) if steps else []
        steps.append(graph.add(f"n{index}", data.draw(st.sampled_from([JOB, OTHER])), job("n"), after=after))
    plan = graph.plan
    assert plan.steps == graph.steps == tuple(steps)
    assert plan.missing == tuple(len(set(step.after)) for step in steps)
    assert plan.first == tuple(index for index, step in enumerate(steps) if not step.after)
    for index, step in enumerate(steps):
        waiting = {other for other, one in enumerate(steps) if step in one.after}
        assert (set(plan.dependents[index]), len(plan.dependents[index])) == (waiting, len(waiting))
    assert {step.node for step in plan.calls} == {step.node for step in steps}
    assert len(plan.calls) == len({step.node for step in steps})
    assert dict(plan.by_id) == {step.id: step for step in steps}


def test_a_plan_is_made_once_and_anew_for_a_further_node() -> None:
    graph = jobs_graph("a")
    plan = graph.plan
    assert graph.plan is plan
    graph.add("b", JOB, job("b"))
    assert plan.steps == graph.steps[:1]
    assert graph.plan.steps == graph.steps
