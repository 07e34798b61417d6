"""Every reply of the kit, however it lies, dawdles or breaks off, is a body within its bound or one of the endings."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import get_args

import pytest

from ditto_http import Ended, How
from ditto_testkit.fakes import ScriptedHttpServer, hostile_replies
from tests.support import run
from tests.support.exchanges import GOOD, KEY, asked

DEADLINE = 0.15
"""Seconds that an exchange has whose reply does not end by itself."""
EXPECTED: dict[str, set[How]] = {
    "status-": {"status"},
    "redirect-": {"status"},
    "bomb-": {"packed"},
    "encoding-": {"packed"},
    "chunk": {"cut_off"},
    "transfer-encoding-": {"no_connection"},
    "head-": {"no_connection"},
    "reset-": {"no_connection", "cut_off"},
    "slow-": {"timed_out"},
    "endless-": {"too_large", "timed_out", "cut_off", "no_connection"},
}
"""How replies end, by the beginning of their names."""


@pytest.fixture(scope="module")
def ends() -> Mapping[str, bytes | Ended]:
    """Give what an exchange comes to by the name of the reply; redirects lead to ``/elsewhere`` of the same server."""
    return run(_tried(), timeout=100.0)


async def _tried() -> dict[str, bytes | Ended]:
    found = {}
    for name, reply in hostile_replies(GOOD, repeats=[KEY], elsewhere="/elsewhere").items():
        async with ScriptedHttpServer(reply) as server:
            timeout = DEADLINE if reply.is_endless else 20.0
            found[name] = await asked(server, max_bytes=1_048_576, timeout=timeout)
            await server.wait_until_idle()  # the connection is closed, or this raises
            assert [request.path for request in server.requests] == ["/path"]
    return found


def test_a_body_has_its_bound_and_everything_else_says_how_it_ended(ends: Mapping[str, bytes | Ended]) -> None:
    assert len(ends) > 100
    bodies = {name for name, end in ends.items() if isinstance(end, bytes)}
    assert all(name.startswith(("body-", "json-", "length-", "header-")) for name in bodies)
    assert {name for name in ends if name.startswith(("body-", "json-"))} <= bodies
    assert max(len(end) for end in ends.values() if isinstance(end, bytes)) <= 1_048_576
    for prefix, hows in EXPECTED.items():
        found = {name: end for name, end in ends.items() if name.startswith(prefix) and name != "status-101"}
        assert {name: end for name, end in found.items() if not isinstance(end, Ended) or end.how not in hows} == {}
        assert found


def test_what_may_pass_is_retryable_and_nothing_else(ends: Mapping[str, bytes | Ended]) -> None:
    ended = {name: end for name, end in ends.items() if isinstance(end, Ended)}
    statuses = {end.status for end in ended.values() if end.how == "status" and end.retryable}
    assert statuses == {429, 500, 502, 503, 504}
    assert {end.how for end in ended.values() if end.retryable} == {"status", "timed_out", "cut_off", "no_connection"}
    assert {end.how for end in ended.values() if not end.retryable} == {"status", "packed", "too_large"}


def test_no_ending_repeats_what_was_said(ends: Mapping[str, bytes | Ended]) -> None:
    for end in ends.values():
        if isinstance(end, Ended):
            assert KEY not in f"{end!r} {end.message}"


def test_every_ending_has_its_words() -> None:
    for how in get_args(How):
        end = Ended(how=how, status=302 if how == "status" else None)
        assert end.message.endswith(".")
    assert Ended(how="status", status=302).message == (
        "The service answered with the status 302. Redirects are not followed."
    )


def test_no_reply_brings_a_line_into_the_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    replies = hostile_replies(GOOD, repeats=[KEY])

    async def main() -> None:
        for name in ("status-401", "encoding-gzip", "length-too-long", "reset-in-head", "header-with-nul"):
            async with ScriptedHttpServer(replies[name]) as server:
                assert isinstance(await asked(server), Ended)

    run(main())
    assert [record for record in caplog.records if record.name.startswith(("httpx", "httpcore"))] == []
    assert KEY not in caplog.text
