"""Which error text is accepted: hostile text costs no more than harmless text."""

from __future__ import annotations

import time

import pytest

from ditto_core.contracts.safety import RULES, Rule, unsafe_reason

# Beginnings of what the patterns look for, so that each may be tried at every place and fail as late as possible.
PIECES = [
    *(
        "a",
        " ",
        "/",
        " /",
        "=/",
        "/a",
        "\\",
        "\\\\a",
        "0",
        "A",
        ":",
        ".",
        "-",
        "@",
        "(",
        "~",
        "*",
        "'",
        "\u3000",
        "Ａ",
    ),
    *("at ", "at a (", "at a (a.", "at a.js:", "at async ", "a.js:1:", "1:1:", "@a.js:1:", 'File "', ".py:1", "[as "),
    *(
        "bearer ",
        "bearer=",
        "basic ",
        "Basic AAAA",
        "Basic 0000",
        "AAAB",
        "x-a-",
        "X-Api-",
        "eyJ",
        "eyJaa.",
        "SG.",
        "AKIA",
    ),
    *(
        "token:",
        "token ",
        "token = ",
        "password=***",
        "--a-",
        "--a-token ",
        "://",
        "://a:",
        "://a:b",
        "GET /a",
        "~user",
    ),
    *(
        "-----BEGIN ",
        "-----BEGIN A",
        "#0 0x",
        "traceback (most recent call ",
        "$HOME",
        "access_key_id ",
        "<anonymous>:1",
    ),
]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_no_pattern_takes_more_than_linear_time(rule: Rule) -> None:
    # 20,000 characters take milliseconds in linear time, several seconds in quadratic time.
    for piece in PIECES:
        text = (piece * 20_000)[:20_000] + "!"
        started = time.process_time()
        rule.pattern.search(text)
        assert time.process_time() - started < 1.0, piece


def test_a_huge_text_is_refused_without_being_read() -> None:
    started = time.process_time()
    assert unsafe_reason("at a (" * 5_000_000) == "is longer than 512 characters"
    assert time.process_time() - started < 1.0


@pytest.mark.parametrize("piece", ["ﷺ", "／", "at ａ("])
def test_text_that_grows_when_it_is_read_plainly_costs_little_as_well(piece: str) -> None:
    started = time.process_time()
    unsafe_reason((piece * 512)[:512])
    assert time.process_time() - started < 1.0
