"""Scalars are those of YAML 1.2's core schema, in a section as the plugin gets them."""

from __future__ import annotations

from typing import Any

import attrs
import pytest

from ditto_core import JsonValue
from tests.support.configs import Load


@attrs.frozen(kw_only=True)
class Anything:
    a: JsonValue = "default"


@pytest.mark.promise("D-CFG-01")
@pytest.mark.parametrize(
    ("written", "read"),
    [
        *[(text, text) for text in ("yes", "no", "on", "off", "y", "N", "2024-01-01", "12:30:45", "1_000", "0b11")],
        *[(text, text) for text in ("2001-12-14t21:59:43Z", "1__0.5", "0o8", "0x", "+0x1", "1e", ".", "=", "١")],
        *[(text, True) for text in ("true", "True", "TRUE")],
        *[(text, False) for text in ("false", "False", "FALSE")],
        *[(text, None) for text in ("null", "Null", "NULL", "~", "", "!!null ''")],
        *[("5", 5), ("+5", 5), ("-5", -5), ("007", 7), ("0o17", 15), ("0x1F", 31), ("!!int 5", 5)],
        *[("5.0", 5), ("5.", 5), ("1e3", 1000), ("-0.0", 0), ("1E+2", 100), ("!!float 5", 5)],
        *[(".5", 0.5), ("1e-2", 0.01), ("-1.5", -1.5)],
        *[
            ("'5'", "5"),
            ('"true"', "true"),
            ("! 5", "5"),
            ("!!str 5", "5"),
            ("|-\n      5", "5"),
            (">-\n      a\n      b", "a b"),
        ],
        *[('"\\ud83d\\ude00"', "😀"), ("😀", "😀"), ("<<", "<<"), ("'*a'", "*a")],
        *[("[1, [a], {b: yes}]", [1, ["a"], {"b": "yes"}]), ("{}", {}), ("!!seq []", []), ("!!map {}", {})],
    ],
)
def test_a_scalar_means_what_the_core_schema_says(written: str, read: Any, load: Load) -> None:
    found = load(f"plugins:\n  x:\n    a: {written}\n").plugin("x", Anything).a
    assert (type(found), found) == (type(read), read)


@pytest.mark.parametrize("written", ["yes", "on", "2024-01-01", "<<"])
def test_a_key_that_looks_like_something_else_is_a_string(written: str, load: Load) -> None:
    key = f"'{written}'" if written == "<<" else written
    found = load(f"plugins: {{x: {{a: {{{key}: 1}}}}}}").plugin("x", Anything)
    assert found.a == {written: 1}
