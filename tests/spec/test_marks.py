"""Marks are found wherever pytest would apply them, and a mark that nobody can count is reported."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.spec.marks import Marks, collect


def read(tmp_path: Path, source: str, name: str = "test_it.py") -> Marks:
    folder = tmp_path / "tests"
    folder.mkdir()
    (folder / name).write_text(source, encoding="utf-8")
    return collect(folder)


def test_a_decorated_test_shows_all_ids_of_its_marks(tmp_path: Path) -> None:
    marks = read(
        tmp_path,
        """
@pytest.mark.promise("A-01", "A-02")
@pytest.mark.case("B-01")
async def test_one(): ...

@mark.promise("A-01")
def test_two(): ...
""",
    )
    one, two = ("tests/test_it.py::test_one", "tests/test_it.py::test_two")
    assert marks == Marks({"promise": {"A-01": (one, two), "A-02": (one,)}, "case": {"B-01": (one,)}}, ())


def test_a_parameter_set_and_a_class_carry_marks_to_their_tests(tmp_path: Path) -> None:
    marks = read(
        tmp_path,
        """
@pytest.mark.promise("A-01")
class TestAll:
    @pytest.mark.parametrize(
        "x", [pytest.param(1, marks=pytest.mark.case("B-01")), pytest.param(2, marks=pytest.mark.case("B-01"))]
    )
    def test_one(self, x): ...

    def helper(self): ...
""",
    )
    test = ("tests/test_it.py::TestAll::test_one",)
    assert marks == Marks({"promise": {"A-01": test}, "case": {"B-01": test}}, ())


@pytest.mark.parametrize("value", ['pytest.mark.case("B-01")', '[pytest.mark.case("B-01"), pytest.mark.other]'])
def test_a_module_carries_its_marks_to_every_test(tmp_path: Path, value: str) -> None:
    marks = read(
        tmp_path,
        f"""
pytestmark = {value}
def test_one(): ...
class TestAll:
    def test_two(self): ...
TestMachine = Machine.TestCase
""",
    )
    tests = tuple(f"tests/test_it.py::{name}" for name in ("test_one", "TestAll::test_two", "TestMachine"))
    assert marks == Marks({"promise": {}, "case": {"B-01": tests}}, ())


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ('@pytest.mark.promise("A-01")\ndef helper(): ...', 1),
        ('@pytest.mark.promise("A-01")\nclass Machine: ...', 1),
        ('pytestmark = [pytest.mark.promise("A-01")]', 1),
        ('\nmark = pytest.mark.promise("A-01")\n@mark\ndef test_one(): ...', 2),
    ],
)
def test_a_mark_without_a_test_is_a_mistake(tmp_path: Path, source: str, line: int) -> None:
    marks = read(tmp_path, source)
    assert marks.tests == {"promise": {}, "case": {}}
    assert marks.mistakes == (f"tests/test_it.py:{line}: mark.promise belongs to no test",)


def test_only_files_of_tests_are_tests(tmp_path: Path) -> None:
    marks = read(tmp_path, '@pytest.mark.case("B-01")\ndef test_one(): ...', name="helpers.py")
    assert marks.mistakes == ("tests/helpers.py:1: mark.case belongs to no test",)


@pytest.mark.parametrize("arguments", ["", "NAME", '"A-01", 5', "*IDS", 'reason="A-01"'])
def test_ids_that_cannot_be_read_are_a_mistake(tmp_path: Path, arguments: str) -> None:
    marks = read(tmp_path, f"@pytest.mark.promise({arguments})\ndef test_one(): ...")
    assert marks.mistakes == ("tests/test_it.py:1: mark.promise must be given ids as plain strings, at least one",)
