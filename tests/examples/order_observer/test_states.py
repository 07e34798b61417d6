"""States, tools and rounds, and the transitions that the database lets through."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from order_observer.errors import ConflictingCommit, NotAdmitted, StaleTask
from order_observer.evidence import NextAction
from order_observer.states import ROUNDS, TERMINAL, TaskState, admitted_tool, round_of, state_for
from order_observer.tools import TaskStore

TOOLS = ("result_read", "result_retry", "result_status")


@pytest.mark.promise("UND-20")
def test_every_action_leads_to_a_state_and_every_state_that_is_no_end_admits_one_tool() -> None:
    states = {state_for(action) for action in get_args(NextAction)}
    assert states | {"pending"} == set(get_args(TaskState))
    assert {state for state in get_args(TaskState) if admitted_tool(state) is None} == TERMINAL
    assert {admitted_tool(state) for state in get_args(TaskState)} == {*TOOLS, None}


commit = st.tuples(st.sampled_from(range(ROUNDS)), st.sampled_from(TOOLS), st.sampled_from(get_args(NextAction)))
commits = st.lists(commit, max_size=6)


@given(commits=commits)
@pytest.mark.promise("UND-20", "UND-21", "UND-22")
def test_no_sequence_of_commits_leads_astray(
    commits: list[tuple[int, str, NextAction]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Held against a model of the rules: a dict of what is committed, and the state that follows."""
    store = TaskStore(tmp_path_factory.mktemp("store") / "tasks.sqlite", "task-1")
    store.prepare()
    committed: dict[int, tuple[str, str]] = {}
    state: str = "pending"
    for round, tool, action in commits:
        evidence = {"tool": tool, "action": action}
        expected: type[Exception] | None = None
        if round in committed:
            expected = None if committed[round] == (tool, action) else ConflictingCommit
        elif len(committed) != round or admitted_tool(state) != tool or round_of(tool) != round:
            expected = StaleTask
        else:
            committed[round] = (tool, action)
            state = state_for(action)
        if expected is None:
            store.commit(round, tool=tool, evidence=evidence, decision={}, state=state_for(action))
        else:
            with pytest.raises(expected):
                store.commit(round, tool=tool, evidence=evidence, decision={}, state=state_for(action))
        assert (store.task().state, store.task().version) == (state, len(committed))
        assert [event.round for event in store.events()] == sorted(committed)
        for follow_up in TOOLS[1:]:
            if admitted_tool(state) != follow_up:
                with pytest.raises(NotAdmitted):
                    store.admit(follow_up, "c1")
    assert store.attempts() == []


def test_a_database_that_is_prepared_again_keeps_its_task(tmp_path: Path) -> None:
    store = TaskStore(tmp_path / "tasks.sqlite", "task-1")
    store.prepare()
    store.commit(0, tool="result_read", evidence=1, decision={}, state="waiting_retry")
    store.prepare()
    store.admit("result_retry", "c1")
    assert (store.task().state, store.attempts()) == ("waiting_retry", ["c1"])
