"""Streams of every kind, and what they do wrong."""

from __future__ import annotations

import contextlib
import errno
import gc
import gzip
import io
import json
import os
import socket
import tempfile
import threading
from pathlib import Path
from typing import Any

import pytest

from ditto_console import ConsoleSink, target
from ditto_console.failures import CLOSED
from ditto_console.target import find_target
from ditto_console.writer import writer_of
from ditto_core import UNSET, InvalidValue, Message, OutputReceipt, OutputRequest
from tests.support import run

TEXT = "café → \U0001f600"


def deliver(sink: ConsoleSink, content: str = TEXT, delivery_id: str = "d1") -> OutputReceipt:
    message = Message(role="assistant", content=content)
    return run(sink.deliver(OutputRequest(delivery_id=delivery_id, message=message)))


def told(receipt: OutputReceipt) -> tuple[str, str, Any]:
    assert receipt.error is not UNSET
    assert receipt.metadata is not UNSET
    return receipt.status, receipt.error.code, receipt.metadata["cause"]


# Encodings


@pytest.mark.case("SINK-02")
@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp037"])
def test_json_reads_back_equal_in_any_encoding(encoding: str) -> None:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding=encoding)
    sink = ConsoleSink(stream)
    assert [deliver(sink).status for _ in range(2)] == ["accepted", "accepted"]
    lines = raw.getvalue().decode(encoding).splitlines()
    assert [json.loads(line)["message"]["content"] for line in lines] == [TEXT, TEXT]


@pytest.mark.case("SINK-02")
@pytest.mark.parametrize(
    ("encoding", "text"),
    [("ascii", "caf? ? ?"), ("cp1252", "café ? ?"), ("utf-8", TEXT), ("utf-8-sig", TEXT), ("utf-16", TEXT)],
)
@pytest.mark.promise("D-OUT-02")
def test_text_replaces_what_the_stream_cannot_encode(encoding: str, text: str) -> None:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding=encoding, errors="strict")
    sink = ConsoleSink(stream, format="text")
    assert [deliver(sink).status for _ in range(2)] == ["accepted", "accepted"]
    assert raw.getvalue().decode(encoding) == f"{text}\n{text}\n"


# Kinds of streams


def test_a_text_stream_without_bytes_below_it_is_written_text() -> None:
    class Narrow(io.StringIO):
        encoding = "ascii"

    for stream, text in ((io.StringIO(), TEXT), (Narrow(), "caf? ? ?")):
        assert deliver(ConsoleSink(stream, format="text")).status == "accepted"
        assert stream.getvalue() == f"{text}\n"


def test_files_of_every_kind_take_the_whole_line(tmp_path: Path) -> None:
    path = tmp_path / "out"
    for mode, buffering in (("wb", -1), ("ab", 0), ("a", -1), ("r+b", -1)):
        with open(path, mode, buffering, encoding=None if "b" in mode else "utf-8") as stream:  # noqa: PTH123
            stream.seek(0, os.SEEK_END)
            assert deliver(ConsoleSink(stream, format="text")).status == "accepted"
    with gzip.open(tmp_path / "zipped", "wb") as zipped, tempfile.TemporaryFile() as wrapped:
        assert deliver(ConsoleSink(zipped, format="text")).status == "accepted"
        assert deliver(ConsoleSink(wrapped, format="text")).status == "accepted"
    assert path.read_text("utf-8") == f"{TEXT}\n" * 4
    assert gzip.decompress((tmp_path / "zipped").read_bytes()).decode() == f"{TEXT}\n"


@pytest.mark.promise("D-OUT-03", "D-OUT-04")
def test_a_stream_of_another_kind_gets_one_write_and_a_flush() -> None:
    class Recorder:
        def __init__(self) -> None:
            self.calls: list[object] = []

        def write(self, data: bytes) -> None:
            self.calls.append(data)

        def flush(self) -> None:
            self.calls.append("flush")

    stream = Recorder()
    assert deliver(ConsoleSink(stream, format="text"), "hi").status == "accepted"
    assert stream.calls == ["flush", b"hi\n", "flush"]


class Parts(io.RawIOBase):
    """Takes a few bytes at a time."""

    def __init__(self, *answers: int | Exception | None) -> None:
        self.answers = list(answers)
        self.taken = b""

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int | None:
        answer = self.answers.pop(0) if self.answers else 3
        if isinstance(answer, Exception):
            raise answer
        part = bytes(data[:answer])
        self.taken += part
        return answer if answer is None else len(part)


@pytest.mark.parametrize(
    "wrap", [lambda raw: raw, io.BufferedWriter, lambda raw: io.TextIOWrapper(io.BufferedWriter(raw))]
)
def test_partial_writes_go_on_until_all_is_written(wrap: Any) -> None:
    raw = Parts()
    stream = wrap(raw)
    assert deliver(ConsoleSink(stream), "x" * 1000).status == "accepted"
    assert json.loads(raw.taken)["message"]["content"] == "x" * 1000


@pytest.mark.parametrize("full", [False, True])
def test_a_pipe_that_never_blocks_is_waited_for(full: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    read: list[bytes] = []

    def read_all() -> None:
        with open(reading, "rb") as stream:  # noqa: PTH123
            read.append(stream.read())

    reader = threading.Thread(target=read_all, daemon=True)
    wait = target._wait_for_room

    def read_from_now_on(stream: Any) -> None:
        if reader.ident is None:
            reader.start()
        wait(stream)

    monkeypatch.setattr(target, "_wait_for_room", read_from_now_on)
    with open(writing, "wb") as stream:  # noqa: PTH123
        if full:
            with contextlib.suppress(BlockingIOError):
                while True:
                    os.write(writing, b"earlier\n" * 512)
        stream.write(b"printed\n")
        assert deliver(ConsoleSink(stream), "x" * 1_000_000).status == "accepted"
    reader.join(10)
    *_, printed, line = read[0].splitlines()
    assert printed == b"printed"
    assert json.loads(line)["message"]["content"] == "x" * 1_000_000


# Failures


@pytest.mark.parametrize("wrap", [lambda raw: raw, lambda raw: io.TextIOWrapper(raw, encoding="utf-8")])
@pytest.mark.promise("D-OUT-05")
def test_a_stream_that_is_closed_rejects(wrap: Any) -> None:
    stream = wrap(io.BytesIO())
    sink = ConsoleSink(stream)
    stream.close()
    assert deliver(sink) == CLOSED.receipt("d1")
    assert deliver(ConsoleSink(stream)) == CLOSED.receipt("d1")


def test_a_stream_that_was_detached_rejects() -> None:
    stream = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    sink = ConsoleSink(stream)
    stream.detach()
    assert deliver(sink) == CLOSED.receipt("d1")


def test_an_encoding_that_nobody_knows_is_refused() -> None:
    class Odd(io.StringIO):
        encoding = "no-such-encoding"

    with pytest.raises(InvalidValue, match="encoding"):
        ConsoleSink(Odd())


@pytest.mark.case("SINK-01")
@pytest.mark.parametrize("size", [10, 1_000_000])
def test_a_pipe_without_a_reader_is_unknown(size: int) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with open(writing, "wb") as stream:  # noqa: PTH123
        sink = ConsoleSink(stream)
        for _ in range(2):
            assert told(deliver(sink, "x" * size)) == ("unknown", "CONSOLE_WRITE_FAILED", "EPIPE")


def test_a_connection_that_is_gone_is_unknown() -> None:
    ours, theirs = socket.socketpair()
    with ours, ours.makefile("wb") as stream:
        theirs.close()
        assert told(deliver(ConsoleSink(stream)))[:2] == ("unknown", "CONSOLE_WRITE_FAILED")


@pytest.mark.parametrize(
    ("error", "cause"),
    [
        (OSError(errno.ENOSPC, "no space on /home/somebody"), "ENOSPC"),
        (OSError("odd"), "OSError"),
        (SystemExit(1), "SystemExit"),
        (ValueError("x"), "ValueError"),
    ],
)
@pytest.mark.parametrize("method", ["write", "flush"])
@pytest.mark.promise("D-OUT-05")
def test_whatever_a_stream_raises_is_unknown_and_the_next_delivery_still_works(
    error: BaseException, cause: str, method: str
) -> None:
    class Broken(io.BytesIO):
        errors = [error]  # noqa: RUF012

        def write(self, data: Any) -> int:
            taken = super().write(data)
            self.fail("write")
            return taken

        def flush(self) -> None:
            if self.getvalue():
                self.fail("flush")

        def fail(self, here: str) -> None:
            if here == method and self.errors:
                raise self.errors.pop()

    stream = Broken()
    sink = ConsoleSink(stream, "text")
    assert told(deliver(sink, "one")) == ("unknown", "CONSOLE_WRITE_FAILED", cause)
    assert deliver(sink, "two").status == "accepted"
    assert stream.getvalue() == b"one\n\ntwo\n"


def test_a_failed_flush_before_the_write_is_unknown_and_leaves_no_empty_line() -> None:
    class Full(io.BytesIO):
        full = True

        def flush(self) -> None:
            if self.full:
                raise OSError(errno.ENOSPC, "")

    stream = Full()
    sink = ConsoleSink(stream, "text")
    assert told(deliver(sink, "one")) == ("unknown", "CONSOLE_WRITE_FAILED", "ENOSPC")
    stream.full = False
    assert deliver(sink, "two").status == "accepted"
    assert stream.getvalue() == b"two\n"


@pytest.mark.parametrize(
    ("answers", "taken"),
    [
        ([5, OSError(errno.ENOSPC, "")], b'{"id"\n{"id":"d2","message":'),
        ([OSError(errno.ENOSPC, "")], b'{"id":"d2","message":'),
        ([0], b'{"id":"d2","message":'),
    ],
)
def test_after_half_a_line_the_next_one_starts_on_its_own(answers: list[Any], taken: bytes) -> None:
    raw = Parts(*answers)
    sink = ConsoleSink(raw)
    assert told(deliver(sink))[:2] == ("unknown", "CONSOLE_WRITE_FAILED")
    assert deliver(sink, "hi", "d2").status == "accepted"
    assert raw.taken.startswith(taken)


def test_a_stream_that_takes_nothing_now_and_cannot_be_waited_for_is_unknown() -> None:
    assert told(deliver(ConsoleSink(Parts(None))))[:2] == ("unknown", "CONSOLE_WRITE_FAILED")


# Sharing


def test_a_text_stream_its_buffer_and_its_file_have_one_writer(tmp_path: Path) -> None:
    with (tmp_path / "out").open("w", encoding="utf-8") as stream:
        streams = (stream, stream.buffer, stream.buffer.raw)  # type: ignore[attr-defined]
        assert len({id(writer_of(find_target(one))) for one in streams}) == 1


def test_a_writer_and_its_thread_go_with_their_stream() -> None:
    from ditto_console.writer import _writers

    stream = io.BytesIO()
    deliver(ConsoleSink(stream))
    for thread in threading.enumerate():
        if thread.name == "ditto-console":
            thread.join(10)
            assert not thread.is_alive()
    before = len(_writers)
    del stream
    gc.collect()
    assert len(_writers) < before
