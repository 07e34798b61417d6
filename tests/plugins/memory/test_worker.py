"""The worker on any backend: what goes in, what a backend may give, and what becomes of what it raises."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from ditto_core import UNSET, InteractionError, InvalidInput, InvalidValue, Runtime, from_wire, to_wire
from ditto_memory import (
    MemoryFailed,
    MemoryGet,
    MemoryItem,
    MemoryResult,
    MemoryWrite,
    NewMemory,
    memory_worker,
)
from tests.plugins.memory.calling import Calls, code, memory, stored, using
from tests.support.strategies import NOT_JSON


class Backend:
    """Answers each call with what it was given, or raises it."""

    def __init__(self, answer: Any = None) -> None:
        self.answer = answer
        self.asked: list[Any] = []

    async def get(self, ids: Any, keys: Any) -> Any:
        return self._answered((ids, keys))

    async def write(self, memories: Any) -> Any:
        return self._answered(memories)

    def _answered(self, asked: Any) -> Any:
        self.asked.append(asked)
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer


def found(id: str, content: Any = None, **fields: Any) -> MemoryItem:
    return MemoryItem(id=id, content=content, **fields)


def test_a_backend_is_asked_once_for_each_name_and_may_answer_in_any_order() -> None:
    one, two, three = found("1", key="a"), found("2"), found("3", key="b")
    backend = Backend([three, two, one])

    async def main(calls: Calls) -> None:
        result = await calls.get(ids=("2", "1", "2", "9"), keys=("b", "a", "b"))
        assert stored(result) == [two, one, three]
        assert backend.asked == [(("2", "1", "9"), ("b", "a"))]

    using(backend, main)


@pytest.mark.parametrize(
    "answer",
    [
        None,
        "ab",
        [found("3")],
        [found("1"), "x"],
        [found("1", float("nan"))],
        [found("1", {"a": (1,)})],
        {"1": found("1")},
    ],
)
def test_what_a_backend_may_not_give_fails_the_call(answer: Any) -> None:
    async def main(calls: Calls) -> None:
        assert code(await calls.get(ids=("1",))) == "INVALID_BACKEND_OUTPUT"
        assert code(await calls.write(memory(1, key="1"))) == "INVALID_BACKEND_OUTPUT"

    using(Backend(answer), main)


@pytest.mark.parametrize(
    "answer", [[], [found("1", 1), found("2", 1)], [found("1", True)], [found("1", 1, key="k")], [found("1", 2)]]
)
def test_a_backend_must_store_what_it_was_given(answer: Any) -> None:
    async def main(calls: Calls) -> None:
        assert code(await calls.write(memory(1))) == "INVALID_BACKEND_OUTPUT"

    using(Backend(answer), main)


def test_what_a_backend_raises_is_hidden() -> None:
    error = OSError("cannot open /home/u/secret")

    async def main(calls: Calls) -> None:
        for call, settled in (
            (calls.get(ids=("1",)), "Nothing was read."),
            (calls.write(memory(1)), "Either all was stored or nothing. Memories with keys may be written again."),
        ):
            result = await call
            message = f"The memory backend failed (OSError). {settled}"
            expected = InteractionError(code="MEMORY_BACKEND_ERROR", message=message, retryable=False)
            assert result.error == expected

    using(Backend(error), main)


def test_a_failure_of_the_backends_own_is_passed_on() -> None:
    async def main(calls: Calls) -> None:
        result = await calls.get(ids=("1",))
        assert result.error == InteractionError(code="OWN", message="own words", retryable=True)

    using(Backend(MemoryFailed("OWN", "own words", retryable=True)), main)
    assert MemoryFailed("OWN", "see /home/u/x").error.message == "The memory backend failed."
    with pytest.raises(InvalidValue):
        MemoryFailed("not a code", "own words")


def test_a_cancellation_is_none_of_its_failures() -> None:
    async def main(calls: Calls) -> None:
        with pytest.raises(asyncio.CancelledError):
            await calls.get(ids=("1",))

    using(Backend(asyncio.CancelledError()), main)


def test_one_call_runs_at_a_time_unless_told_otherwise() -> None:
    assert memory_worker(Backend()).concurrency == 1
    assert memory_worker(Backend(), concurrency=None, max_waiting=3).max_waiting == 3


@pytest.mark.parametrize("value", NOT_JSON.values(), ids=NOT_JSON)
def test_what_is_no_json_reaches_no_backend(value: Any) -> None:
    backend = Backend()

    async def main(calls: Calls) -> None:
        for fields in ({"content": {"x": value}}, {"content": 1, "metadata": {"x": value}}):
            with pytest.raises((InvalidInput, InvalidValue)):
                await calls.write(NewMemory(**fields))

    using(backend, main)
    assert backend.asked == []


WRONG: list[tuple[Callable[..., Any], dict[str, Any], str]] = [
    (NewMemory, {"content": 1, "key": ""}, "NewMemory.key"),
    (NewMemory, {"content": 1, "key": "a\nb"}, "NewMemory.key"),
    (NewMemory, {"content": 1, "key": "x" * 513}, "NewMemory.key"),
    (NewMemory, {"content": 1, "metadata": []}, "NewMemory.metadata"),
    (MemoryItem, {"id": 1, "content": 1}, "MemoryItem.id"),
    (MemoryItem, {"id": "1", "content": 1, "key": 1}, "MemoryItem.key"),
    (MemoryItem, {"id": "1", "content": 1, "metadata": "m"}, "MemoryItem.metadata"),
    (MemoryGet, {}, "MemoryGet"),
    (MemoryGet, {"ids": "ab"}, "MemoryGet.ids"),
    (MemoryGet, {"keys": ("a", "")}, "MemoryGet.keys[1]"),
    (MemoryGet, {"keys": ("a",) * 600, "ids": ("a",) * 600}, "MemoryGet"),
    (MemoryGet, {"keys": ("a",) * 1001}, "MemoryGet.keys"),
    (MemoryWrite, {"memories": [memory()]}, "MemoryWrite.memories"),
    (MemoryWrite, {"memories": ({"content": 1},)}, "MemoryWrite.memories[0]"),
    (MemoryWrite, {"memories": (memory(),) * 1001}, "MemoryWrite.memories"),
    (MemoryResult, {"execution_id": "1", "node": "A.B", "status": "success"}, "MemoryResult.status"),
    (MemoryResult, {"execution_id": "1", "node": "A.B", "status": "failed", "output": ()}, "MemoryResult.status"),
    (MemoryResult, {"execution_id": "1", "node": "A.B", "status": "failed", "error": "e"}, "MemoryResult.error"),
    (MemoryResult, {"execution_id": "1", "node": "A.B", "status": "done", "output": ()}, "MemoryResult.status"),
    (MemoryResult, {"execution_id": "", "node": "A.B", "status": "success", "output": ()}, "MemoryResult.executionId"),
    (memory_worker, {"backend": object()}, "backend"),
    (memory_worker, {"backend": Backend}, "backend"),
]


@pytest.mark.parametrize(("make", "fields", "path"), WRONG)
def test_a_wrong_value_is_refused_where_it_is_made(make: Any, fields: dict[str, Any], path: str) -> None:
    with pytest.raises(InvalidValue) as refusal:
        make(**fields)
    assert refusal.value.field == path


def test_results_travel_over_the_wire() -> None:
    success = MemoryResult(execution_id="1", node="A.B", status="success", output=(found("1", [None], key="k"),))
    error = InteractionError(code="C", message="m")
    failure = MemoryResult(execution_id="1", node="A.B", status="failed", error=error)
    for result in (success, failure):
        assert from_wire(MemoryResult, to_wire(result)) == result
    assert to_wire(success) == {
        "executionId": "1",
        "node": "A.B",
        "status": "success",
        "output": [{"id": "1", "content": [None], "key": "k"}],
    }


def test_the_wire_form_is_taken_as_the_object_is() -> None:
    backend = Backend([found("1", {"a": 1}, key="k")])

    async def main() -> None:
        async with Runtime(workers=[memory_worker(backend)]) as runtime:
            await runtime.invoke("MEMORY.WRITE", {"memories": [{"key": "k", "content": {"a": 1}}]})
            for wrong in ({}, {"memories": [{"key": "k"}]}, {"memories": [{"content": 1, "id": "1"}]}):
                with pytest.raises(InvalidInput):
                    await runtime.invoke("MEMORY.WRITE", wrong)

    asyncio.run(main())
    assert backend.asked == [(NewMemory(content={"a": 1}, key="k", metadata=UNSET),)]
