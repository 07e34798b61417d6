"""The text of a scrap of HTML, for providers whose search engine answers in HTML."""

from __future__ import annotations

import html
import re

# No two repetitions of these can take the same character, so they read every text once.
_HIGHLIGHTS = re.compile(
    r"</?(?:a|b|code|em|font|i|mark|small|span|strong|sub|sup|u|wbr)(?:[\s/][^<>]*)?>", re.IGNORECASE
)
_TAGS = re.compile(r"</?[a-z][^<>]*>", re.IGNORECASE)
# Python reads no number of thousands of digits, and none that long is a character's but for zeros before it.
_ZEROS = re.compile(r"&#0+(?=[0-9])")
_NO_CHARACTER = re.compile(r"&#[0-9]{8,};?")


def plain_text(markup: str) -> str:
    """Return the text of a scrap of HTML, such as a snippet with its matches highlighted.

    Highlights and other tags inside a word or a line vanish, every other tag becomes a blank, and entities are
    unescaped, once. For providers: give it what the search engine says is HTML, and give it that once; in plain text
    ``<T>`` and ``&amp;`` mean themselves. A number that is no character's becomes U+FFFD.
    """
    text = _TAGS.sub(" ", _HIGHLIGHTS.sub("", markup))
    return html.unescape(_NO_CHARACTER.sub("\ufffd", _ZEROS.sub("&#", text)))
