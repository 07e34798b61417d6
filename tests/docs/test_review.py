"""The main job: a review of any folder ends, says what it found, and what it did not look at."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.project import ROOT

MARK = "TO" + "DO: later"
SECRET = "AKIA" + "X" * 16


def review(*arguments: str | bytes, cwd: Path) -> subprocess.CompletedProcess[bytes]:
    """Run the review as a user does."""
    command = [sys.executable, "-W", "error", os.fspath(ROOT / "docs/examples/review.py"), *arguments]
    return subprocess.run(command, cwd=cwd, stdin=subprocess.DEVNULL, capture_output=True, timeout=100, check=False)


def records(*arguments: str | bytes, cwd: Path) -> list[Any]:
    """Give the contents of the JSON lines of a review that succeeds."""
    done = review("--json", *arguments, cwd=cwd)
    assert (done.returncode, done.stderr.decode()) == (0, "")
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line["id"] for line in lines] == [f"report-{number}" for number, _ in enumerate(lines, start=1)]
    return [line["message"]["content"] for line in lines]


def findings(folder: Path) -> list[str]:
    """Give the findings of a review as text."""
    found = records(cwd=folder)
    return [f"{row['path']}:{row['line']} {row['what']}" for row in found if row["kind"] == "finding"]


def test_every_kind_of_finding_is_reported_once_and_in_order(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(f"# {MARK}\nkey = '{SECRET}'\n", encoding="utf-8")
    (tmp_path / "b.txt").write_bytes(b"<<<<<<< HEAD\r\nblank \n \tmixed\nblank\t\r\nend")
    (tmp_path / "c.txt").write_text("x\n" * 400 + "x" * 121 + "\n", encoding="utf-8")
    (tmp_path / "good.txt").write_text("x" * 120 + "\n" + "x\n" * 399, encoding="utf-8")
    assert findings(tmp_path) == [
        f"a.py:1 open mark: # {MARK}",
        "a.py:2 what looks like a secret",
        "b.txt:1 mark of a merge conflict: <<<<<<< HEAD",
        "b.txt:2 with blanks at the end: 2 lines",
        "b.txt:3 indented with both tabs and blanks: 1 line",
        "b.txt:5 no newline at the end",
        "c.txt:0 401 lines, more than 400",
        "c.txt:401 longer than 120 characters: 1 line",
    ]


def test_the_report_for_people_says_all_of_it_and_no_secret(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(f"key = '{SECRET}'  # {MARK}\n", encoding="utf-8")
    (tmp_path / "logo.png").write_bytes(b"\x89PNG")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git/HEAD").write_text(MARK, encoding="utf-8")
    done = review(".", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode().splitlines() == [
        "Review of .",
        "",
        "  suffix             files     lines",
        "  .py                    1         1",
        "  all text files         1         1",
        "",
        "Findings: 2",
        "  a.py:1  what looks like a secret",
        "  a.py:1  open mark",
        "",
        "Not read: 1",
        "  logo.png  FILE_NOT_TEXT",
        "",
        "What was not looked at",
        "  Folders by name, wherever they are: .git.",
        "  Links, and what is no regular file: they are neither followed nor listed.",
    ]


def test_an_empty_folder_has_nothing_to_say(tmp_path: Path) -> None:
    (summary,) = records(cwd=tmp_path)
    assert (summary["files"], summary["findings"], summary["unread"]) == (0, 0, 0)


def test_odd_names_and_odd_files_are_no_obstacle(tmp_path: Path) -> None:
    odd = tmp_path / "-odd [x]\n"
    odd.mkdir()
    names = [b"-rf", b"a b", b"[a]*?", b"line\nbreak", b"\x1b[2J", b"latin \xe9", "☃".encode(), rb"a\xe9", b"--json"]
    for name in names:
        Path(os.fsdecode(bytes(odd) + b"/" + name)).write_bytes(b"no newline")
    (odd / "loop").symlink_to(".")
    (odd / "gone").symlink_to("nowhere")
    (odd / "out").symlink_to("/etc")
    os.mkfifo(odd / "pipe")
    found = records("--", odd.name, cwd=tmp_path)
    assert [row["kind"] for row in found] == ["summary"] + ["finding"] * len(names)
    assert {row["what"] for row in found[1:]} == {"no newline at the end"}

    text = review("--", odd.name, cwd=tmp_path).stdout.decode()
    assert r"line\nbreak:1" in text
    assert "\x1b" not in text


def test_a_folder_may_have_a_name_that_is_no_text(tmp_path: Path) -> None:
    Path(os.fsdecode(bytes(tmp_path) + b"/\xff")).mkdir()
    (summary,) = records(b"\xff", cwd=tmp_path)
    assert summary["folder"] == r"\xff"


def test_many_files_are_all_reviewed(tmp_path: Path) -> None:
    for number in range(1_100):
        (tmp_path / f"{number}.txt").write_bytes(b"x")
    text = review(cwd=tmp_path).stdout.decode()
    assert "Findings: 1100\n" in text
    assert text.count("no newline at the end") == 1_000
    assert "  Rows beyond the first 1000 of a kind, in this report.\n" in text


@pytest.mark.parametrize("folder", ["absent", "a file", "", "a\nb"])
def test_a_folder_that_cannot_be_listed_is_one_line_and_status_2(folder: str, tmp_path: Path) -> None:
    (tmp_path / "a file").touch()
    done = review(folder, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, b"")
    assert len(done.stderr.decode().splitlines()) == 1
    assert done.stderr.startswith(f"review: {folder!r} cannot be reviewed: ".encode())


def test_a_report_that_nobody_reads_is_status_1(tmp_path: Path) -> None:
    command = f"'{sys.executable}' '{ROOT}/docs/examples/review.py' >&-"
    done = subprocess.run(["sh", "-c", command], cwd=tmp_path, capture_output=True, timeout=100, check=False)
    assert done.returncode == 1
    assert done.stderr.decode().startswith("review: the report was not delivered: ")


def test_progress_is_for_terminals_only(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("x\n", encoding="utf-8")
    theirs, ours = os.openpty()
    command = [sys.executable, os.fspath(ROOT / "docs/examples/review.py"), "--json"]
    subprocess.run(command, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=ours, timeout=100, check=True)
    os.close(ours)
    with os.fdopen(theirs, "rb", buffering=0) as terminal:
        assert b"\rreading 1 of 1 files" in terminal.read(1_000)
