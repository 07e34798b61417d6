"""Which URLs may stand in a result: plain ones, judged together as they are judged one by one."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ditto_core.web_search.urls import MAX_URL, first_bad, is_plain_url
from tests.support.searching import Searching, hit, search

PLAIN = [
    "https://a.example",
    "http://a.example/",
    "https://a.example?q=1",
    "https://a.example#top",
    "https://a.example/b@c:d",
    "https://a.example/%20?next=https://u:p@h/",
    "https://a.example/(x)[y]{z}|'^`~!$&*+,;=",
    "https://a.example:1/",
    "https://a.example:65535/x",
    "https://a.example./",
    "HTTPS://H/",
    "hTTp://A.example/",
    "http://localhost",
    "http://127.0.0.1:8080/",
    "http://[::1]/",
    "https://[2001:db8::1]:8443/x",
    "https://xn--bcher-kva.example/",
    "https://my_host.example/",
    "https://ja.wikipedia.org/wiki/日本",
    "https://a.example/é?ü#😀",
    "https://a.example/" + "x" * (MAX_URL - 18),
]
OTHERS = [
    *("", " ", "/", "//h/x", "h", "a.example/", "https:", "https://", "https:///x", "https:/h", "https:h", "http://?x"),
    *("ftp://h/", "file:///etc/passwd", "javascript:alert(1)", "data:,x", "https+x://h/", "ws://h/", "ahttps://h/"),
    *("http://a@b/", "https://:p@h/", "https://u:p@h/", "https://@h/", "https://h@", "https://u:p@[::1]/"),
    *(r"https://h\@evil/", r"https://h/\x", "https:\\\\h", r"https://\h"),
    *(" https://h/", "https://h/ ", "ht\ntps://h/", "https://h/\n", "https://h/\r\nX: y", "https://h\t/", "https://h/\0"),
    *("https://h:99999/", "https://h:65536/", "https://h:0/", "https://h:/", "https://h:x/", "https://h:-1/"),
    *("https://h:080/", "https://h:８０/", "https://h:1:2/"),
    *("https://[::1", "https://::1]/", "https://[]/", "https://[:]/", "https://[1::2::3]/", "https://[::1]x/"),
    *("https://[v1.x]/", "https://[::1%25eth0]/", "https://[fe80::1%eth0]/"),
    *("https://.h/", "https://h..x/", "https://h../", "https://./", "https://%68/", "https://h*/", "https://h,x/"),
    *("https://bücher.example/", "https://h。example/", "https://h／@evil/", "https://ｈ/", "https://h\u200b/"),
    *('https://h/"x', "https://h/<x>", "https://h/a b", "https://h/?a b", "https://h/\u00a0"),
    *("https://h/\u202egpj", "https://h/\u200b", "https://h/\u2028", "https://h/\x85", "https://h/\x7f"),
    *("https://h/\ud800", "https://h/\ue000", "https://h/\ufeff"),
    *("https://a.example/" + "x" * (MAX_URL - 17), "https://h/" + "x" * 100_000),
]  # fmt: skip

_names = st.sampled_from(
    ["h", "a.example", "A-b.c", "h.", "127.0.0.1", "[::1]", "h..x", "é", "", "u@h", "u:p@h", "h\\"]
)
_ports = st.sampled_from(["", "", ":80", ":65535", ":65536", ":", ":0", ":x"])
_rests = st.sampled_from(
    ["", "/", "/a/b?c=d#e", "?x", "#", "/é", "/ ", '/"', "/\n", "\\", "/\u202e", "/@", "\nhttps://h/"]
)
_schemes = st.sampled_from(["https://", "http://", "https://", "HTTP://", "ftp://", "https:", "//", "", " http://"])
urls = st.builds("{}{}{}{}".format, _schemes, _names, _ports, _rests)
edited = st.tuples(st.sampled_from(PLAIN[:-1]), st.integers(0, 40), st.characters(), st.integers(0, 2)).map(
    lambda way: way[0][: way[1]] + way[2] + way[0][way[1] + way[3] :]
)


@pytest.mark.parametrize("url", PLAIN)
@pytest.mark.promise("WEB-06")
@pytest.mark.case("WEB-13")
def test_a_plain_url_stays_as_it_is(url: str) -> None:
    result = search(Searching([hit(url)]))
    assert result.structured_content["results"][0]["url"] == url  # type: ignore[call-overload, index]


@pytest.mark.parametrize("url", OTHERS, ids=lambda url: ascii(url)[:40])
@pytest.mark.promise("WEB-06")
@pytest.mark.case("WEB-13")
def test_any_other_is_refused(url: str) -> None:
    assert not is_plain_url(url)
    assert first_bad([*PLAIN, url, url]) == len(PLAIN)


@pytest.mark.parametrize("url", [url for url in OTHERS if "\ud800" not in url], ids=lambda url: ascii(url)[:40])
@pytest.mark.promise("WEB-06")
@pytest.mark.case("WEB-13")
def test_one_bad_url_among_those_that_are_asked_for_fails_the_search(url: str) -> None:
    provider = Searching([hit(), hit(url)])
    result = search(provider, limit=2)
    assert (result.status, result.structured_content or None, result.references or None) == ("failed", None, None)
    assert search(provider, limit=1).status == "success"


def test_every_port_that_there_is_and_no_other_may_be_named() -> None:
    assert [port for port in range(70_000) if is_plain_url(f"https://h:{port}/")] == [*range(1, 65_536)]


@given(urls | edited | st.text(max_size=20))
@pytest.mark.promise("WEB-06")
@pytest.mark.case("WEB-13")
def test_what_is_accepted_means_the_same_host_to_another_parser(url: str) -> None:
    if is_plain_url(url):
        parts = urlsplit(url)
        assert parts.scheme in {"http", "https"}
        assert parts.hostname
        assert (parts.username, parts.password) == (None, None)
        assert parts.port != 0
        assert parts.geturl().lower().startswith(url.lower().rstrip("#?"))  # the parser has stripped nothing either
        assert url.isprintable()
        assert not set(url) & set(' "<>\\')


@given(st.lists(urls | edited | st.sampled_from(PLAIN), max_size=6))
@example([])
@example(["https://h/\nhttps://h/"])
@example(["https://h/\n", "https://h/"])
@example([PLAIN[-1], PLAIN[-1]])
@pytest.mark.promise("WEB-06")
@pytest.mark.case("WEB-13")
def test_urls_are_judged_together_as_they_are_one_by_one(several: list[str]) -> None:
    bad = [index for index, url in enumerate(several) if not is_plain_url(url)]
    assert first_bad(several) == (bad[0] if bad else None)
