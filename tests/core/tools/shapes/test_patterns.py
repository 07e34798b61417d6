"""Patterns: those that Python and ECMA 262 read alike pass, all others are refused with what is wrong."""

from __future__ import annotations

import re
from typing import Annotated, Any

import pytest
from attrs import validators
from hypothesis import given
from hypothesis import strategies as st

from ditto_core import InvalidTool
from ditto_core.tools.shapes.patterns import schema_pattern
from ditto_core.tools.shapes.shape import Misfit
from tests.support.made import tool_with

ALIKE = [
    "",
    "abc",
    "[a-z]+",
    "^[a-z]+$",
    "a$|^b$",
    "(a|b)*c",
    "(?:ab)+?",
    "a{2}b{1,}c{0,3}?",
    "(?=.{0})a".replace(".", "[a]"),
    "(?!ab)[a-z]*",
    r"\.\*\+\?\(\)\[\]\{\}\|\/\^\$\\",
    r"[\]\-\\a]",
    "[-a]",
    "[a-]",
    "[^a-c]",
    r"[^\n]*",
    r"\x41\u00e9\n\r\t\f\v",
    "é😀[é-ü]",
    "(a?)?",
    " \n/#",
    "a^b",
]

REFUSED = [
    (r"\d+", r"'\d', .* write [0-9]"),
    (r"\w", r"'\w', .* write [A-Za-z0-9_]"),
    (r"\s", r"'\s', .* write [ \t\n]"),
    (r"[\d]", r"'\d', .* write [0-9]"),
    (r"a\b", r"'\b', "),
    (r"\Aa", r"'\A', .* leave it out"),
    (r"a\Z", r"'\Z', .* leave it out"),
    (r"\-", r"'\-', "),
    (r"\0", r"'\0', "),
    (r"\a", r"'\a', "),
    (r"(a)\1", r"'\1', "),
    (r"\N{BULLET}", r"'\N', "),
    (r"\U0001F600", r"'\U', "),
    (r"\ud83d", r"'\u', "),
    (".", r"'.', .* write [^\n]"),
    ("a.c", r"'.', "),
    ("(?P<n>a)", "'(?P<', "),
    ("(?<=a)b", "'(?<=', "),
    ("(?<!a)b", "'(?<!', "),
    ("(?>a)", "'(?>a', "),
    ("(a)?(?(1)b|c)", "'(?(1', "),
    ("(?#note)a", "'(?#n', "),
    ("(?i:a)", "'(?i:', "),
    ("a*+", "'*+', "),
    ("a++", "'++', "),
    ("a{1,2}+", "'}+', "),
    ("a{,2}", "'{', "),
    ("a{", "'{', "),
    ("a}", "'}', "),
    ("a]", "']', "),
    ("[]a]", "']', "),
    ("[^]a]", "']', "),
    ("[a-b-c]", "'-', "),
    ("(a$)", "'$', .* at the end"),
    ("a$b", "'$', .* at the end"),
    ("(?=a)*", "')*', "),
    ("(a*)*", "'(a*)*', "),
    ("(a|){2}", "'(a|){2}', "),
    ("(?:(?=a))+", "'(?:(?=a))+', "),
]


@pytest.mark.parametrize("pattern", ALIKE)
@pytest.mark.promise("D-TOOL-10")
def test_a_pattern_that_both_read_alike_is_written_for_a_full_match(pattern: str) -> None:
    assert schema_pattern(re.compile(pattern), "fullmatch") == rf"^(?:{pattern})$(?!\n)"


@pytest.mark.parametrize(("pattern", "words"), REFUSED)
@pytest.mark.promise("D-TOOL-10")
def test_a_pattern_that_they_may_read_differently_is_refused(pattern: str, words: str) -> None:
    with pytest.raises(Misfit) as caught:
        schema_pattern(re.compile(pattern), "fullmatch")
    found, _, remedy = words.partition(".*")
    assert f"has a pattern with {found.strip()}" in caught.value.problem
    assert remedy.strip() in caught.value.problem


@pytest.mark.parametrize("doubled", ["[a&&b]", "[a||b]", "[a~~b]", "[[a]", "[--a]"])
@pytest.mark.filterwarnings("ignore::FutureWarning")
def test_classes_that_are_to_change_their_meaning_are_refused(doubled: str) -> None:
    with pytest.raises(Misfit):
        schema_pattern(re.compile(doubled), "fullmatch")


@pytest.mark.parametrize(
    "pattern", [re.compile("a", re.IGNORECASE), re.compile("(?i)a"), re.compile("a", re.ASCII), re.compile(b"a")]
)
def test_flags_and_bytes_are_refused(pattern: re.Pattern[Any]) -> None:
    with pytest.raises(Misfit, match="of bytes or with flags"):
        schema_pattern(pattern, "fullmatch")


def test_match_and_search_are_written_without_an_end() -> None:
    assert schema_pattern(re.compile("a|b"), "match") == "^(?:a|b)"
    assert schema_pattern(re.compile("a|b"), "search") == "a|b"


@pytest.mark.parametrize("function", ["match", "search"])
def test_a_final_dollar_would_also_match_before_a_newline(function: str) -> None:
    with pytest.raises(Misfit, match=r"only at the end, with re\.fullmatch"):
        schema_pattern(re.compile("a$"), function)


def test_a_refused_pattern_names_tool_and_parameter() -> None:
    with pytest.raises(InvalidTool) as caught:
        tool_with(Annotated[str, validators.matches_re(r"\d+")])
    assert str(caught.value).startswith(r"Tool 'made': x has a pattern with '\d', which Python and ECMA 262")


_parts = st.sampled_from(
    ["a", "b", "[ab]", "[^a]", "(", "(?:", "(?=", "(?!", ")", "|", "*", "+", "?", "{2}", "^", "$", "\\n", "😀"]
)


@given(
    parts=st.lists(_parts, min_size=1, max_size=7),
    function=st.sampled_from(["fullmatch", "match", "search"]),
    texts=st.lists(st.text(st.sampled_from("ab\n😀"), max_size=5), min_size=1, max_size=10),
)
def test_what_is_written_matches_what_the_validator_matches(parts: list[str], function: str, texts: list[str]) -> None:
    try:
        pattern = re.compile("".join(parts))
        written = schema_pattern(pattern, function)
    except (re.error, Misfit):
        return
    for text in texts:
        assert bool(re.search(written, text)) == bool(getattr(pattern, function)(text)), (written, text)
