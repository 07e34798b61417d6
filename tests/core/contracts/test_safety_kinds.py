"""Which error text is accepted: secrets, paths and frames of every kind, wherever they stand in a sentence."""

from __future__ import annotations

import base64
import string

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ditto_core import safe_message
from ditto_core.contracts.safety import MAX_MESSAGE, RULES, is_error_code, unsafe_reason

CREDENTIAL, PATH, FRAME = "holds a credential", "holds an absolute path", "holds a stack frame"
REASONS = {rule.what for rule in RULES}
SHORT_PASSED = [text for rule in RULES for text in rule.passed if len(text) < 100]
VISIBLE_REFUSED = [(t, rule.what) for rule in RULES if rule.what in {CREDENTIAL, PATH, FRAME} for t in rule.refused]
PLAIN_REFUSED = [(text, what) for text, what in VISIBLE_REFUSED if text.isascii()]
INVISIBLE = "\u00ad\u061c\u180e\u200b\u200e\u200f\u202a\u202e\u2060\u2066\u206f\ufeff\ufff9\U000e0041"
NAMES = ("password", "passwd", "pwd", "secret", "token", "api_key", "apikey", "access_token", "DB_PASSWORD")
HEADERS = ("Authorization", "Proxy-Authorization", "X-Api-Key", "X-Subscription-Token", "Cookie")
SHAPES = ("sk-", "sk_live_", "ghp_", "gho_", "github_pat_", "glpat-", "xoxb-", "AKIA", "AIza", "hf_")
CONTROLS = [*map(chr, range(0x20)), *map(chr, range(0x7F, 0xA0)), "\u2028", "\u2029"]

words = st.sampled_from(
    [
        *("the", "disk", "was", "full", "so", "task", "could", "not", "write", "report", "after", "three", "tries"),
        *("by", "noon", "N/A", "and/or"),
    ]
)
prose = st.lists(words, min_size=1, max_size=8).map(" ".join)
alnum = string.ascii_letters + string.digits
# Upper case and digits only: no run of them can be part of a reason, which is prose.
secrets = st.text(string.ascii_uppercase + string.digits, min_size=16, max_size=40).filter(
    lambda secret: any(map(str.isdigit, secret))
)


@st.composite
def credentials(draw: st.DrawFn) -> tuple[str, str]:
    """Give a credential as it is written, and the part of it that is secret."""
    secret = draw(secrets)
    user = base64.b64encode(f"{draw(words)}:{secret}".encode()).decode()
    named = draw(st.sampled_from(NAMES))
    header = draw(st.sampled_from(HEADERS))
    shape = draw(st.sampled_from(SHAPES))
    forms = {
        f"Bearer {secret}": secret,
        f"Basic {user}": user,
        f"{named}={secret}": secret,
        f"{named.upper()} = '{secret}'": secret,
        f'{{"{named}": "{secret}"}}': secret,
        f"{header}: {secret}": secret,
        f"{shape}{secret}": secret,
        f"eyJ{secret}.{secret}.x": secret,
        f"https://user:{secret}@host/a": secret,
    }
    return draw(st.sampled_from(sorted(forms.items())))


# Letters that spell no word which means something by itself, such as a root or a scheme.
LETTERS = "bcdfghjk"
segments = st.text(LETTERS + string.digits, min_size=1, max_size=8)
relative = st.lists(segments, min_size=2, max_size=4)
roots = st.sampled_from(["home", "etc", "var", "usr", "tmp", "root", "srv", "opt", "proc"])
posix = relative.map("/".join).map("/{}".format) | roots.map("/{}".format)
windows = st.tuples(st.sampled_from("CDcd"), relative.map("\\".join) | relative.map("/".join)).map(
    lambda drive_and_rest: "{}:\\{}".format(*drive_and_rest)
)
paths = st.one_of(
    posix,
    windows,
    relative.map("\\".join).map("\\\\{}".format),
    relative.map("/".join).map("file:///{}".format),
    relative.map("/".join).map("~/{}".format),
)
frames = st.builds(
    str.format,
    st.sampled_from(
        [
            'File "{0}.py", line {1}',
            "at {0} ({0}.ts:{1}:{2})",
            "at async {0} (node:internal/{0}:{1}:{2})",
            "at {0}.js:{1}:{2}",
            "at {0}.py:{1}",
            "{0}.py:{1}: in f",
            "Traceback (most recent call last)",
        ]
    ),
    st.text(LETTERS, min_size=1, max_size=8),
    st.integers(0, 9999),
    st.integers(0, 999),
)
# What may stand before a path so that it counts as one.
openings = st.sampled_from(["", " ", "\u00a0", "=", ":", ",", "`", "'", '"', "(", "[", "{", "<", "“", "「"])


@given(credentials(), prose, prose, st.sampled_from([" ", "(", "'", '"', "=", ":", ", ", "`", "「"]))
@pytest.mark.promise("ERR-04", "D-ERR-07")
@pytest.mark.case("SEC-05")
def test_a_credential_anywhere_in_a_sentence_is_refused_and_the_reason_shows_nothing_of_it(
    credential: tuple[str, str], before: str, after: str, opening: str
) -> None:
    written, secret = credential
    for text in (written, f"{before}{opening}{written}", f"{written} {after}", f"{before}{opening}{written} {after}"):
        reason = unsafe_reason(text)
        assert reason == CREDENTIAL
        assert not any(secret[start : start + 4] in reason for start in range(len(secret) - 3))


@given(paths, openings, prose, prose)
@pytest.mark.promise("ERR-05", "D-ERR-06")
@pytest.mark.case("SEC-05")
def test_an_absolute_path_after_any_opening_is_refused(path: str, opening: str, before: str, after: str) -> None:
    for text in (f"{opening}{path}", f"{before} {opening}{path}", f"{before} {opening}{path} {after}"):
        assert unsafe_reason(text) == PATH
    if opening:
        assert unsafe_reason(f"{before}{opening}{path}") == PATH


@given(relative, prose)
@pytest.mark.promise("ERR-05", "D-ERR-06")
@pytest.mark.case("SEC-04")
def test_neither_the_path_of_a_url_nor_a_relative_path_nor_one_segment_is_an_absolute_path(
    route: list[str], before: str
) -> None:
    written = "/".join(route)
    for text in (
        f"https://host/{written}",
        f"(see http://host:80/{written})",
        written,
        f"./{written}",
        f"/a{route[0]}",
    ):
        assert unsafe_reason(f"{before} {text}") is None


@given(frames, prose, prose)
@pytest.mark.promise("ERR-06")
@pytest.mark.case("SEC-05")
def test_a_frame_anywhere_in_a_sentence_is_refused(frame: str, before: str, after: str) -> None:
    for text in (frame, f"{before} {frame}", f"{before}: {frame} {after}", f"({frame}) {after}"):
        assert unsafe_reason(text) == FRAME


@given(st.sampled_from(SHORT_PASSED), prose, prose)
@pytest.mark.case("SEC-04")
def test_harmless_text_stays_harmless_inside_a_sentence(text: str, before: str, after: str) -> None:
    for whole in (
        f"{before} {text}.",
        f"{before}: {text}. {after}",
        f"{text}, {after}",
        f"{before}, ({text}) {after}",
    ):
        assert unsafe_reason(whole) is None, whole


@given(prose, st.sampled_from(CONTROLS), st.data())
@pytest.mark.promise("ERR-03")
@pytest.mark.case("SEC-05")
def test_a_control_character_anywhere_is_refused(text: str, control: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(text)))
    assert unsafe_reason(text[:at] + control + text[at:]) == "holds a control character"


@given(prose, st.characters(categories=["Cs"]) | st.sampled_from(INVISIBLE), st.data())
@pytest.mark.promise("ERR-03")
def test_half_a_pair_or_an_invisible_character_anywhere_is_refused(
    text: str, character: str, data: st.DataObject
) -> None:
    at = data.draw(st.integers(0, len(text)))
    expected = "holds an invisible character" if character in INVISIBLE else "holds a lone surrogate"
    assert unsafe_reason(text[:at] + character + text[at:]) == expected


@pytest.mark.parametrize(("text", "what"), PLAIN_REFUSED)
def test_full_width_forms_and_joiners_hide_nothing(text: str, what: str) -> None:
    assert unsafe_reason("".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text)) == what
    for joiner in "\u034f\u200c\u200d\ufe00\ufe0f\U000e0100\U000e01ef":
        assert unsafe_reason(joiner.join(text)) == what
        assert unsafe_reason(text.replace("a", f"a{joiner}")) == what


def test_the_plain_reading_adds_to_what_is_refused_and_takes_nothing_away() -> None:
    assert unsafe_reason("ªsk-abc") == CREDENTIAL  # read plainly it is the word "ask-abc"


@pytest.mark.parametrize("character", [*INVISIBLE, "\u202c", "\u2069", "\ufffa", "\ufffb", "\U000e0000", "\U000e007f"])
@pytest.mark.promise("ERR-03")
def test_each_invisible_character_is_refused(character: str) -> None:
    assert unsafe_reason(f"disk{character}full") == "holds an invisible character"


@given(st.text(max_size=600) | st.sampled_from(VISIBLE_REFUSED).map(lambda row: row[0]), prose)
@example("x" * (MAX_MESSAGE + 1), "no")
@pytest.mark.promise("D-ERR-09")
@pytest.mark.case("SEC-04")
def test_any_text_is_accepted_or_refused_for_a_fixed_reason_and_never_edited(text: str, fallback: str) -> None:
    reason = unsafe_reason(text)
    assert reason is None or reason in REASONS
    assert safe_message(text, fallback) == (fallback if reason else text)


@given(st.text(alnum + "_.-", min_size=1, max_size=64), st.characters(exclude_characters=alnum + "_.-"), st.data())
@pytest.mark.promise("ERR-01")
def test_an_error_code_holds_only_its_own_characters(code: str, stranger: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(code)))
    assert is_error_code(code)
    assert not is_error_code(code[:at] + stranger + code[at:])
    assert not is_error_code(code.ljust(65, "x"))
