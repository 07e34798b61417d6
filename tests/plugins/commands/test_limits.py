"""The cut that a tool makes itself, held against the plainest way to say what it should be."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ditto_commands.limits import Limits
from tests.support.commands import done

_text = st.text(st.sampled_from("ab\n\r é日\U0001f600"), max_size=30)


def _cut(text: str, count: int) -> str:
    """Take characters as long as they fit."""
    while len(text.encode()) > count:
        text = text[:-1]
    return text


@pytest.mark.promise("CMD-17", "D-CMD-06")
@pytest.mark.case("OUTP-01", "OUTP-07", "OUTP-10")
@given(stdout=_text, stderr=_text, entries=st.integers(1, 6), out=st.integers(1, 40), err=st.integers(1, 40))
def test_the_first_lines_and_bytes_are_kept_as_they_are(
    stdout: str, stderr: str, entries: int, out: int, err: int
) -> None:
    limits = Limits(max_entries=entries, max_output_bytes=out, max_error_bytes=err)
    given_result = done(stdout, stderr)
    result = limits.cut(given_result)
    lines = "".join(line + "\n" for line in stdout.split("\n"))[:-1]
    assert lines == stdout
    first_lines = stdout if stdout.count("\n") < entries else "\n".join(stdout.split("\n")[:entries]) + "\n"
    assert result.stdout == _cut(first_lines, out)
    assert result.stderr == _cut(stderr, err)
    assert result.truncated == ((result.stdout, result.stderr) != (stdout, stderr))
    assert (result.stdout_bytes, result.stderr_bytes) == (given_result.stdout_bytes, given_result.stderr_bytes)
    assert limits.cut(result) == result
