"""Requests and their fingerprint."""

from __future__ import annotations

from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from order_observer import InvalidRequest, Request
from tests.examples.order_observer.values import REQUEST


@pytest.mark.promise("UND-24")
def test_the_canonical_form_has_six_fields_and_nothing_else() -> None:
    given = {**REQUEST.canonical(), "priority": "high"}
    assert list(REQUEST.canonical()) == ["id", "tenant", "mode", "scenario", "orderId", "origin"]
    assert Request.of(given) == REQUEST
    assert Request.of(dict(reversed(given.items()))).fingerprint() == REQUEST.fingerprint()


@pytest.mark.parametrize("field", ["id", "tenant", "orderId", "mode", "scenario", "origin"])
def test_a_field_that_is_missing_is_named(field: str) -> None:
    given = REQUEST.canonical()
    del given[field]
    with pytest.raises(InvalidRequest) as caught:
        Request.of(given)
    assert caught.value.field == field


@pytest.mark.parametrize("value", ["", "a" * 81, "a b", "ä", "a\n", "a/b", "a:b", "٣", 1, True, None, ["a"]])
@pytest.mark.parametrize("field", ["id", "tenant", "order_id"])
def test_names_are_80_plain_characters(field: str, value: Any) -> None:
    with pytest.raises(InvalidRequest):
        attrs.evolve(REQUEST, **{field: value})


@pytest.mark.parametrize("value", ["Read", "", None, 1, ["read"]])
def test_a_mode_is_one_of_five(value: Any) -> None:
    with pytest.raises(InvalidRequest):
        attrs.evolve(REQUEST, mode=value)


@pytest.mark.parametrize("origin", ["http://a.example", "https://a.example:8443", "http://[::1]:8080"])
def test_an_origin_in_its_normal_form(origin: str) -> None:
    assert attrs.evolve(REQUEST, origin=origin).origin == origin


@pytest.mark.parametrize(
    "origin",
    [
        "http://a.example/",
        "http://a.example/path",
        "http://a.example?q",
        "http://a.example#f",
        "http://u@a.example",
        "http://A.example",
        "HTTP://a.example",
        "http://a.example:80",
        "https://a.example:443",
        "http://a.example:08080",
        "http://",
        "ftp://a.example",
        "a.example",
        "*",
        "",
        None,
        8080,
    ],
)
def test_every_other_origin_is_refused(origin: Any) -> None:
    with pytest.raises(InvalidRequest) as caught:
        attrs.evolve(REQUEST, origin=origin)
    assert caught.value.field == "origin"


@pytest.mark.parametrize("given", [None, [], "x", 1])
def test_what_is_no_object_is_refused(given: Any) -> None:
    with pytest.raises(InvalidRequest):
        Request.of(given)


names = st.text("abcXYZ019_-", min_size=1, max_size=80)


@given(names, names, names)
def test_two_requests_have_one_fingerprint_only_if_they_are_the_same(id: str, tenant: str, order_id: str) -> None:
    other = attrs.evolve(REQUEST, id=id, tenant=tenant, order_id=order_id)
    assert (other.fingerprint() == REQUEST.fingerprint()) == (other == REQUEST)
    assert Request.of(other.canonical()) == other
