"""A result names the outputs that were cut."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ditto_core import Command
from ditto_local import LocalExecutor
from tests.support import run


@pytest.mark.promise("D-CMD-08")
@pytest.mark.case("OUTP-03", "OUTP-10")
@pytest.mark.parametrize(
    ("script", "limits", "cut"),
    [
        ("printf 12345; printf 12345 >&2", {}, set()),
        ("printf 123456; printf 12345 >&2", {}, {"stdout"}),
        ("printf 12345; printf 123456 >&2", {}, {"stderr"}),
        ("printf 123456; printf 123456 >&2", {}, {"stdout", "stderr"}),
        (r"printf '1\n2\n'; printf '1\n2\n' >&2", {"max_lines": 2}, set()),
        (r"printf '1\n2\n3'; printf '1\n2\n3' >&2", {"max_lines": 2}, {"stdout"}),
        # Two bytes that are no UTF-8 take six as text: over the limit, although no more than two have come.
        (r"printf '\377'; printf '\377\377' >&2", {}, {"stderr"}),
        (r"printf '\377\377'; printf '\377' >&2", {}, {"stdout"}),
        ("exec yes", {}, {"stdout"}),
        ("exec yes >&2", {}, {"stderr"}),
    ],
)
def test_the_outputs_that_were_cut_are_named(
    script: str, limits: dict[str, Any], cut: set[str], tmp_path: Path
) -> None:
    command = Command("sh", ("-c", script), max_stdout=5, max_stderr=5, **limits)
    result = run(LocalExecutor(["sh"], timeout=50).run(command, workspace=tmp_path), timeout=60)
    assert result.cut == cut
    assert result.truncated == bool(cut)
