"""What log events show, and that they go where the application looks and nowhere else."""

from __future__ import annotations

import io
import json
import logging
import re
import subprocess
import sys
from collections.abc import Iterator

import pytest
import structlog
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ditto_core.log import LOG, MAX_DEPTH, MAX_TEXT, MAX_VALUES, Log
from ditto_core.tools.context import ToolContext

HOSTILE = "x\n2026-01-01 INFO ok\r\x85\u2028\u2029\x1b[2J\x07\ud800\x00\x7f"
SHOWN = r"x\n2026-01-01 INFO ok\r\x85\u2028\u2029\x1b[2J\x07\ud800\x00\x7f"

# Controls, line ends and lone surrogates: what moves a cursor, ends a line or cannot be written.
UNSAFE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")

unstructured = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters(exclude_categories=()))
    | st.binary(),
    lambda inner: st.lists(inner) | st.tuples(inner) | st.dictionaries(st.text() | st.integers(), inner),
    max_leaves=10,
)


@pytest.fixture(autouse=True)
def _forget_configuration() -> Iterator[None]:
    structlog.reset_defaults()
    yield
    structlog.reset_defaults()


@pytest.fixture
def console() -> io.StringIO:
    """Configure structlog as in development and give what it prints."""
    out = io.StringIO()
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.dev.set_exc_info,
            structlog.dev.ConsoleRenderer(colors=False),
        ],
        logger_factory=structlog.PrintLoggerFactory(out),
    )
    return out


@pytest.fixture
def as_json() -> io.StringIO:
    """Configure structlog as in production and give what it prints."""
    out = io.StringIO()
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(ensure_ascii=False),
        ],
        logger_factory=structlog.PrintLoggerFactory(out),
    )
    return out


def fail(text: str = "the key is hunter2") -> None:
    raise ValueError(text)


# The application has not configured structlog.


@pytest.mark.promise("D-LOG-03")
def test_without_configuration_events_go_to_logging(
    caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level("INFO")
    Log(plugin="acme").bind(tool="read").warning("page_fetched", size=3, name="a b", tags=["é", None])
    (record,) = caplog.records
    assert (record.name, record.levelname) == ("ditto", "WARNING")
    assert record.getMessage() == 'page_fetched plugin="acme" tool="read" size=3 name="a b" tags=["é", null]'
    assert record.__dict__["ditto"] == {
        "plugin": "acme", "tool": "read", "size": 3, "name": "a b", "tags": ["é", None]
    }  # fmt: skip
    assert capsys.readouterr() == ("", "")


def test_without_any_logging_warnings_reach_standard_error_only() -> None:
    script = "from ditto_core.log import LOG\nLOG.info('a_happened')\nLOG.warning('b_happened', of='100%s')"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60)
    assert (done.stdout, done.stderr) == ("", 'b_happened of="100%s"\n')


def test_levels_are_those_of_the_logger(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("ERROR", "ditto")
    for level in ("debug", "info", "warning", "error", "exception"):
        getattr(LOG, level)("tried", level=level)
    assert [record.getMessage() for record in caplog.records] == [
        'tried level_="error"',
        'tried level_="exception"',
    ]


@pytest.mark.case("SEC-06")
@pytest.mark.promise("D-LOG-02")
def test_without_configuration_an_event_stays_on_one_line(caplog: pytest.LogCaptureFixture) -> None:
    log_all_of(HOSTILE)
    for record in caplog.records:
        assert len(record.getMessage().splitlines()) == 1
        assert UNSAFE.search(record.getMessage()) is None


# The application has configured structlog.


@pytest.mark.promise("D-LOG-03")
def test_configured_events_go_to_structlog(as_json: io.StringIO, caplog: pytest.LogCaptureFixture) -> None:
    Log(call_id="c1").info("page_fetched", size=3)
    assert json.loads(as_json.getvalue()) == {"event": "page_fetched", "level": "info", "call_id": "c1", "size": 3}
    assert caplog.records == []


@pytest.mark.case("SEC-06")
def test_the_json_renderer_writes_one_line_for_each_event(as_json: io.StringIO) -> None:
    log_all_of(HOSTILE)
    lines = as_json.getvalue().splitlines()
    assert [json.loads(line)["level"] for line in lines] == ["warning", "error", "debug"]
    assert json.loads(lines[0]) == {
        "level": "warning", "event": SHOWN, "bound": SHOWN, "inner": [SHOWN, {SHOWN: SHOWN}], SHOWN: 1
    }  # fmt: skip


@pytest.mark.case("SEC-06")
def test_the_console_renderer_writes_one_line_for_each_event(console: io.StringIO) -> None:
    log_all_of(HOSTILE)
    lines = console.getvalue().splitlines()
    assert len(lines) == 3
    assert [line for line in lines if UNSAFE.search(line)] == []


@pytest.mark.case("SEC-06")
def test_the_formatter_of_the_standard_library_writes_one_line_for_each_event() -> None:
    out = io.StringIO()
    handler = logging.StreamHandler(out)
    handler.setFormatter(structlog.stdlib.ProcessorFormatter(processor=structlog.dev.ConsoleRenderer(colors=False)))
    structlog.configure(
        processors=[structlog.stdlib.add_log_level, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
    )
    logger = logging.getLogger("ditto")
    logger.addHandler(handler)
    logger.setLevel("DEBUG")
    try:
        log_all_of(HOSTILE)
    finally:
        logger.removeHandler(handler)
        logger.setLevel("NOTSET")
    assert len(out.getvalue().splitlines()) == 3


def log_all_of(text: str) -> None:
    Log(bound=text).warning(text, inner=[text, {text: text}], **{text: 1})
    try:
        fail(text)
    except ValueError:
        Log(bound=text).exception(text)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(event=st.text(st.characters(exclude_categories=())), fields=st.dictionaries(st.text(), unstructured))
@pytest.mark.promise("D-LOG-02")
def test_any_fields_make_one_json_line(as_json: io.StringIO, event: str, fields: dict[str, object]) -> None:
    as_json.seek(0)
    as_json.truncate()
    Log(**fields).error(event)
    (line,) = as_json.getvalue().splitlines()
    assert UNSAFE.search(line) is None
    json.loads(line, parse_constant=pytest.fail)


@pytest.mark.parametrize(
    "name", ["event", "level", "timestamp", "exception", "exc_info", "stack_info", "stack", "self", "method_name"]
)
def test_a_field_cannot_take_the_place_of_structlogs_own(console: io.StringIO, name: str) -> None:
    Log().info("tried", **{name: True})
    (line,) = console.getvalue().splitlines()
    assert line.split() == ["[info", "]", "tried", f"{name}_=True"]


def test_a_broken_processor_breaks_no_call_and_loses_no_event(caplog: pytest.LogCaptureFixture) -> None:
    structlog.configure(processors=[lambda *_: fail()])  # type: ignore[list-item]
    LOG.warning("page_fetched", size=3)
    assert [record.getMessage() for record in caplog.records] == ['page_fetched size=3 log_error="ValueError"']


# What is shown.


def test_objects_are_shown_by_their_kind(as_json: io.StringIO) -> None:
    class Key(str):
        __slots__ = ()

    class Secret:
        def __repr__(self) -> str:
            return "hunter2"

    LOG.info("tried", a=Secret(), b=[b"hunter2"], c=Key("hunter2"), d={Secret(): 1}, e=10**5000, f=float("inf"))
    assert json.loads(as_json.getvalue()) == {
        "level": "info", "event": "tried", "a": "a Secret", "b": ["a bytes"], "c": "a Key", "d": {"a Secret": 1},
        "e": "an int", "f": "inf",
    }  # fmt: skip


def test_what_is_too_large_is_cut(as_json: io.StringIO) -> None:
    cyclic: list[object] = []
    cyclic += [cyclic] * 10
    deep: list[object] = []
    for _ in range(MAX_DEPTH + 1):
        deep = [deep]
    LOG.info(
        "tried",
        deep=deep,
        long="x" * 20_000,
        many=list(range(5_000)),
        table={str(n): n for n in range(5_000)},
        c=cyclic,
    )
    shown = json.loads(as_json.getvalue())
    assert shown["long"] == "x" * MAX_TEXT + "…"
    assert str(shown["deep"]) == "[" * MAX_DEPTH + "'a list'" + "]" * MAX_DEPTH
    assert shown["many"][-2:] == [MAX_VALUES - MAX_DEPTH - 4, "…"]
    assert shown["table"] == {"…": 5_000}
    assert shown["c"] == ["…"]


def test_an_exception_shows_its_class_and_where_and_its_text_only_at_debug_level(as_json: io.StringIO) -> None:
    try:
        fail()
    except ValueError:
        Log(call_id="c1").exception("observer_failed", hook="started")
    error, debug = (json.loads(line) for line in as_json.getvalue().splitlines())
    places = error.pop("places")
    assert error == {
        "event": "observer_failed", "level": "error", "error": "ValueError", "call_id": "c1", "hook": "started"
    }  # fmt: skip
    assert [place.partition(" ")[2] for place in places] == [
        "test_an_exception_shows_its_class_and_where_and_its_text_only_at_debug_level",
        "fail",
    ]
    assert all(place.startswith(f"{__name__}:") for place in places)
    assert debug["level"] == "debug"
    assert debug["traceback"].endswith(r"ValueError: the key is hunter2\n")


def test_an_exception_that_nobody_handles_is_an_error(as_json: io.StringIO) -> None:
    LOG.exception("tried")
    assert json.loads(as_json.getvalue()) == {"event": "tried", "level": "error"}


def test_the_log_of_a_context_is_bound_to_its_call(as_json: io.StringIO) -> None:
    ToolContext(call_id="c1").log.info("page_fetched")
    assert json.loads(as_json.getvalue()) == {"event": "page_fetched", "level": "info", "call_id": "c1"}


def test_binding_leaves_the_first_logger_as_it_was(as_json: io.StringIO) -> None:
    first = Log(a=1)
    first.bind(a=2, b=3).info("second")
    first.info("first")
    second, one = (json.loads(line) for line in as_json.getvalue().splitlines())
    assert (second["a"], second["b"], one["a"], "b" in one) == (2, 3, 1, False)


@pytest.mark.parametrize(
    "line",
    ["import ditto_core", "import ditto_core.log", "from ditto_core.log import LOG; LOG.info('nobody_listened')"],
)
def test_structlog_is_imported_only_for_an_event_that_somebody_listens_to(line: str) -> None:
    script = f"import sys; {line}; assert 'structlog' not in sys.modules"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_an_event_that_nobody_listens_to_is_dropped_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "structlog")
    LOG.info("nobody_listened")
    assert "structlog" not in sys.modules
