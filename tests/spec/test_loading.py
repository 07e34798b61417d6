"""A manifest that is wrong is refused, and the refusal names the file and the entry."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.spec.manifest import Case, ManifestError, cases, promises

GOOD = """
[TOOL-01]
source = "§3"
text = "One call runs one tool, once."
status = "built"
"""


def test_an_entry_is_loaded_with_the_area_of_its_file(tmp_path: Path) -> None:
    (tmp_path / "tools.toml").write_text(GOOD, encoding="utf-8")
    (promise,) = promises(tmp_path).values()
    assert (promise.id, promise.area, promise.source) == ("TOOL-01", "tools", "§3")
    assert (promise.status, promise.planned_for) == ("built", None)


def test_a_case_tells_its_severity_instead_of_a_source(tmp_path: Path) -> None:
    (tmp_path / "sinks.toml").write_text(GOOD.replace('source = "§3"', "severity = 3"), encoding="utf-8")
    assert cases(tmp_path) == {
        "TOOL-01": Case(id="TOOL-01", area="sinks", severity=3, text="One call runs one tool, once.", status="built")
    }


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('status = "built"', 'status = "built"\nowner = "me"', "unknown keys: owner"),
        ('status = "built"', 'status = "built"\narea = "mcp"', "unknown keys: area"),
        ('source = "§3"\n', "", "missing keys: source"),
        ('"built"', '"done"', "'status' must be in"),
        ('"built"', '"planned"', "names in planned_for"),
        ('status = "built"', 'status = "built"\nplanned_for = "mcp"', "names in planned_for"),
        ('status = "built"', 'status = "planned"\nplanned_for = "some day"', "'planned_for' must be in"),
        ("TOOL-01", "tool-1", "'id' must match"),
        ('"One call runs one tool, once."', '"Too short."', "Length of 'text'"),
        ('"One call runs one tool, once."', "7", "'text' must be"),
    ],
)
def test_a_wrong_entry_is_refused(tmp_path: Path, old: str, new: str, told: str) -> None:
    (tmp_path / "tools.toml").write_text(GOOD.replace(old, new), encoding="utf-8")
    with pytest.raises(ManifestError) as caught:
        promises(tmp_path)
    assert str(caught.value).startswith("tools.toml [")
    assert told in str(caught.value)


def test_an_id_is_taken_across_files(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text(GOOD, encoding="utf-8")
    (tmp_path / "b.toml").write_text(GOOD, encoding="utf-8")
    with pytest.raises(ManifestError, match=r"b\.toml \[TOOL-01\]: the id is taken in a\.toml"):
        promises(tmp_path)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (GOOD + GOOD, "tools.toml: "),
        ("x = 1", "tools.toml: x stands outside of the tables"),
        ("", "there is no entry"),
    ],
)
def test_a_wrong_file_is_refused(tmp_path: Path, content: str, told: str) -> None:
    (tmp_path / "tools.toml").write_text(content, encoding="utf-8")
    with pytest.raises(ManifestError, match=told):
        promises(tmp_path)
