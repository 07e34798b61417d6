"""Whatever a provider raises or returns: one failure in fixed words, and nothing of the provider's anywhere."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
import structlog
from hypothesis import given
from hypothesis import strategies as st

from ditto_core import (
    ExternalResult,
    InteractionError,
    ObserveInput,
    PermissionDenied,
    SearchFailed,
    SearchHit,
    ToolFailed,
    observe,
    to_wire,
)
from ditto_core.contracts.json_values import has_lone_surrogate
from tests.support.searching import QUERY, Searching, hit, search
from tests.support.strategies import NOT_JSON, Text, json_values

KEY = "key-0123456789"
SAID = f"{KEY} {QUERY} https://search.example/v1?q=x /srv/app.py"
FAILED = InteractionError(code="WEB_SEARCH_FAILED", message="The web search failed.", retryable=False)


@pytest.fixture(autouse=True)
def log(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    """Give all that is logged."""
    structlog.reset_defaults()
    caplog.set_level(logging.DEBUG)
    return caplog


def raising(error: BaseException) -> Searching:
    async def does() -> Any:
        try:
            raise ValueError(SAID)
        except ValueError:
            raise error from RuntimeError(SAID)

    return Searching(does=does)


class Unreadable(SearchFailed):
    """Raises when it is looked at."""

    def __str__(self) -> str:
        raise RuntimeError(SAID)

    @property
    def retryable(self) -> bool:
        raise RuntimeError(SAID)

    @retryable.setter
    def retryable(self, value: bool) -> None:
        pass


class Group(Exception):
    """Is told apart by nobody."""


ERRORS: list[Exception] = [
    RuntimeError(SAID),
    SearchFailed(SAID),
    Unreadable(SAID),
    TimeoutError(SAID),
    ConnectionResetError(SAID),
    ToolFailed("MINE", "of the provider's own"),
    PermissionDenied(SAID),
    ExceptionGroup(SAID, [Group(SAID)]),
    RecursionError(SAID),
    StopAsyncIteration(SAID),
    KeyError(SAID),
    UnicodeDecodeError("utf-8", SAID.encode(), 0, 1, SAID),
]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
@pytest.mark.promise("WEB-08", "WEB-10", "WEB-14")
def test_whatever_a_provider_raises_is_one_failure_that_says_nothing_of_it(
    error: Exception, log: pytest.LogCaptureFixture
) -> None:
    provider = raising(error)
    result = search(provider)
    assert result == ExternalResult(call_id="c1", source="web_search", status="failed", error=FAILED)
    assert len(provider.asked) == 1
    shown = [repr(result), str(to_wire(result)), repr(observe(ObserveInput(result=result)))]
    assert not [text for text in [*shown, log.text] if KEY in text or QUERY in text or "/srv" in text]


@given(st.text(max_size=30))
@pytest.mark.promise("WEB-10")
def test_no_text_of_a_provider_changes_the_failure(text: str) -> None:
    for error in (SearchFailed(text), RuntimeError(text)):
        assert search(raising(error)).error == FAILED


@pytest.mark.parametrize(("hint", "told"), [(True, True), (False, False), (1, False), ("yes", False), (None, False)])
@pytest.mark.promise("WEB-10")
def test_retryable_is_a_hint_of_the_providers_and_repeats_nothing(hint: Any, told: bool) -> None:
    provider = raising(SearchFailed(retryable=hint))
    error = search(provider).error
    assert error
    assert (error.code, error.message, error.retryable) == (FAILED.code, FAILED.message, told)
    assert len(provider.asked) == 1


def test_the_text_of_a_failure_is_for_who_calls_the_provider_without_the_tool() -> None:
    failure = SearchFailed("The reply is no JSON.", retryable=True)
    assert (str(failure), failure.retryable) == ("The reply is no JSON.", True)
    assert (str(SearchFailed()), SearchFailed().retryable) == ("The web search failed.", False)


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
def test_what_ends_the_process_is_no_failed_search(error: type[BaseException]) -> None:
    async def does() -> Any:
        raise error

    with pytest.raises(error):
        search(Searching(does=does))


class HitOfMyOwn(SearchHit):
    """A subclass may mean something else."""


class Endless(Sequence[Any]):
    """Has no end, and a length that cannot be asked."""

    def __init__(self, give: Callable[[int], Any]) -> None:
        self.give = give

    def __getitem__(self, index: Any) -> Any:
        return self.give(index)

    def __len__(self) -> int:
        raise RuntimeError(SAID)


def forged(**values: Any) -> SearchHit:
    """Return a hit that no constructor has seen."""
    made: SearchHit = object.__new__(SearchHit)
    for name, value in values.items():
        object.__setattr__(made, name, value)
    return made


def generator() -> Iterator[SearchHit]:
    yield hit()


def broken(index: int) -> Any:
    raise IndexError(SAID) if index > 3 else ValueError(SAID)


MALFORMED: dict[str, Any] = {
    "nothing": None,
    "a string": "",
    "bytes": b"",
    "a number": 7,
    "a dict": {"results": []},
    "a set": set(),
    "a generator": generator(),
    "one hit": hit(),
    "dicts": [{"title": "A", "url": "https://a.example/", "snippet": ""}],
    "a class": [SearchHit],
    "a subclass": [HitOfMyOwn(title="A", url="https://a.example/")],
    "None among hits": [hit(), None],
    "strings": ["https://a.example/"],
    "an empty hit": [forged()],
    "a hit without a snippet": [forged(title="A", url="https://a.example/")],
    "a title of None": [forged(title=None, url="https://a.example/", snippet="")],
    "a URL of bytes": [forged(title="A", url=b"https://a.example/", snippet="")],
    "a snippet of a kind of string": [forged(title="A", url="https://a.example/", snippet=Text("x"))],
    "half a pair in a title": [forged(title="\ud800", url="https://a.example/", snippet="")],
    "a bad URL": [hit("javascript:alert(1)")],
    "one that raises": Endless(broken),
    "endless rubbish": Endless(lambda index: index),
}


@pytest.mark.parametrize("kind", MALFORMED)
@pytest.mark.promise("WEB-11")
def test_an_answer_of_a_wrong_shape_is_the_same_failure(kind: str, log: pytest.LogCaptureFixture) -> None:
    result = search(Searching(MALFORMED[kind]))
    assert result == ExternalResult(call_id="c1", source="web_search", status="failed", error=FAILED)
    assert KEY not in log.text


@given(
    st.sampled_from([*NOT_JSON.values()]) | json_values, st.sampled_from(["answer", "hit", "title", "url", "snippet"])
)
@pytest.mark.promise("WEB-11")
def test_nothing_but_text_in_hits_in_a_sequence_is_a_result(value: Any, where: str) -> None:
    fields = {"title": "A", "url": "https://a.example/", "snippet": ""}
    if where == "answer":
        answer = value
    elif where == "hit":
        answer = [hit(), value]
    else:
        answer = [forged(**{**fields, where: value})]
    result = search(Searching(answer))
    is_text = type(value) is str and not has_lone_surrogate(value)
    fits = value == [] if where == "answer" else where in {"title", "snippet"} and is_text
    assert (result.status, result.error or FAILED) == ("success" if fits else "failed", FAILED)


def test_a_sequence_without_an_end_is_read_only_as_far_as_is_asked() -> None:
    read: list[int] = []

    def give(index: int) -> SearchHit:
        read.append(index)
        return hit()

    assert search(Searching(Endless(give)), limit=3).status == "success"
    assert read == [0, 1, 2, 3]


def test_the_log_says_at_debug_level_what_has_happened_in_words_of_dittos(log: pytest.LogCaptureFixture) -> None:
    search(raising(SearchFailed(SAID)))
    search(Searching([hit(), hit("ftp://a.example/")]))
    search(Searching(7))
    records = [record for record in log.records if record.name == "ditto"]
    assert [record.levelno for record in records] == [logging.DEBUG] * 3
    assert [part in log.text for part in ("a SearchFailed", "hit 2 has a url", "not an int")] == [True] * 3


@pytest.mark.parametrize("beside", [asyncio.CancelledError(), GeneratorExit()])
def test_a_group_that_holds_a_cancellation_is_the_same_failure(beside: BaseException) -> None:
    result = search(raising(BaseExceptionGroup("secret", [RuntimeError("secret"), beside])))
    assert (result.status, result.error) == ("failed", FAILED)


def test_a_group_that_ends_the_process_does_so() -> None:
    with pytest.raises(BaseExceptionGroup):
        search(raising(BaseExceptionGroup("the end", [RuntimeError(), SystemExit(3)])))
