"""The rules of memory on SQLite, against a simple model."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ditto_core import UNSET
from ditto_memory import MemoryItem, NewMemory, SqliteMemory
from tests.plugins.memory.calling import Calls, code, memory, quick_folder, stored, using
from tests.support.strategies import json_objects, json_values

keys = st.sampled_from("abc")
simple = st.sampled_from([1, 1.0, True, "1", {"a": 1, "b": 2}, {"b": 2, "a": 1}])
new = st.builds(
    NewMemory,
    content=simple,
    key=st.just(UNSET) | keys,
    metadata=st.just(UNSET) | st.sampled_from([{}, {"m": 1}]),
)
steps = st.lists(st.lists(new, max_size=4) | st.lists(keys, max_size=4).map(tuple), max_size=8)


def spelled(one: NewMemory | MemoryItem) -> str:
    """Give what makes two memories the same: order in objects does not, types of numbers do."""
    parts = [one.content, None if one.metadata is UNSET else one.metadata]
    return repr([sorted(part.items()) if isinstance(part, dict) else part for part in parts])


@given(steps)
def test_a_file_holds_what_a_dict_would(some: list[Any]) -> None:
    async def main(calls: Calls) -> None:
        model: dict[str, tuple[str, str]] = {}  # by key: id and content
        ids: dict[str, str] = {}
        for step in some:
            if isinstance(step, tuple):
                found = stored(await calls.get(keys=step))
                assert [item.key for item in found] == [key for key in dict.fromkeys(step) if key in model]
                assert all(model[str(item.key)] == (item.id, spelled(item)) for item in found)
                continue
            result = await calls.write(*step)
            wanted: dict[str, str] = {key: text for key, (_, text) in model.items()}
            if any(one.key is not UNSET and wanted.setdefault(one.key, spelled(one)) != spelled(one) for one in step):
                assert code(result) == "KEY_CONFLICT"
                continue
            made = stored(result)
            assert [(item.key, spelled(item)) for item in made] == [(one.key, spelled(one)) for one in step]
            for item in made:
                if item.key is not UNSET:
                    assert model.setdefault(item.key, (item.id, spelled(item))) == (item.id, spelled(item))
                else:
                    assert item.id not in ids
                ids[item.id] = spelled(item)
        found = stored(await calls.get(ids=tuple(ids)))
        assert {item.id: spelled(item) for item in found} == ids
        assert [item.id for item in found] == list(ids)

    with quick_folder() as folder:
        using(SqliteMemory(folder / "m.sqlite"), main)


@given(json_values, st.just(UNSET) | json_objects)
def test_any_json_comes_back_as_it_was_written(content: Any, metadata: Any) -> None:
    async def main(calls: Calls) -> None:
        (item,) = stored(await calls.write(memory(content, key="k", metadata=metadata)))
        assert (item.content, item.metadata) == (content, metadata)
        assert repr(item.content) == repr(content) or isinstance(content, dict | list)
        assert stored(await calls.write(memory(content, key="k", metadata=metadata))) == [item]
        assert stored(await calls.get(ids=(item.id, item.id), keys=("k",))) == [item]

    with quick_folder() as folder:
        using(SqliteMemory(folder / "m.sqlite"), main)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (memory(1, key="k"), memory(True, key="k")),
        (memory(1, key="k"), memory(1.0, key="k")),
        (memory(None, key="k"), memory("", key="k")),
        (memory(1, key="k"), memory(1, key="k", metadata={})),
        (memory([1, 2], key="k"), memory([2, 1], key="k")),
    ],
)
def test_a_key_with_another_content_is_a_conflict_and_the_whole_batch_with_it(
    tmp_path: Any, first: NewMemory, second: NewMemory
) -> None:
    async def main(calls: Calls) -> None:
        kept = stored(await calls.write(first))
        for batch in ((memory(2, key="new"), second), (memory(2, key="new"), memory(3, key="new"))):
            result = await calls.write(*batch)
            assert code(result) == "KEY_CONFLICT"
            assert result.error
            assert "Nothing was stored." in result.error.message
            assert stored(await calls.get(keys=("new", "k"))) == kept

    using(SqliteMemory(tmp_path / "m.sqlite"), main)


def test_nothing_to_do_asks_nobody(tmp_path: Any) -> None:
    async def main(calls: Calls) -> None:
        for result in (await calls.write(), await calls.get(ids=()), await calls.get(ids=(), keys=())):
            assert stored(result) == []
        assert list(tmp_path.iterdir()) == []

    using(SqliteMemory(tmp_path / "m.sqlite"), main)


def test_tables_in_one_file_are_apart(tmp_path: Any) -> None:
    async def write(calls: Calls) -> None:
        stored(await calls.write(memory(calls.runtime is None, key="k")))

    async def read(calls: Calls) -> int:
        return len(stored(await calls.get(keys=("k",))))

    path = tmp_path / "m.sqlite"
    using(SqliteMemory(path, table="first"), write)
    assert using(SqliteMemory(path, table="first"), read) == 1
    assert using(SqliteMemory(path, table="second"), read) == 0


def test_a_result_tells_its_node_and_has_an_id_of_its_own(tmp_path: Any) -> None:
    async def main(calls: Calls) -> None:
        results = [
            await calls.write(memory(1, key="k")),
            await calls.write(memory(2, key="k")),
            await calls.get(keys=("k",)),
        ]
        assert [result.node for result in results] == ["MEMORY.WRITE", "MEMORY.WRITE", "MEMORY.GET"]
        assert len({result.execution_id for result in results}) == 3

    using(SqliteMemory(tmp_path / "m.sqlite"), main)
