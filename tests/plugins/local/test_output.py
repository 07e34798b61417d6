"""What is kept of an output, and where it is cut."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ditto_local.output import MAX_DROPPED, BoundedOutput


def _kept(data: bytes, max_bytes: int, max_lines: int | None = None, sizes: list[int] | None = None) -> BoundedOutput:
    output = BoundedOutput(max_bytes, max_lines)
    position = 0
    for size in sizes or []:
        output.feed(data[position : position + size])
        position += size
    output.feed(data[position:])
    return output


@given(
    text=st.text(st.characters(exclude_categories=("Cs",)), max_size=60),
    max_bytes=st.integers(1, 80),
    max_lines=st.none() | st.integers(1, 5),
    sizes=st.lists(st.integers(0, 9), max_size=10),
)
@pytest.mark.promise("CMD-17")
@pytest.mark.case("OUTP-01", "OUTP-07")
def test_text_is_cut_between_characters_and_close_to_the_limit(
    text: str, max_bytes: int, max_lines: int | None, sizes: list[int]
) -> None:
    data = text.encode()
    output = _kept(data, max_bytes, max_lines, sizes)
    kept, missing = output.text()
    lines = data.split(b"\n")
    whole_lines = (
        data if max_lines is None else b"\n".join(lines[:max_lines]) + (b"\n" if len(lines) > max_lines else b"")
    )
    assert text.startswith(kept)
    assert whole_lines.decode().startswith(kept)
    assert len(kept.encode()) <= max_bytes
    assert len(kept.encode()) >= min(len(whole_lines), max_bytes) - 3
    assert missing == (kept != text)
    assert output.seen == len(data)


@given(data=st.binary(max_size=60), max_bytes=st.integers(1, 80), sizes=st.lists(st.integers(0, 9), max_size=10))
@pytest.mark.promise("D-CMD-13")
@pytest.mark.case("OUTP-03")
def test_any_bytes_become_text_within_the_limit_and_good_text_stays(
    data: bytes, max_bytes: int, sizes: list[int]
) -> None:
    kept, missing = _kept(data, max_bytes, sizes=sizes).text()
    assert len(kept.encode()) <= max_bytes
    assert data.decode(errors="replace").startswith(kept)
    if not missing:
        assert kept == data.decode(errors="replace")


@pytest.mark.parametrize("cap", range(9, 15))
@pytest.mark.case("OUTP-01")
def test_a_character_on_the_boundary_is_left_out_whole(cap: int) -> None:
    kept, missing = _kept(("a" * 9 + "\u00e9\U0001f600").encode(), cap).text()
    assert "\ufffd" not in kept
    assert missing
    assert cap - 3 <= len(kept.encode()) <= cap


@pytest.mark.parametrize(
    "data",
    [b"\xff" * 65_536, b"caf\xe9", b"\xf0", b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"],
    ids=["ff", "latin", "half", "png"],
)
@pytest.mark.promise("D-CMD-13")
@pytest.mark.case("OUTP-03")
def test_undecodable_bytes_are_replaced_and_still_fit(data: bytes) -> None:
    kept, missing = _kept(data, 65_536).text()
    assert "\ufffd" in kept
    assert len(kept.encode()) <= 65_536
    assert missing == (len(data) == 65_536)


@pytest.mark.parametrize(("size", "missing"), [(9, False), (10, False), (11, True)])
@pytest.mark.case("OUTP-10")
def test_the_byte_limit_is_exact(size: int, missing: bool) -> None:
    assert _kept(b"a" * size, 10).text() == ("a" * min(size, 10), missing)


@pytest.mark.parametrize(
    ("data", "kept", "missing"),
    [
        (b"", "", False),
        (b"a\nb", "a\nb", False),
        (b"a\nb\n", "a\nb\n", False),
        (b"a\nb\nc", "a\nb\n", True),
        (b"a\nb\n\n", "a\nb\n", True),
    ],
)
@pytest.mark.case("OUTP-10")
def test_the_line_limit_is_exact_with_and_without_a_last_newline(data: bytes, kept: str, missing: bool) -> None:
    for size in range(1, 6):
        assert _kept(data, 100, 2, [size] * 6).text() == (kept, missing)


def test_only_what_comes_after_a_cut_exhausts_it() -> None:
    output = BoundedOutput(10)
    output.feed(b"a" * (10 + MAX_DROPPED))
    assert not output.exhausted
    output.feed(b"a")
    assert output.exhausted
