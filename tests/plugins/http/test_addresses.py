"""Addresses: what a service can be at, where a key may go, and the origin that a sandbox permits."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ditto_core import InvalidValue, Sandbox
from ditto_http import checked_address, is_private, origin_of
from ditto_http.addresses import MAX_ADDRESS

HOSTS = st.sampled_from(
    ["127.0.0.1", "127.8.9.1", "[::1]", "10.0.0.1", "[::2]", "localhost", "a.example", "xn--e1a.io"]
)
PORTS = st.one_of(st.none(), st.integers(1, 65_535))
PATHS = st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7E, exclude_characters="?#\\"), max_size=40)
REFUSED = [
    *("", "h.example", "//h", "/x", "ftp://h/x", "HTTPS://h/x", "https://H/x", "https:///x", " https://h/x"),
    *("https://hunter2@h/x", "https://user:hunter2@h/x", "https://h/x?key=hunter2", "https://h/x#hunter2"),
    *(
        "https://h\\@evil/x",
        "https://h/a b",
        "https://h/\r\nX: hunter2",
        "https://h/x\n",
        "https://é/x",
        "https://h/é",
    ),
    *("https://h:99999/x", "https://h:0/x", "https://h:/x", "https://[::1/x", "https://[1]/x", "https://h/\ud800"),
    "https://h/" + "x" * MAX_ADDRESS,
    *(None, 1, b"https://h", type("S", (str,), {})("https://h/x")),
]


@given(scheme=st.sampled_from(["http", "https"]), host=HOSTS, port=PORTS, path=PATHS)
def test_a_good_address_is_taken_as_it_is_and_its_origin_is_one(
    scheme: str, host: str, port: int | None, path: str
) -> None:
    address = f"{scheme}://{host}{'' if port is None else f':{port}'}/{path}"
    assert checked_address("X.y", address, private=False) == address
    origin = origin_of(address)
    assert Sandbox(network=[origin]).allows("network", origin)
    assert address.startswith(origin) or port in (80, 443)
    assert httpx.URL(origin).host == httpx.URL(address).host


@given(scheme=st.sampled_from(["http", "https"]), host=HOSTS, path=PATHS)
def test_a_private_address_is_encrypted_or_of_this_machine(scheme: str, host: str, path: str) -> None:
    address = f"{scheme}://{host}/{path}"
    expected = scheme == "https" or host in ("127.0.0.1", "127.8.9.1", "[::1]")
    assert is_private(address) == expected
    if expected:
        assert checked_address("X.y", address, private=True) == address
    else:
        with pytest.raises(InvalidValue, match=r"^X\.y: must be an https:// address .*: the key is sent there$"):
            checked_address("X.y", address, private=True)


@pytest.mark.parametrize("address", ["http://127.1/", "http://0.0.0.0/", "http://2130706433/", "http://[::2]/"])
def test_no_other_spelling_of_this_machine_is_private(address: str) -> None:
    assert not is_private(checked_address("X.y", address, private=False))


@given(text=st.text())
def test_no_text_does_more_than_be_refused(text: str) -> None:
    for address in (text, f"https://{text}", f"https://h/{text}", f"http://127.0.0.1:{text}"):
        with suppress(InvalidValue):
            assert checked_address("X.y", address, private=True) == address
            url = httpx.URL(address)
            assert (url.userinfo, url.query, url.fragment) == (b"", b"", "")


@pytest.mark.parametrize("private", [True, False])
@pytest.mark.parametrize("address", REFUSED)
def test_what_is_no_address_is_refused_and_not_quoted(address: Any, *, private: bool) -> None:
    with pytest.raises(InvalidValue, match=r"^X\.y: must be an http") as raised:
        checked_address("X.y", address, private=private)
    assert "hunter2" not in f"{raised.value}{raised.value.__context__}{raised.value.__cause__}"


def test_the_error_names_an_address_that_would_do() -> None:
    for private in (True, False):
        with pytest.raises(InvalidValue, match=r"in lower case, such as https://a\.example/v1, with"):
            checked_address("X.y", "", private=private, example="https://a.example/v1")


@pytest.mark.parametrize(
    ("address", "origin"),
    [
        ("https://a.example:443/x", "https://a.example"),
        ("https://a.example:8443/x/y", "https://a.example:8443"),
        ("http://[::1]:8080", "http://[::1]:8080"),
    ],
)
def test_the_port_of_a_scheme_is_left_out(address: str, origin: str) -> None:
    assert origin_of(address) == origin
