"""The sink as a plugin and as a port: options, receipts, and standard output."""

from __future__ import annotations

import asyncio
import contextlib
import io
import json
import sys
from pathlib import Path

import pytest

from ditto_console import FAILURES, ConsoleSink
from ditto_console.failures import NO_STREAM, NO_THREAD
from ditto_core import (
    OUTPUT,
    UNSET,
    Artifact,
    InvalidValue,
    Message,
    OutputReceipt,
    OutputRequest,
    PluginHost,
    Reference,
    Runtime,
    interaction_worker,
    to_wire,
)
from tests.support import run

REPORT = Artifact(name="report", reference=Reference(uri="urn:report:1"))


def request(
    content: object = "hi", *, delivery_id: str = "d1", artifacts: tuple[Artifact, ...] | None = None
) -> OutputRequest:
    message = Message(role="assistant", content=content)  # type: ignore[arg-type]
    return OutputRequest(delivery_id=delivery_id, message=message, artifacts=UNSET if artifacts is None else artifacts)


@pytest.mark.promise("OUT-10")
def test_a_delivery_is_one_line_and_is_accepted() -> None:
    out = io.BytesIO()
    receipt = run(ConsoleSink(out).deliver(request(artifacts=(REPORT,))))
    assert json.loads(out.getvalue()) == {
        "id": "d1",
        "message": {"role": "assistant", "content": "hi"},
        "artifacts": [{"name": "report", "reference": {"uri": "urn:report:1"}}],
    }
    assert receipt == OutputReceipt(delivery_id="d1", status="accepted", artifacts=(REPORT,))


@pytest.mark.promise("OUT-10")
@pytest.mark.parametrize("artifacts", [None, ()])
def test_a_receipt_has_artifacts_only_if_there_were_some(artifacts: tuple[Artifact, ...] | None) -> None:
    receipt = run(ConsoleSink(io.BytesIO()).deliver(request(artifacts=artifacts)))
    assert to_wire(receipt) == {"deliveryId": "d1", "status": "accepted"}


@pytest.mark.promise("OUT-10")
def test_a_runtime_delivers_through_a_registered_console() -> None:
    out = io.StringIO()
    host = PluginHost()
    host.register(ConsoleSink(out))

    async def main() -> OutputReceipt:
        async with Runtime(workers=[interaction_worker(output=host.sink("console"))]) as runtime:
            return await runtime.invoke(OUTPUT, request([1, 2]))

    assert run(main()) == OutputReceipt(delivery_id="d1", status="accepted")
    assert json.loads(out.getvalue())["message"]["content"] == [1, 2]


@pytest.mark.case("SINK-07")
def test_the_same_delivery_twice_is_written_twice() -> None:
    out = io.StringIO()
    sink = ConsoleSink(out)
    for _ in range(2):
        assert run(sink.deliver(request())).status == "accepted"
    assert len(out.getvalue().splitlines()) == 2


def test_content_that_is_no_json_is_rejected_and_nothing_is_written() -> None:
    out = io.StringIO()
    receipt = run(ConsoleSink(out).deliver(request({"a": object()})))
    assert (receipt.status, error_code(receipt), out.getvalue()) == ("rejected", "CONSOLE_NOT_JSON", "")


def error_code(receipt: OutputReceipt) -> str:
    assert receipt.error is not UNSET
    return receipt.error.code


# Standard output


def test_without_a_stream_it_is_the_standard_output_of_the_moment(capsys: pytest.CaptureFixture[str]) -> None:
    sink = ConsoleSink(format="text")
    run(sink.deliver(request("one")))
    with contextlib.redirect_stdout(io.StringIO()) as redirected:
        run(sink.deliver(request("two")))
    assert capsys.readouterr() == ("one\n", "")
    assert redirected.getvalue() == "two\n"


@pytest.mark.case("CALL-14")
def test_with_another_stream_nothing_reaches_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    run(ConsoleSink(sys.stderr, "text").deliver(request("one")))
    assert capsys.readouterr() == ("", "one\n")


@pytest.mark.parametrize("stdout", [None, object()])
def test_without_a_standard_output_a_delivery_is_rejected(monkeypatch: pytest.MonkeyPatch, stdout: object) -> None:
    monkeypatch.setattr(sys, "stdout", stdout)
    receipt = run(ConsoleSink().deliver(request()))
    assert receipt == NO_STREAM.receipt("d1")


def test_what_was_printed_before_comes_before() -> None:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding="utf-8")
    print("printed", file=stream)
    run(ConsoleSink(stream, format="text").deliver(request("delivered")))
    print("later", file=stream, flush=True)
    assert raw.getvalue() == b"printed\ndelivered\nlater\n"


# The plugin and its options


def test_it_is_a_plugin_that_offers_itself_as_console() -> None:
    sink = ConsoleSink()
    assert ConsoleSink.api_version == 1
    assert sink.ditto_output_sinks() == {"console": sink}
    assert hash(sink) != hash(ConsoleSink())


class Bare:
    """A stream that cannot be shared: it allows no weak reference."""

    __slots__ = ()

    def write(self, data: bytes) -> None: ...

    def flush(self) -> None: ...


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"format": "xml"}, "format"),
        ({"format": None}, "format"),
        ({"timeout": 0}, "timeout"),
        ({"timeout": -1.0}, "timeout"),
        ({"timeout": True}, "timeout"),
        ({"timeout": "10"}, "timeout"),
        ({"timeout": float("inf")}, "timeout"),
        ({"timeout": float("nan")}, "timeout"),
        ({"timeout": 10**400}, "timeout"),
        ({"timeout": None}, "timeout"),
        ({"stream": "out.txt"}, "stream"),
        ({"stream": 1}, "stream"),
        ({"stream": Bare()}, "stream"),
    ],
)
def test_bad_options_are_refused_at_construction(options: dict[str, object], field: str) -> None:
    with pytest.raises(InvalidValue) as caught:
        ConsoleSink(**options)  # type: ignore[arg-type]
    assert caught.value.field == f"ConsoleSink.{field}"
    assert "0x" not in str(caught.value)


def test_a_stream_that_is_only_read_is_refused(tmp_path: Path) -> None:
    (tmp_path / "in").touch()
    with (tmp_path / "in").open() as stream, pytest.raises(InvalidValue, match="not open for writing"):
        ConsoleSink(stream)


def test_a_representation_does_not_show_the_stream() -> None:
    assert repr(ConsoleSink(io.StringIO())) == "ConsoleSink(format='json', timeout=10.0)"


# Receipts of failures


@pytest.mark.parametrize("failure", FAILURES, ids=lambda failure: failure.code)
def test_every_failure_makes_a_valid_receipt(failure: object) -> None:
    receipt = failure.receipt("d1")  # type: ignore[attr-defined]
    assert receipt.delivery_id == "d1"
    assert receipt.status in ("rejected", "unknown")
    assert receipt.error.code.startswith("CONSOLE_")
    assert ("nothing was written" in receipt.error.message) == (receipt.status == "rejected")


def test_codes_are_unique() -> None:
    assert len({failure.code for failure in FAILURES}) == len(FAILURES)


def test_when_no_thread_can_be_started_the_delivery_is_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.StringIO()

    async def deliver() -> tuple[OutputReceipt, OutputReceipt]:
        sink = ConsoleSink(out)
        with monkeypatch.context() as patched:
            patched.setattr("threading.Thread.start", refuse)
            first = await sink.deliver(request(delivery_id="d1"))
        return first, await sink.deliver(request(delivery_id="d2"))

    first, second = run(deliver())
    assert first == NO_THREAD.receipt("d1")
    assert second.status == "accepted"
    assert json.loads(out.getvalue())["id"] == "d2"


def refuse(*_: object) -> None:
    raise RuntimeError("can't start new thread")


@pytest.mark.promise("D-OUT-04")
def test_a_delivery_needs_no_default_executor() -> None:
    async def deliver() -> OutputReceipt:
        await asyncio.get_running_loop().shutdown_default_executor()
        return await ConsoleSink(io.StringIO()).deliver(request())

    assert run(deliver()).status == "accepted"
