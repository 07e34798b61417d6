"""Network origins: one form for all ways to write the same one."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ditto_core import InvalidValue, PermissionDenied, Sandbox

SAME = {
    "https://api.example.com": [
        "https://api.example.com/",
        "HTTPS://API.Example.COM",
        "https://api.example.com:443",
        "https://api.example.com:0443/",
    ],
    "http://localhost": ["http://localhost:80", "HTTP://LOCALHOST/"],
    "http://localhost:443": ["http://LOCALHOST:443/"],
    "https://h:80": ["https://H:00080"],
    "http://[::1]:8080": ["http://[0:0:0:0:0:0:0:1]:8080", "HTTP://[::0001]:8080/"],
    "https://[2001:db8::a]": ["https://[2001:DB8:0::A]:443"],
    "http://a_b-c.d": ["http://A_B-C.D"],
}
NO_ORIGINS = [
    "",
    "*.example.com",
    "example.com",
    "//example.com",
    "https:example.com",
    "https:///",
    "ftp://example.com",
    "file:///etc",
    "https://example.com/path",
    "https://example.com//",
    "https://example.com?q=1",
    "https://example.com#top",
    "https://user@example.com",
    "https://user:pass-word@example.com",
    "https://example.com:",
    "https://example.com:0",
    "https://example.com:65536",
    "https://example.com:443443",
    "https://example.com:4é",
    "https://example.com:٤٤٣",
    "https://example.com.",
    "https://.example.com",
    "https://exa mple.com",
    " https://example.com",
    "https://example.com\n",
    "https://exam\tple.com",
    "https://bücher.example",
    "https://ſ.example",
    "https://[::1",
    "https://[::g]",
    "https://[fe80::1%25eth0]",
    "https://[]",
    "https://[1::2::3]",
    "https://[:::]",
    "https://::1",
    "https://example.com\\@evil.example",
    "https://\ud800",
]


@pytest.mark.parametrize(("normal", "written"), [(normal, w) for normal, ways in SAME.items() for w in ways])
@pytest.mark.promise("D-SBX-04")
def test_both_sides_are_compared_in_normal_form(normal: str, written: str) -> None:
    assert Sandbox(network=[written]).network == {normal}
    assert Sandbox(network=[written]).allows("network", normal)
    assert Sandbox(network=[normal]).allows("network", written)


@pytest.mark.promise("D-SBX-04")
def test_different_origins_stay_different() -> None:
    for normal in SAME:
        others = Sandbox(network=[other for other in SAME if other != normal])
        assert not others.allows("network", normal)
    assert not Sandbox(network=["https://example.com"]).allows("network", "http://example.com")
    assert not Sandbox(network=["https://example.com"]).allows("network", "https://api.example.com")
    assert not Sandbox(network=["http://127.0.0.1"]).allows("network", "http://127.1")


@pytest.mark.parametrize("text", NO_ORIGINS)
@pytest.mark.promise("D-SBX-04")
def test_what_is_no_origin_is_refused_on_both_sides_and_not_repeated(text: str) -> None:
    for refuse in (lambda: Sandbox(network=[text]), lambda: Sandbox(network=["*"]).allows("network", text)):
        with pytest.raises(InvalidValue) as caught:
            refuse()
        assert "pass-word" not in str(caught.value)


@given(
    scheme=st.sampled_from(["http", "https"]),
    labels=st.lists(st.from_regex(r"[a-z0-9_-]{1,8}", fullmatch=True), min_size=1, max_size=4),
    port=st.integers(1, 65535),
    data=st.data(),
)
@pytest.mark.promise("D-SBX-04")
def test_the_normal_form_is_the_same_however_it_is_written_and_stays(
    scheme: str, labels: list[str], port: int, data: st.DataObject
) -> None:
    host = ".".join(labels)
    default = {"http": 80, "https": 443}[scheme]
    port = data.draw(st.sampled_from([port, default]))
    ports = ["", f":{port}"] if port == default else [f":{port}"]
    written = f"{scheme}://{host}{data.draw(st.sampled_from(ports))}{data.draw(st.sampled_from(['', '/']))}"
    written = "".join(data.draw(st.sampled_from([c, c.upper()])) for c in written)
    (normal,) = Sandbox(network=[written]).network
    assert normal == f"{scheme}://{host}" + ("" if port == default else f":{port}")
    assert Sandbox(network=[normal]).network == {normal}


@given(st.text() | st.sampled_from(["https://", "http://h"]).flatmap(lambda start: st.text().map(start.__add__)))
def test_any_text_is_an_origin_of_the_plain_alphabet_or_refused(text: str) -> None:
    try:
        (normal,) = Sandbox(network=[text]).network
    except InvalidValue:
        return
    assert normal == "*" or set(normal) <= set("abcdefghijklmnopqrstuvwxyz0123456789_-.:/[]")


def test_a_refusal_names_the_origin() -> None:
    message = (
        "Network origin 'https://H': the sandbox does not allow it. Allow it with Sandbox(network=['https://H'])."
    )
    with pytest.raises(PermissionDenied) as caught:
        Sandbox().require("network", "https://H")
    assert str(caught.value) == message


@pytest.mark.parametrize("value", [1, None, b"https://h"])
def test_an_origin_is_a_string(value: Any) -> None:
    with pytest.raises(InvalidValue, match=r"^name: network are allowed by name"):
        Sandbox(network=["*"]).allows("network", value)
