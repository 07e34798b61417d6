"""Titles and snippets: one line each, within their limits, and plain text where a search engine gave HTML."""

from __future__ import annotations

import html
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ditto_core import plain_text
from ditto_core.web_search.texts import MAX_READ, fitted
from tests.support.searching import Searching, hit, search

CONTROLS = [chr(code) for code in (*range(0x20), *range(0x7F, 0xA0), 0x2028, 0x2029)]
texts = st.text(st.sampled_from([*"ab  é©日😀\u00a0<&", *"\n\t\r\0\x1b\x7f\x85\x9f\u2028\u2029"]), max_size=12)


@pytest.mark.parametrize(
    ("given_text", "line"),
    [
        ("a b", "a b"),
        ("", ""),
        ("a\nb", "a b"),
        ("a \r\n\t b", "a b"),
        ("\n a\0\x1bb \u2028", "a b"),
        ("\n", ""),
        (" a  b ", " a  b "),
        ("é © « \u00a0 日本 😀", "é © « \u00a0 日本 😀"),
        ("<T> &amp; List<String>", "<T> &amp; List<String>"),
    ],
)
def test_controls_and_line_ends_become_one_blank_and_all_else_stays(given_text: str, line: str) -> None:
    result = search(Searching([hit(title=given_text, snippet=given_text)]))
    assert result.structured_content["results"] == [  # type: ignore[call-overload, index]
        {"title": line, "url": "https://a.example/", "snippet": line}
    ]


@pytest.mark.parametrize("control", CONTROLS, ids=ascii)
def test_no_control_is_left(control: str) -> None:
    assert fitted([f"a{control}b"], 9) == (["a b"], False)


@pytest.mark.parametrize("letter", ["x", "é", "😀", "©"])
@pytest.mark.promise("WEB-05")
def test_a_longer_text_is_cut_at_a_character_and_the_result_says_so(letter: str) -> None:
    for title, snippet, truncated in ((256, 2_048, False), (257, 1, True), (1, 2_049, True), (70_000, 70_000, True)):
        result = search(Searching([hit(title=letter * title, snippet=letter * snippet)]))
        content: dict[str, object] = result.structured_content  # type: ignore[assignment]
        assert content["truncated"] is truncated
        assert content["results"] == [
            {
                "title": letter * min(title, 256),
                "url": "https://a.example/",
                "snippet": letter * min(snippet, 2_048),
            }
        ]


@given(st.lists(texts, max_size=5), st.integers(1, 12))
@pytest.mark.promise("WEB-05")
def test_texts_are_fitted_together_as_they_are_one_by_one(several: list[str], limit: int) -> None:
    lines, cut = fitted(several, limit)
    alone = [fitted([text], limit) for text in several]
    assert lines == [line for (line,), _ in alone]
    assert cut == any(was_cut for _, was_cut in alone)
    assert all(len(line) <= limit and not set(line) & set(CONTROLS) for line in lines)
    assert fitted(lines, limit) == (lines, False)
    if not cut:
        assert ["".join(line.split()) for line in lines] == [
            "".join("".join(" " if one in CONTROLS else one for one in text).split()) for text in several
        ]


def test_only_so_much_of_a_text_is_looked_at() -> None:
    assert fitted(["\n" * MAX_READ + "a"], 9) == ([""], True)
    assert fitted(["\n" * (MAX_READ - 1) + "a"], 9) == (["a"], False)


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("a <strong>b</strong> &#x27;c&#x27; &lt;x&gt;", "a b 'c' <x>"),
        ("un<b>believ</b>able <EM class='x'>y</EM><wbr/>", "unbelievable y"),
        ("one<br>two<p>three</p>", "one two three "),
        ("&amp;lt;b&amp;gt;", "&lt;b&gt;"),
        ("&lt;strong&gt;", "<strong>"),
        ("1 < 2 and 3 > 2", "1 < 2 and 3 > 2"),
        ("a<", "a<"),
        ("&nbsp;&eacute;&#0;&#xd800;", "\u00a0é\ufffd\ufffd"),
        ("", ""),
    ],
)
@pytest.mark.promise("WEB-05")
def test_markup_is_taken_out_once(markup: str, text: str) -> None:
    assert plain_text(markup) == text


@given(st.text(st.sampled_from("ab<>&;/ \"'lt#x27é"), max_size=20))
@pytest.mark.promise("WEB-05")
def test_text_that_was_escaped_and_highlighted_comes_back(text: str) -> None:
    assert plain_text(f"<strong>{html.escape(text)}</strong>") == text


@pytest.mark.parametrize("markup", ["<" * 200_000, "<a" * 200_000, "<a " * 100_000, "&" * 200_000, "&#" * 100_000])
def test_hostile_markup_is_read_in_time_that_grows_as_it_does(markup: str) -> None:
    begun = time.process_time()
    plain_text(markup)
    fitted([markup, "\t " * 100_000], 256)
    assert time.process_time() - begun < 2


@pytest.mark.parametrize(
    ("number", "text"),
    [("1" * 5_000, "\ufffd"), ("0" * 5_000 + "65", "A"), ("0" * 5_000, "\ufffd"), ("x" + "f" * 5_000, "\ufffd")],
)
def test_an_entity_of_any_number_of_digits_is_read(number: str, text: str) -> None:
    assert plain_text(f"a&#{number};b") == f"a{text}b"
