"""The adapter's log events are told on its page, and the SDK's are kept down."""

from __future__ import annotations

import logging

import pytest

from ditto_mcp.events import EVENTS
from ditto_mcp.sdk import QUIET_LOGGERS, load_sdk
from tests.docs.pages import page, rows, span, spans


def test_the_table_of_events_equals_the_code() -> None:
    told = {
        span(event): f"{level} ({', '.join(spans(fields))}): {when}"
        for event, level, fields, when in rows(page("mcp-connections.md"), "adapter event", "level", "fields", "when")
    }
    assert told == EVENTS


def test_the_sdks_loggers_are_kept_down_unless_the_application_has_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in QUIET_LOGGERS:
        monkeypatch.setattr(logging.getLogger(name), "level", logging.NOTSET)
    monkeypatch.setattr(logging.getLogger("httpx2"), "level", logging.DEBUG)
    load_sdk()
    assert logging.getLogger("httpx2").level == logging.DEBUG
    assert logging.getLogger("mcp.client").level == QUIET_LOGGERS["mcp.client"]


def test_of_the_logger_client_only_what_the_sdk_writes_is_kept_down(caplog: pytest.LogCaptureFixture) -> None:
    load_sdk()
    logger = logging.getLogger("client")
    assert len(logger.filters) == 1
    path = "/lib/site-packages/mcp/client/session.py"
    logger.handle(logging.LogRecord("client", logging.WARNING, path, 1, "what a server sent", None, None))
    logger.warning("of the application")
    assert [record.getMessage() for record in caplog.records] == ["of the application"]
