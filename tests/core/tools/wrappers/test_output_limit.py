"""`with_output_limit`: text is cut, JSON is not, and nothing over the limit comes through."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ditto_core import (
    UNSET,
    InteractionError,
    InvalidResult,
    InvalidTool,
    JsonPart,
    Reference,
    ReferencePart,
    Sandbox,
    TextPart,
    ToolCall,
    ToolContext,
    ToolOutcome,
    ToolRegistry,
    to_wire,
    with_output_limit,
)
from ditto_core.tools.wrappers.output_limit import limited
from tests.support import run
from tests.support.tools import make_tool

ERROR = InteractionError(code="BROKEN", message="it broke")
REFERENCE = Reference(uri="x:1")


def size(value: Any) -> int:
    return len(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode())


def total(outcome: ToolOutcome) -> int:
    """Count the bytes of all that the limit counts."""
    found = 0 if outcome.structured_content is UNSET else size(outcome.structured_content)
    if outcome.references:
        found += size([to_wire(one) for one in outcome.references])
    content = outcome.content
    if type(content) is str:
        return found + len(content.encode())
    if type(content) is not tuple:
        return found if content is UNSET else found + size(content)
    for part in content:
        if type(part) is TextPart:
            found += len(part.text.encode())
        else:
            found += size(part.data if type(part) is JsonPart else to_wire(part))
    return found


def test_an_output_within_the_limit_is_untouched() -> None:
    outcome = ToolOutcome(content="éé", structured_content={"a": 1}, metadata={"b": 1})
    assert limited(outcome, 4 + 7) is outcome


@pytest.mark.promise("D-TOOL-16")
def test_text_is_cut_at_a_character_and_says_so() -> None:
    assert limited(ToolOutcome(content="aé😀b"), 6) == ToolOutcome(
        content="aé", metadata={"truncated": True, "limit": 6, "size": 8}
    )


def test_metadata_is_kept_but_for_the_three_names() -> None:
    outcome = ToolOutcome(content="abc", metadata={"exitCode": 0, "size": 1, "truncated": False})
    assert limited(outcome, 2).metadata == {"exitCode": 0, "truncated": True, "limit": 2, "size": 3}
    assert outcome.metadata == {"exitCode": 0, "size": 1, "truncated": False}


@pytest.mark.promise("D-TOOL-16")
def test_status_and_error_are_kept() -> None:
    cut = limited(ToolOutcome(status="unknown", content="abc", error=ERROR), 1)
    assert (cut.status, cut.content, cut.error) == ("unknown", "a", ERROR)


def test_text_gets_what_json_leaves() -> None:
    outcome = ToolOutcome(content="abcdef", structured_content=[1, 2], references=(REFERENCE,))
    room = size([1, 2]) + size([{"uri": "x:1"}])
    cut = limited(outcome, room + 2)
    assert (cut.content, cut.structured_content, cut.references) == ("ab", [1, 2], (REFERENCE,))
    assert cut.status == "success"


def test_parts_are_cut_in_their_order_without_a_hole() -> None:
    parts = (TextPart(text="ab"), JsonPart(data=[1]), TextPart(text="é"), TextPart(text="z"))
    assert limited(ToolOutcome(content=parts), 6).content == (TextPart(text="ab"), JsonPart(data=[1]))
    assert limited(ToolOutcome(content=parts), 7).content == (*parts[:2], TextPart(text="é"))
    assert limited(ToolOutcome(content=(TextPart(text="é"), TextPart(text="a"))), 1).content == ""


@pytest.mark.parametrize(
    "outcome",
    [
        ToolOutcome(content={"a": "bcdef"}),
        ToolOutcome(content=["abcdef", 1]),
        ToolOutcome(structured_content={"a": "bcdef"}),
        ToolOutcome(structured_content="ä" * 5),
        ToolOutcome(content=(JsonPart(data="abc"), JsonPart(data="def"))),
        ToolOutcome(content=(ReferencePart(reference=REFERENCE),)),
        ToolOutcome(references=(REFERENCE,)),
        ToolOutcome(structured_content=[1, 2], references=(REFERENCE,)),
    ],
)
@pytest.mark.promise("D-TOOL-17")
def test_what_cannot_be_cut_fails_and_says_that_the_effect_has_happened(outcome: ToolOutcome) -> None:
    cut = limited(outcome, 9)
    assert (cut.status, cut.content, cut.structured_content, cut.references) == ("failed", UNSET, UNSET, UNSET)
    assert cut.metadata == {"truncated": True, "limit": 9, "size": total(outcome)}
    assert cut.error == InteractionError(
        code="OUTPUT_TOO_LARGE",
        message=f"The output has {total(outcome)} bytes, 9 are allowed, and it cannot be cut. "
        "The tool has run and its effect has happened.",
    )


def test_the_text_beside_what_cannot_be_cut_is_kept() -> None:
    outcome = ToolOutcome(content=(TextPart(text="abcd"), JsonPart(data=["abc"])), structured_content=[1])
    cut = limited(outcome, 3)
    assert (cut.status, cut.content, cut.structured_content) == ("failed", (TextPart(text="abc"),), UNSET)


def test_a_failure_keeps_its_error_when_its_json_is_left_out() -> None:
    cut = limited(ToolOutcome(status="failed", error=ERROR, structured_content=list(range(9))), 5)
    assert (cut.status, cut.error, cut.structured_content) == ("failed", ERROR, UNSET)


def test_a_list_of_parts_is_read_as_parts() -> None:
    content: Any = [{"type": "text", "text": "abcdef"}]
    assert limited(ToolOutcome(content=content), 3).content == (TextPart(text="abc"),)


_texts = st.text(max_size=12)
_json = st.recursive(
    st.none() | st.booleans() | st.integers() | _texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_texts, inner, max_size=3),
    max_leaves=5,
)
_parts = st.one_of(
    _texts.map(lambda text: TextPart(text=text)),
    _json.map(lambda data: JsonPart(data=data)),
    st.just(ReferencePart(reference=REFERENCE)),
)
_outcomes = st.builds(
    lambda status, **rest: ToolOutcome(status=status, error=UNSET if status == "success" else ERROR, **rest),
    status=st.sampled_from(["success", "failed", "unknown"]),
    content=st.one_of(_texts, st.lists(_parts, min_size=1, max_size=4).map(tuple), _json),
    structured_content=st.one_of(st.just(UNSET), _json),
    references=st.sampled_from([UNSET, (), (REFERENCE,)]),
    metadata=st.sampled_from([UNSET, {}, {"kept": 1}]),
)


@given(text=st.text(), limit=st.integers(1, 40))
def test_text_keeps_all_but_three_bytes_of_the_limit_and_is_marked_only_when_cut(text: str, limit: int) -> None:
    cut = limited(ToolOutcome(content=text), limit)
    assert type(cut.content) is str
    assert text.startswith(cut.content)
    kept, had = len(cut.content.encode()), len(text.encode())
    assert kept <= limit
    assert kept == had or kept >= limit - 3
    assert (cut.metadata is not UNSET) == (cut.content != text)


@given(outcome=_outcomes, limit=st.integers(1, 60))
def test_no_outcome_is_over_the_limit(outcome: ToolOutcome, limit: int) -> None:
    had = total(outcome)
    cut = limited(outcome, limit)
    assert total(cut) <= limit
    assert (cut is outcome) == (had <= limit)
    if cut is not outcome:
        kept = {} if outcome.metadata is UNSET else outcome.metadata
        assert cut.metadata == {**kept, "truncated": True, "limit": limit, "size": had}
        assert cut.status in (outcome.status, "failed")
        assert outcome.error is UNSET or cut.error == outcome.error


def called(outcome: Any, *, plain: bool = False) -> Any:
    async def execute(arguments: Any, context: ToolContext) -> Any:
        return outcome

    def execute_plain(arguments: Any, context: ToolContext) -> Any:
        return outcome

    registry = ToolRegistry()
    registry.register(with_output_limit(make_tool(execute=execute_plain if plain else execute), 4))
    call = ToolCall(id="c1", name="echo", arguments={})
    return run(registry.call(call, ToolContext(sandbox=Sandbox(tools=["echo"]))))


@pytest.mark.parametrize("plain", [False, True])
def test_a_call_through_the_registry_is_limited(plain: bool) -> None:
    assert called(ToolOutcome(content="abcdef"), plain=plain).content == "abcd"


@pytest.mark.case("TOOL-09", "JSON-01")
@pytest.mark.parametrize("outcome", [None, {}, "text", ToolOutcome(structured_content={"a": float("nan")})])
def test_what_is_no_outcome_stays_invalid(outcome: Any) -> None:
    with pytest.raises(InvalidResult):
        called(outcome)


@pytest.mark.parametrize("limit", [0, -1, True, 1.0, "5", None])
def test_a_limit_is_a_positive_integer(limit: Any) -> None:
    with pytest.raises(InvalidTool, match=r"^with_output_limit\('echo'\): max_bytes must be a positive integer, not "):
        with_output_limit(make_tool(), limit)
