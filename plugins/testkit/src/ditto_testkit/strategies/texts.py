"""Text that has broken programs before."""

from __future__ import annotations

from hypothesis import strategies as st

NASTY = (
    "-",
    "--",
    "-x",
    "--help",
    "-rf",
    "--version=1",
    "$(id)",
    "`id`",
    "; id",
    "| id",
    "&& id",
    "$HOME",
    "~",
    "*",
    "?",
    "[a-z]",
    "{a,b}",
    "%s%n",
    "a b",
    " a",
    "a ",
    "'",
    '"',
    "\\",
    "a\\nb",
    "a\tb",
    "a\nb",
    "a\r\nb",
    "a\n",
    "\x00",
    "\x1b[31m",
    "\x7f",
    "\x85",
    "\u2028",
    "\u200b",
    "\u202e",
    "\ufeff",
    "é",
    "e\u0301",
    "😀",
    "👨\u200d👩\u200d👧",
    "İ",
    "ß",
    "NULL",
    "null",
    "true",
    "0",
    "-1",
    "1e400",
    "..",
    ".",
    "../a",
    "a/../../b",
    "/etc/passwd",
    "//a",
    "C:\\a",
    "file:///etc/passwd",
    "con",
)
"""Words, paths and characters that shells, terminals, parsers and file systems take for something else."""

_characters = st.characters(codec="utf-8")


def texts(*, min_size: int = 0, max_size: int = 40) -> st.SearchStrategy[str]:
    """Give text that UTF-8 can write, plain and nasty, of a length within the bounds."""
    fitting = [text for text in NASTY if min_size <= len(text) <= max_size]
    made = st.text(_characters, min_size=min_size, max_size=max_size)
    return made | st.sampled_from(fitting) if fitting else made


def nasty_texts() -> st.SearchStrategy[str]:
    """Give :data:`NASTY` texts, alone, repeated and inside of others."""
    nasty = st.sampled_from(NASTY)
    around = st.text(_characters, max_size=4)
    return (
        nasty
        | st.builds(lambda a, b, c: f"{a}{b}{c}", around, nasty, around)
        | st.builds(lambda text, times: text * times, nasty, st.integers(2, 50))
    )
