"""What programs print: bytes of every kind, and what an executor makes of them."""

from __future__ import annotations

from hypothesis import strategies as st

from ditto_core import CommandResult

_UNITS = (
    b"a",
    b"a\n",
    b"\n",
    b"\r\n",
    "é".encode(),
    "😀".encode(),
    b"\xff",
    b"\xf0\x9f",
    b"\x00",
    b"\x1b[2J",
    b"a b\t",
)


def output_bytes(*, max_bytes: int = 4_096) -> st.SearchStrategy[bytes]:
    """Give outputs: empty, without an end of line, only ends of lines, no UTF-8, cut inside of a character, long."""
    units = st.sampled_from(_UNITS)
    long = st.builds(lambda unit, size: (unit * (size // len(unit) + 1))[:size], units, st.integers(0, max_bytes))
    mixed = st.lists(units | st.binary(max_size=8), max_size=8).map(b"".join)
    return mixed | long


def output_texts(*, max_bytes: int = 4_096) -> st.SearchStrategy[str]:
    """Give outputs as an executor hands them on: decoded, with U+FFFD for what is no UTF-8."""
    return output_bytes(max_bytes=max_bytes).map(lambda data: data.decode(errors="replace"))


@st.composite
def command_results(draw: st.DrawFn, *, max_bytes: int = 4_096) -> CommandResult:
    """Give results of commands; sizes, flags and exit status go together as the port asks for."""
    stdout = draw(output_texts(max_bytes=max_bytes))
    stderr = draw(output_texts(max_bytes=max_bytes))
    stopped = draw(st.booleans())
    truncated = stopped or draw(st.booleans())
    more = draw(st.integers(1, 10_000)) if truncated else 0
    return CommandResult(
        stdout=stdout,
        stderr=stderr,
        exit_code=None if stopped else draw(st.sampled_from([0, 0, 1, 2, 127, 255, -9])),
        stdout_bytes=len(stdout.encode()) + more,
        stderr_bytes=len(stderr.encode()),
        truncated=truncated,
        stopped=stopped,
    )
