"""The key is sent to the endpoint and shown nowhere."""

from __future__ import annotations

import asyncio
import copy
import logging
import pickle
from typing import Any

import attrs
import pytest

from ditto_core import InvalidValue
from ditto_infer import SampleFailed
from ditto_openai import OpenAIModel
from tests.support.model_server import ModelServer, Reply, always, drip, said
from tests.support.models import KEY, ask, question
from tests.support.told import everything_told


def test_nothing_that_shows_or_stores_a_model_has_its_key() -> None:
    model = OpenAIModel("https://api.example.com/v1", KEY)
    assert KEY not in repr(model) + str(model) + repr(copy.deepcopy(model)) + repr(attrs.asdict(model))
    with pytest.raises(TypeError, match=r"cannot be pickled"):
        pickle.dumps(model)


@pytest.mark.parametrize("key", ["", " ", KEY + "\n", "ключ", 12, b"sk", KEY * 200, f"Bearer {KEY}"])
def test_what_can_be_no_key_is_refused_without_a_word_of_it(key: Any) -> None:
    with pytest.raises(InvalidValue, match=r"^OpenAIModel.api_key: must be") as raised:
        OpenAIModel("https://api.example.com/v1", key)
    assert KEY not in everything_told(raised.value).replace(repr(key), "")


@pytest.mark.parametrize(
    "base_url",
    [
        "", "api.openai.com", "ftp://a/v1", "https://user@a/v1", "https://a/v1?x=1", "https://a/v1#x", "HTTPS://A/v1",
        "https://a:99999/v1",  "https://a:0/v1", "http://[1]/v1",
        "https:///v1", "https://a/v1\n", "https://" + "a" * 2_000, None, 1,
    ],
)  # fmt: skip
def test_what_can_be_no_endpoint_is_refused(base_url: Any) -> None:
    with pytest.raises(InvalidValue, match=r"^OpenAIModel.base_url: must be"):
        OpenAIModel(base_url)


@pytest.mark.parametrize("base_url", ["http://api.example.com/v1", "http://10.0.0.1/v1", "http://localhost/v1"])
def test_a_key_goes_nowhere_where_others_could_read_it(base_url: str) -> None:
    assert OpenAIModel(base_url).origin == base_url.removesuffix("/v1")
    with pytest.raises(InvalidValue, match=r"must be https"):
        OpenAIModel(base_url, KEY)


@pytest.mark.parametrize(
    "options",
    [
        {"actions": "both"},
        {"actions": "schema", "output_schemas": False},
        {"output_schemas": 1},
        {"tokens_name": "tokens"},
        {"max_response_bytes": 0},
        {"max_response_bytes": 16_777_217},
        {"max_response_bytes": True},
    ],
)
def test_other_options_are_checked(options: dict[str, Any]) -> None:
    with pytest.raises(InvalidValue, match=r"^OpenAIModel\."):
        OpenAIModel("https://api.example.com/v1", **options)


@pytest.mark.parametrize("reply", [said("x"), Reply(status=401), Reply(silent=True), Reply(pieces=[b"{"], cut=True)])
def test_the_log_has_no_key_at_any_level(server: ModelServer, reply: Any, caplog: pytest.LogCaptureFixture) -> None:
    server.rule = always(reply)
    with caplog.at_level(logging.DEBUG):
        asyncio.run(ask(server, question()))
    assert [record for record in caplog.records if record.name.startswith(("httpcore", "httpx"))] == []
    assert KEY not in caplog.text


@pytest.mark.parametrize("reply", [Reply(status=500), Reply(silent=True), Reply(pieces=[b"{"], cut=True)])
def test_no_error_knows_the_key(server: ModelServer, reply: Reply) -> None:
    server.rule = always(reply)
    with pytest.raises(SampleFailed) as raised:
        asyncio.run(OpenAIModel(server.url, KEY).sample(question()))
    assert KEY not in everything_told(raised.value)


def test_a_cancelled_sample_does_not_tell_the_key(server: ModelServer) -> None:
    server.rule = always(drip(server))

    async def main() -> None:
        asking = asyncio.ensure_future(OpenAIModel(server.url, KEY).sample(question()))
        await asyncio.to_thread(server.arrived.wait, 10)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError) as raised:
            await asking
        assert KEY not in everything_told(raised.value)

    asyncio.run(main())
