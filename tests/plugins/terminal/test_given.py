"""``-p NAME[:KEY=VALUE]``."""

from __future__ import annotations

import pytest
import typer
from hypothesis import given as examples
from hypothesis import strategies as st

from ditto_core import InvalidValue, parse_json
from ditto_terminal.given import given

NAMES = st.text("abcdefgh_-", min_size=1, max_size=8)
KEYS = st.from_regex(r"[a-z]{1,5}(_[a-z]{1,5}){0,2}", fullmatch=True)


def test_plugins_keep_their_order_and_gather_their_options() -> None:
    first, second = given(["b:x=1", "a", "b:y_z=two", "a:w=null"])
    assert (first.name, first.options) == ("b", {"x": 1, "yZ": "two"})
    assert (second.name, second.options) == ("a", {"w": None})


@examples(NAMES, KEYS, st.text(max_size=30).filter(lambda text: not text.startswith("@")))
def test_a_value_is_json_where_it_parses_and_text_otherwise(name: str, key: str, value: str) -> None:
    (found,) = given([f"{name}:{key}={value}"], {})
    (read,) = found.options.values()
    try:
        assert read == parse_json(value)
    except InvalidValue:
        assert read == value


def test_a_url_is_a_value_like_any_other() -> None:
    (found,) = given(["acme:base_url=https://acme.example:8443/a?b=c"])
    assert found.options == {"baseUrl": "https://acme.example:8443/a?b=c"}


def test_a_secret_comes_from_the_environment_as_text_and_is_not_shown() -> None:
    (found,) = given(["acme:apiKey=@ACME_KEY"], {"ACME_KEY": "1.50"})
    assert found.secrets == {"api_key": "1.50"}
    assert found.options == {}
    assert "1.50" not in repr(found)


def test_text_that_begins_with_the_sign_is_written_as_json() -> None:
    (found,) = given(['acme:handle="@name"'], {})
    assert found.options == {"handle": "@name"}


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([""], "names no plugin"),
        (["=x"], "names no plugin"),
        (["acme:"], "an option is KEY=VALUE"),
        (["acme:max"], "an option is KEY=VALUE"),
        (["acme:a b=1"], "an option is KEY=VALUE"),
        (["acme:a=1", "acme:a=2"], "given twice"),
        (["acme:a_b=1", "acme:aB=2"], "given twice"),
        (["acme:a_b=@X", "acme:aB=2"], "given twice"),
        (["acme:a_b=2", "acme:aB=@X"], "given twice"),
        (["acme:key=@NOT_SET"], "NOT_SET, which is not set"),
    ],
)
def test_what_cannot_be_understood_is_wrong_usage(words: list[str], told: str) -> None:
    with pytest.raises(typer.BadParameter, match=told):
        given(words, {"X": "secret"})
