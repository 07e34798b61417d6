"""Contexts that are passed along: sources, removal, addition and ingress, and what the policy says to them."""

from __future__ import annotations

import asyncio
from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ditto_context import (
    Context,
    ContextError,
    ContextItem,
    ContextLoad,
    ContextPolicy,
    ContextScope,
    ContextUpdate,
    Ingress,
    context_worker,
    ingress_of,
)
from ditto_core import (
    UNSET,
    ExternalResult,
    InteractionError,
    InvalidInput,
    InvalidValue,
    JsonPart,
    Message,
    ObserveInput,
    Reference,
    ReferencePart,
    TextPart,
    from_wire,
    observe,
    to_wire,
)
from tests.plugins.context.calling import SCOPE, Calls, calling, ids, item
from tests.support.strategies import NOT_JSON, contents, json_objects, json_values, names, references

items = st.builds(
    ContextItem,
    id=names,
    content=contents,
    source=st.just(UNSET) | references,
    metadata=st.just(UNSET) | json_objects,
)
policies = st.builds(
    ContextPolicy,
    max_items=st.integers(1, 6),
    duplicate=st.sampled_from(["replace", "keep-first", "reject"]),
    missing_removal=st.sampled_from(["ignore", "reject"]),
)
few = st.sampled_from("abcde")


def run(work: Any) -> Any:
    return asyncio.run(work)


def load(policy: ContextPolicy | None = None, **fields: Any) -> Context:
    async def main() -> Context:
        async with calling(policy=policy) as calls:
            return await calls.load(**fields)

    return run(main())


def update(policy: ContextPolicy | None = None, **fields: Any) -> Context:
    async def main() -> Context:
        async with calling(policy=policy) as calls:
            return await calls.update(**fields)

    return run(main())


@given(st.lists(items, max_size=4, unique_by=lambda one: one.id))
def test_a_context_travels_over_the_wire_unchanged(some: list[ContextItem]) -> None:
    made = load(sources=tuple(some))
    assert from_wire(Context, to_wire(made)) == made
    assert ids(made) == [one.id for one in some]
    assert made.version is UNSET


@given(st.lists(few), st.lists(few), st.lists(few), policies)
def test_an_update_removes_then_adds_then_enters(
    removed: list[str], added: list[str], entered: list[str], policy: ContextPolicy
) -> None:
    before = Context(items=(item("a", 0), item("b", 0), item("c", 0)))
    expected = model(policy, ["a", "b", "c"], removed, [*added, *entered])
    call = {
        "context": before,
        "remove_ids": tuple(removed),
        "add": tuple(item(id, 1) for id in added),
        "ingress": tuple(Ingress(id=id, source_node="A.B", content=2) for id in entered),
    }
    if isinstance(expected, str):
        with pytest.raises(ContextError) as refusal:
            update(policy, **call)
        assert refusal.value.code == expected
    else:
        assert ids(update(policy, **call)) == expected
    assert ids(before) == ["a", "b", "c"]


def model(policy: ContextPolicy, found: list[str], removed: list[str], added: list[str]) -> list[str] | str:
    """Say what is to come of it, by the words of the page."""
    for id in removed:
        if id in found:
            found.remove(id)
        elif policy.missing_removal == "reject":
            return "MISSING_ITEM"
    for id in added:
        if id not in found:
            found.append(id)
        elif policy.duplicate == "reject":
            return "DUPLICATE_ITEM"
    return found if len(found) <= policy.max_items else "ITEM_LIMIT_EXCEEDED"


@pytest.mark.parametrize(("duplicate", "content"), [("replace", 2), ("keep-first", 1)])
def test_a_duplicate_takes_the_place_or_gives_way(duplicate: Any, content: int) -> None:
    made = load(ContextPolicy(duplicate=duplicate), sources=(item("a", 1), item("b", 1), item("a", 2)))
    assert made.items == (item("a", content), item("b", 1))


def test_an_ingress_says_where_it_comes_from_last() -> None:
    reference = Reference(uri="db://orders/1")
    one = Ingress(
        id="i", source_node="SHOP.READ", content=1, reference=reference, metadata={"sourceNode": "X.Y", "n": 1}
    )
    (made,) = update(context=Context(items=()), ingress=(one,)).items
    assert made == item("i", 1, source=reference, metadata={"sourceNode": "SHOP.READ", "n": 1})
    assert list(made.metadata or {}) == ["sourceNode", "n"]


def test_messages_and_references_become_items_with_stable_ids() -> None:
    message = Message(role="user", content=(TextPart(text="hi"), JsonPart(data=1)), name="ann")
    reference = Reference(uri="file:///a", digest="d")
    first, second = load(sources=(message, reference)).items
    assert first.content == message.content
    assert first.metadata == {"sourceType": "message", "role": "user", "name": "ann"}
    assert second.content == (ReferencePart(reference=reference),)
    assert (second.source, second.metadata) == (reference, {"sourceType": "reference"})
    assert first.id.startswith("message:")
    assert second.id.startswith("reference:")
    assert ids(load(sources=(message, reference, message))) == [first.id, second.id]
    assert ids(load(sources=(Message(role="user", content="hi"),))) != [first.id]


def test_a_large_content_needs_a_source() -> None:
    policy = ContextPolicy(max_inline_bytes=6)
    reference = Reference(uri="u")
    fits = (
        item("a", "1234"),
        item("b", "x" * 99, source=reference),
        item("c", (TextPart(text="x" * 99), ReferencePart(reference=reference))),
    )
    assert load(policy, sources=fits).items == fits
    for content in ("12345", "éé1", {"a": 1, "b": 2}, (TextPart(text="x"),)):
        with pytest.raises(ContextError, match="excerpt") as refusal:
            load(policy, sources=(item("a", content),))
        assert refusal.value.code == "INLINE_LIMIT_EXCEEDED"


def test_what_is_returned_shares_nothing_with_what_was_given() -> None:
    content: dict[str, Any] = {"a": [1]}
    (made,) = load(sources=(item("a", content, metadata=content),)).items
    content["a"].append(2)
    assert (made.content, made.metadata) == ({"a": [1]}, {"a": [1]})


@pytest.mark.promise("CTX-01", "CTX-02")
@pytest.mark.parametrize("status", ["success", "failed"])
def test_an_observation_enters_with_its_identity(status: Any) -> None:
    error = UNSET if status == "success" else InteractionError(code="NO", message="no")
    result = ExternalResult(call_id="c1", source="read", status=status, content="text", error=error)
    observation = observe(ObserveInput(result=result))
    (made,) = update(context=Context(items=()), ingress=(ingress_of(observation),)).items
    assert made.id == "observation:c1"
    assert made.content == observation.message.content
    assert made.metadata == {
        "callId": "c1",
        "source": "read",
        "status": status,
        "sourceNode": "INTERACTION.OBSERVE",
    }


@pytest.mark.parametrize("value", NOT_JSON.values(), ids=NOT_JSON)
def test_what_is_no_json_is_refused_before_anything_happens(value: Any) -> None:
    for field in ("content", "metadata"):
        with pytest.raises((InvalidInput, InvalidValue)):
            load(sources=(attrs.evolve(item("a"), **{field: {"x": value}}),))


WRONG: list[tuple[type[Any], dict[str, Any], str]] = [
    (ContextScope, {}, "ContextScope"),
    (ContextScope, {"session_id": ""}, "ContextScope.sessionId"),
    (ContextScope, {"turn_id": 1}, "ContextScope.turnId"),
    (ContextScope, {"invocation_id": "x" * 513}, "ContextScope.invocationId"),
    (ContextItem, {"id": "", "content": 1}, "ContextItem.id"),
    (ContextItem, {"id": "a", "content": 1, "source": "u"}, "ContextItem.source"),
    (ContextItem, {"id": "a", "content": 1, "metadata": []}, "ContextItem.metadata"),
    (Context, {"items": []}, "Context.items"),
    (Context, {"items": (1,)}, "Context.items[0]"),
    (Context, {"items": (item("a"), item("a"))}, "Context.items[1].id"),
    (Context, {"items": (), "version": ""}, "Context.version"),
    (Ingress, {"id": "a", "source_node": "OBSERVE", "content": 1}, "Ingress.sourceNode"),
    (Ingress, {"id": "a", "source_node": "A.B", "content": 1, "reference": 1}, "Ingress.reference"),
    (Ingress, {"id": "a", "source_node": "A.B", "content": 1, "metadata": 1}, "Ingress.metadata"),
    (ContextLoad, {}, "ContextLoad"),
    (ContextLoad, {"scope": "s"}, "ContextLoad.scope"),
    (ContextLoad, {"sources": ("a",)}, "ContextLoad.sources[0]"),
    (ContextLoad, {"sources": (), "expected_version": "v"}, "ContextLoad.expectedVersion"),
    (ContextLoad, {"scope": SCOPE, "expected_version": "v"}, "ContextLoad.expectedVersion"),
    (ContextUpdate, {}, "ContextUpdate"),
    (ContextUpdate, {"scope": SCOPE, "context": Context(items=())}, "ContextUpdate"),
    (ContextUpdate, {"scope": "s"}, "ContextUpdate.scope"),
    (ContextUpdate, {"context": "s"}, "ContextUpdate.context"),
    (ContextUpdate, {"context": Context(items=()), "expected_version": "v"}, "ContextUpdate.expectedVersion"),
    (ContextUpdate, {"scope": SCOPE, "remove_ids": "ab"}, "ContextUpdate.removeIds"),
    (ContextPolicy, {"max_items": 0}, "ContextPolicy.max_items"),
    (ContextPolicy, {"max_inline_bytes": True}, "ContextPolicy.max_inline_bytes"),
    (ContextPolicy, {"max_inline_bytes": 1_000_001}, "ContextPolicy.max_inline_bytes"),
    (ContextPolicy, {"duplicate": "merge"}, "ContextPolicy.duplicate"),
    (ContextPolicy, {"missing_removal": 1}, "ContextPolicy.missing_removal"),
]


@pytest.mark.parametrize(("kind", "fields", "path"), WRONG)
def test_a_wrong_value_is_refused_where_it_is_made(kind: type[Any], fields: dict[str, Any], path: str) -> None:
    with pytest.raises(InvalidValue) as refusal:
        kind(**fields)
    assert refusal.value.field == path


@pytest.mark.parametrize(
    "given",
    [
        {"scope": {"sessionId": "s", "user": "u"}, "sources": []},
        {"scope": {}},
        {"sources": [{"id": "a"}]},
        {"sources": [{"id": "a", "content": 1, "role": "user"}]},
        {},
    ],
)
def test_a_wrong_json_object_is_refused_by_the_runtime(given: dict[str, Any]) -> None:
    async def main() -> None:
        async with calling() as calls:
            with pytest.raises(InvalidInput):
                await calls.runtime.invoke("CONTEXT.LOAD", given)

    run(main())


@given(names, json_values)
def test_the_wire_form_is_taken_as_the_object_is(id: str, content: Any) -> None:
    async def main(calls: Calls) -> tuple[Context, Context]:
        given = {"context": {"items": []}, "add": [{"id": id, "content": content}]}
        return await calls.runtime.invoke("CONTEXT.UPDATE", given), await calls.update(
            context=Context(items=()), add=(item(id, content),)
        )

    async def both() -> tuple[Context, Context]:
        async with calling() as calls:
            return await main(calls)

    first, second = run(both())
    assert first == second


def test_without_a_store_nothing_is_kept() -> None:
    for fields in ({"scope": SCOPE}, {"scope": SCOPE, "sources": ()}):
        with pytest.raises(ContextError) as refusal:
            load(**fields)
        assert refusal.value.code == "STATE_STORE_UNAVAILABLE"
    with pytest.raises(ContextError):
        update(scope=SCOPE)


@pytest.mark.parametrize("wrong", [{"store": object()}, {"policy": {"max_items": 1}}])
def test_a_worker_is_made_of_a_store_and_a_policy(wrong: dict[str, Any]) -> None:
    with pytest.raises(InvalidValue):
        context_worker(**wrong)
