"""The pack's regular expressions: read as Python reads them, refused where they are more, and never slow."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acme_pack.patterns import Pattern

units = st.sampled_from(
    ["a", "B", "ſ", "é", "1", " ", ".", r"\d", r"\w", r"\S", r"\.", r"\t", "[ab]", "[^a-c]", r"[\d_-]", "[]x]"]
)
repeats = st.sampled_from(["", "", "*", "+", "?"])
atoms = st.tuples(units, repeats).map("".join)
alternatives = st.tuples(
    st.sampled_from(["", "", "^"]), st.lists(atoms, max_size=5).map("".join), st.sampled_from(["", "", "$"])
).map("".join)
patterns = st.lists(alternatives, min_size=1, max_size=3).map("|".join)
lines = st.text("abcABsSſKéÉ1_ .\t-x]", max_size=10)


@given(patterns, lines, st.booleans())
def test_what_the_language_has_means_what_it_means_in_python(text: str, line: str, ignore_case: bool) -> None:
    expected = re.search(text, line, re.IGNORECASE if ignore_case else re.NOFLAG)
    assert Pattern(text, ignore_case=ignore_case).found_in(line) == bool(expected)


@given(st.text(r"ab.[]^$|\d*+?-(){}&~1", max_size=8), lines)
def test_whatever_is_accepted_means_what_it_means_in_python(text: str, line: str) -> None:
    try:
        pattern = Pattern(text)
    except ValueError:
        return
    assert pattern.found_in(line) == bool(re.search(text, line))


REFUSED = r"(a) (?i)a a{2} [ a** a*? * a|* \b \1 \Aa \x41 [[a] [a--b] ^^ $a a$b ] [z-a] [] \ a) [a\q]"


@pytest.mark.parametrize("text", REFUSED.split(" "))
def test_everything_else_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"^the pattern has "):
        Pattern(text)


@pytest.mark.parametrize(
    "text",
    [
        "a*a*a*a*a*a*a*a*a*a*a*a*b$",
        "a?" * 90 + "a+b$",
        "[ab]*a" + "[ab]" * 40 + "$",
        ".*.*.*.*.*=.*b$",
        "|".join(["a*a*b$"] * 25),
    ],
)
def test_a_pattern_that_would_keep_re_busy_for_years_is_matched_at_once(text: str) -> None:
    assert not Pattern(text).found_in("b" + "a=" * 10_000)  # with a b, or the line would be passed over unread


def test_any_number_of_different_characters_is_fine() -> None:
    line = "".join(map(chr, range(0x4E00, 0x4E00 + 20_000)))
    assert Pattern("[一-龥]+x$").found_in(f"{line}x")
    assert not Pattern("x[一-龥]+y").found_in(f"x{line}x")
