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
    changed = {"stdout": result.stdout != stdout, "stderr": result.stderr != stderr}
    assert result.cut == {name for name, is_cut in changed.items() if is_cut}
    assert result.truncated == bool(result.cut)
    assert (result.stdout_bytes, result.stderr_bytes) == (given_result.stdout_bytes, given_result.stderr_bytes)
    assert limits.cut(result) == result


@pytest.mark.promise("CMD-17")
@pytest.mark.case("OUTP-03")
@given(stdout=st.binary(max_size=12), stderr=st.binary(max_size=12), out=st.integers(0, 12), err=st.integers(0, 12))
def test_what_an_executor_has_cut_is_named_even_if_it_does_not_say_where(
    stdout: bytes, stderr: bytes, out: int, err: int
) -> None:
    whole = {"stdout": stdout.decode(errors="replace"), "stderr": stderr.decode(errors="replace")}
    kept = {"stdout": whole["stdout"][:out], "stderr": whole["stderr"][:err]}
    cut = {name for name, text in kept.items() if text != whole[name]}
    limits = Limits(max_entries=100, max_output_bytes=100, max_error_bytes=100)
    sizes = {"stdout_bytes": len(stdout), "stderr_bytes": len(stderr)}
    named = limits.cut(done(kept["stdout"], kept["stderr"], truncated=bool(cut), **sizes)).cut
    assert cut <= named
    assert bool(cut) == bool(named)
    if "\ufffd" not in kept["stdout"] + kept["stderr"]:
        assert cut == named
