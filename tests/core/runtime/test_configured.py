"""What a runtime takes from a configuration that was loaded for it."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from ditto_core import Config, Graph, Loop, LoopExhausted, Node, Runtime, Sandbox, ToolContext, Worker, load_config
from tests.support import run

DO: Node[int, int] = Node("T.DO", int, int)


def loaded(folder: Path, settings: dict[str, Any], **env: str) -> Config:
    path = folder / "ditto.json"
    path.write_text(json.dumps({"runtime": settings}), encoding="utf-8")
    return load_config(path, env)


@pytest.mark.parametrize(("asked", "most"), [(None, 2), (3, 3)])
def test_it_says_how_many_nodes_of_a_graph_run_at_once_unless_the_run_does(
    tmp_path: Path, asked: int | None, most: int
) -> None:
    running: set[int] = set()
    seen: list[int] = []

    async def do(number: int, context: ToolContext) -> int:
        running.add(number)
        seen.append(len(running))
        await asyncio.sleep(0)
        running.discard(number)
        return number

    graph = Graph("g", int)
    for index in range(6):
        graph.add(f"n{index}", DO, lambda _, *, index=index: index)
    runtime = Runtime(workers=[Worker("T", [DO.define("T", do)])], config=loaded(tmp_path, {"graphConcurrency": 2}))
    run(runtime.run(graph, 0, concurrency=asked))
    assert max(seen) == most


@pytest.mark.parametrize(("own", "most"), [(None, 3), (5, 5)])
def test_it_says_how_often_a_loop_runs_unless_the_loop_does(tmp_path: Path, own: int | None, most: int) -> None:
    loop: Loop[int] = Loop(
        Graph("g", int),
        bind=lambda state: state,
        update=lambda state, outputs: state + 1,
        done=lambda state: False,
        max_iterations=own,
    )
    runtime = Runtime(config=loaded(tmp_path, {"loopMaxIterations": 3}))
    with pytest.raises(LoopExhausted) as raised:
        run(runtime.loop(loop, 0))
    assert raised.value.state == most


@pytest.mark.promise("CFG-01", "CFG-01b")
def test_its_permissions_hold_when_no_sandbox_is_given_and_none_of_them_otherwise(tmp_path: Path) -> None:
    config = loaded(tmp_path, {}, DITTO_SHARED_SANDBOX_ALLOW_TOOLS="cat", DITTO_SHARED_SANDBOX_ALLOW_READ="true")
    configured, given = Runtime(config=config), Runtime(config=config, sandbox=Sandbox())
    for runtime, permitted in ((configured, True), (given, False)):
        sandbox = runtime.services.sandbox
        assert (sandbox.allows("tools", "cat"), sandbox.allows("read")) == (permitted, permitted)
    assert configured.services.config is config
