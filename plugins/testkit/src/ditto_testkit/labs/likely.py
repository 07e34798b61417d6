"""Arguments that are more likely to meet something: names of files that are there, and ways out of the workspace."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from ditto_core import JsonObject

from ..strategies.judging import judge

NAMES = (
    "a.txt",
    "b.py",
    ".",
    "sub",
    "sub/c.txt",
    "sub/deep/er/d.txt",
    "-x",
    "--help",
    "with blank.txt",
    "é.txt",
    "empty.txt",
    "large.txt",
    "not utf-8.txt",
    "link",
    "dangling",
    "circle",
    "pipe",
    "nothing.txt",
)
"""Names in an awkward workspace."""

ESCAPES = (
    "out",
    "out-folder",
    "out-folder/secret.txt",
    "../outside/secret.txt",
    "../outside",
    "sub/../../outside/secret.txt",
)
"""Names that lead out of it."""


@st.composite
def likely(draw: st.DrawFn, made: st.SearchStrategy[Any], schema: JsonObject) -> Any:
    """Give what `made` gives; in most of it some texts are names of the workspace instead, if the schema allows it."""
    given = draw(made)
    if not draw(st.integers(0, 3)):
        return given
    names = st.sampled_from(NAMES) | st.sampled_from(ESCAPES)
    fits = judge(schema).fits
    for place in places(given):
        candidate = put(given, place, draw(names))
        if fits(candidate):
            given = candidate
    return given


Place = tuple[str | int, ...]
"""The way from a value to a part of it."""


def places(value: Any, here: Place = ()) -> list[Place]:
    """Return where the texts in a value are."""
    if type(value) is str:
        return [here]
    if type(value) is dict:
        return [place for key, item in value.items() for place in places(item, (*here, key))]
    if type(value) is list:
        return [place for index, item in enumerate(value) for place in places(item, (*here, index))]
    return []


def at(value: Any, place: Place) -> Any:
    """Return what is at that place."""
    for step in place:
        value = value[step]
    return value


def put(value: Any, place: Place, text: Any) -> Any:
    """Return the value with another text at that place."""
    if not place:
        return text
    copy = value.copy()
    copy[place[0]] = put(value[place[0]], place[1:], text)
    return copy


def copied(given: Any) -> Any:
    """Return a copy of a JSON value."""
    if type(given) is dict:
        return {key: copied(value) for key, value in given.items()}
    return [copied(value) for value in given] if type(given) is list else given
