"""What a provider is made with: checked at once, never quoted, and in no rendering of it."""

from __future__ import annotations

import copy
import logging
import os
import pickle
import pprint
from collections.abc import Callable
from importlib import metadata
from typing import Any

import attrs
import cattrs
import pytest
import structlog
from hypothesis import given
from hypothesis import strategies as st

from ditto_brave import BraveSearch
from ditto_core import (
    ConfigError,
    InvalidValue,
    Log,
    PluginHost,
    PluginLoadFailed,
    Sandbox,
    config_schema,
    load_config,
    load_plugin,
    web_search_tool,
)
from tests.support.brave import KEY

OFFICIAL = "https://api.search.brave.com"


@pytest.mark.promise("BRAVE-03", "BRAVE-06")
def test_a_provider_has_the_documented_defaults() -> None:
    brave = BraveSearch(KEY)
    assert (brave.timeout, brave.max_response_bytes) == (30.0, 1_048_576)
    assert (brave.origin, brave.endpoint) == (OFFICIAL, f"{OFFICIAL}/res/v1/web/search")
    assert Sandbox(network=[brave.origin]).allows("network", brave.origin)
    assert web_search_tool(brave).name == "web_search"


@pytest.mark.promise("BRAVE-03")
@pytest.mark.case("WEB-02")
@pytest.mark.parametrize("timeout", [0, -1, True, 2**31, 2_147_483.648, 0.0009, float("nan"), float("inf"), "5", None])
def test_an_illegal_timeout_is_refused(timeout: Any) -> None:
    with pytest.raises(InvalidValue, match=r"^BraveSearch.timeout: must be 0.001 to 2,147,483.647 seconds"):
        BraveSearch(KEY, timeout=timeout)


@pytest.mark.promise("BRAVE-03")
@pytest.mark.parametrize("size", [0, -1, True, 16_777_217, 1.0, "5", None])
def test_an_illegal_size_is_refused(size: Any) -> None:
    with pytest.raises(InvalidValue, match=r"^BraveSearch.max_response_bytes: must be an integer from 1 to 16777216"):
        BraveSearch(KEY, max_response_bytes=size)


@pytest.mark.promise("BRAVE-03")
@pytest.mark.parametrize(("timeout", "size"), [(0.001, 1), (2_147_483.647, 16_777_216), (1, 1)])
def test_the_bounds_themselves_are_accepted(timeout: float, size: int) -> None:
    brave = BraveSearch(KEY, timeout, size)
    assert (brave.timeout, brave.max_response_bytes) == (timeout, size)


@given(key=st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7E), min_size=1, max_size=1024))
@pytest.mark.promise("D-WEB-05")
def test_any_printable_key_is_taken(key: str) -> None:
    assert repr(BraveSearch(key)) == repr(BraveSearch(KEY))


@given(
    before=st.text("ab1-_", min_size=5),
    bad=st.sampled_from(["\r", "\n", "\r\nX: y", " ", "\t", "\0", "é", "\x7f", "\ud800"]),
)
@pytest.mark.promise("D-WEB-05")
def test_a_key_that_no_header_can_hold_is_refused_and_not_quoted(before: str, bad: str) -> None:
    for key in (before + bad, bad + before, before + bad + before):
        with pytest.raises(InvalidValue, match="must be 1 to 1024 printable ASCII characters") as raised:
            BraveSearch(key)
        assert before not in f"{raised.value}{raised.value.args}{raised.value.__context__}{raised.value.__cause__}"


@pytest.mark.promise("D-WEB-05")
@pytest.mark.parametrize(
    ("key", "problem"),
    [
        (None, "must be a string, not None"),
        (b"key-x", "must be a string, not a bytes"),
        (type("S", (str,), {})("key-x"), "must be a string, not a S"),
        ("", "must not be empty"),
        (" \t", "must not be empty"),
        ("k" * 1025, "must be 1 to 1024"),
    ],
)
def test_what_is_no_key_is_refused_with_the_fact(key: Any, problem: str) -> None:
    with pytest.raises(InvalidValue, match=problem) as raised:
        BraveSearch(key)
    assert "key-x" not in str(raised.value)


@pytest.mark.promise("BRAVE-06")
@pytest.mark.parametrize(
    ("endpoint", "origin"),
    [
        ("https://gate.example/search", "https://gate.example"),
        ("https://gate.example:8443/a/b", "https://gate.example:8443"),
        ("https://gate.example:443", "https://gate.example"),
        ("http://127.0.0.1:8080/x", "http://127.0.0.1:8080"),
        ("http://127.8.9.1", "http://127.8.9.1"),
        ("http://[::1]:8080/x", "http://[::1]:8080"),
    ],
)
def test_an_endpoint_changes_the_origin_with_it(endpoint: str, origin: str) -> None:
    brave = BraveSearch(KEY, endpoint=endpoint)
    assert brave.origin == origin
    assert Sandbox(network=[origin]).allows("network", brave.origin)
    assert not Sandbox(network=[OFFICIAL]).allows("network", brave.origin)
    web_search_tool(brave)


@pytest.mark.promise("D-WEB-05")
@pytest.mark.parametrize(
    "endpoint",
    [
        *("http://api.search.brave.com/x", "http://192.168.0.1/x", "http://localhost/x", "http://127.1/x"),
        *("http://0.0.0.0/x", "http://2130706433/", "http://[::2]/", "ftp://h/x", "//h/x", "/x", "", " https://h/x"),
        *("https://user:hunter2@h/x", "https://hunter2@h/x", "https://h/x?key=hunter2", "https://h/x#hunter2"),
        *("https://h/a b", "https://h/\r\nX: hunter2", "https://h\\@evil/x", "https://H/x", "https://h:99999/x"),
        *(
            "https://h:0/x",
            "https:///x",
            "https://é/x",
            "https://[::1/x",
            "https://h/" + "x" * 2000,
            None,
            b"https://h",
        ),
    ],
)
def test_an_endpoint_that_would_give_the_key_away_is_refused(endpoint: Any) -> None:
    with pytest.raises(InvalidValue, match=r"^BraveSearch.endpoint: must be an https") as raised:
        BraveSearch(KEY, endpoint=endpoint)
    assert "hunter2" not in str(raised.value)


@pytest.mark.promise("CFG-07")
def test_the_key_comes_from_the_application_and_not_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    name = "DITTO_WORKER_INTERACTION_BRAVE_SEARCH_API_KEY"
    for variable in (name, "BRAVE_API_KEY", "BRAVE_SEARCH_API_KEY"):
        monkeypatch.setenv(variable, KEY)
    config = load_config(None, os.environ)
    assert KEY not in f"{config!r} {config.section('brave').values}"
    with pytest.raises(PluginLoadFailed, match="needs 'api_key', which is not given"):
        load_plugin("brave", config=config)
    assert load_plugin("brave", config=config, api_key=os.environ[name]).origin == OFFICIAL


@pytest.mark.promise("BRAVE-06", "CFG-02b", "CFG-04b", "D-WEB-05")
def test_a_file_sets_limits_and_neither_key_nor_endpoint(tmp_path: Any) -> None:
    def config(text: str) -> Any:
        path = tmp_path / "ditto.json"
        path.write_text(text, encoding="utf-8")
        return load_config(path)

    section = '{"workers": {"interaction": {"webSearch": {"timeoutMs": 250, "maxResponseBytes": 9}}}}'
    brave = load_plugin("brave", config=config(section), api_key=KEY)
    assert (brave.timeout, brave.max_response_bytes) == (0.25, 9)
    for key in ("apiKey", "endpoint"):
        with pytest.raises(ConfigError, match=f"plugins.brave.{key} can be given in code only"):
            load_plugin("brave", config=config(f'{{"plugins": {{"brave": {{"{key}": "x"}}}}}}'), api_key=KEY)
    with pytest.raises(ConfigError, match=r"plugins\.brave\.timeout is not known"):
        load_plugin("brave", config=config('{"plugins": {"brave": {"timeout": 1}}}'), api_key=KEY)
    schema: Any = config_schema({"brave": BraveSearch})
    assert set(schema["properties"]["plugins"]["properties"]["brave"]["properties"]) == {
        "timeoutMs",
        "maxResponseBytes",
    }
    with pytest.raises(PluginLoadFailed, match="api_key") as raised:
        load_plugin("brave", api_key=f"{KEY}\n")
    assert KEY not in str(raised.value)


@pytest.mark.promise("BRAVE-02")
def test_it_brings_httpx_and_the_core_does_not() -> None:
    needed = {name: " ".join(metadata.requires(name) or ()) for name in ("ditto-brave", "ditto-core")}
    assert "httpx" in needed["ditto-brave"]
    assert "httpx" not in needed["ditto-core"]


@pytest.mark.promise("BRAVE-06")
def test_the_host_offers_it_as_brave() -> None:
    host, brave = PluginHost(), BraveSearch(KEY)
    host.register(brave)
    assert host.search_provider("brave") is brave


RENDERINGS: dict[str, Callable[[Any], object]] = {
    "repr": repr,
    "str": str,
    "format": lambda value: f"{value} {value!r} {value!s} {value:}",
    "percent": lambda value: "%s %r" % (value, value),  # noqa: UP031
    "pprint": pprint.pformat,
    "asdict": attrs.asdict,
    "asdict not recursive": lambda value: attrs.asdict(value, recurse=False),
    "astuple": attrs.astuple,
    "unstructure": cattrs.unstructure,
    "dir": lambda value: [getattr(value, name, None) for name in dir(value)],
    "slots": lambda value: [getattr(value, name, None) for name in getattr(type(value), "__slots__", ())],
    "deep copy": copy.deepcopy,
    "copy": copy.copy,
    "evolve": attrs.evolve,
    "state": lambda value: value.__getstate__(),
    "reduce": lambda value: value.__reduce_ex__(2),
}


@pytest.mark.promise("D-WEB-05")
@pytest.mark.case("SEC-02")
@pytest.mark.parametrize("rendering", RENDERINGS)
def test_no_rendering_shows_the_key(rendering: str) -> None:
    brave = BraveSearch(KEY)
    for thing in (brave, web_search_tool(brave)):
        try:
            shown = RENDERINGS[rendering](thing)
        except Exception as error:  # not every class can be rendered in every way
            shown = error
        assert KEY not in f"{shown!r} {shown}"
        assert KEY not in pprint.pformat(shown)
    with pytest.raises(TypeError):
        vars(brave)


@pytest.mark.promise("D-WEB-05")
@pytest.mark.case("SEC-02")
def test_a_provider_cannot_be_stored_and_its_copies_search_on() -> None:
    brave = BraveSearch(KEY, timeout=1.5)
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        with pytest.raises(TypeError) as raised:
            pickle.dumps(brave, protocol)
        assert KEY not in str(raised.value)
    assert copy.deepcopy(brave).timeout == copy.copy(brave).timeout == 1.5


@pytest.mark.case("SEC-02")
def test_no_log_shows_the_key(caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]) -> None:
    caplog.set_level(logging.DEBUG)
    brave = BraveSearch(KEY)
    things = {"provider": brave, "options": [brave], "tool": web_search_tool(brave), "nested": {"a": {"b": brave}}}
    Log().error("provider_made", **things)
    logging.getLogger("app").error("made %s %r", brave, things)
    structlog.wrap_logger(structlog.PrintLogger(), processors=[structlog.processors.KeyValueRenderer()]).error(
        "x", **things
    )
    structlog.wrap_logger(structlog.PrintLogger(), processors=[structlog.processors.JSONRenderer()]).error(
        "x", **things
    )
    told = caplog.text + capsys.readouterr().out
    assert "provider" in told
    assert KEY not in told
