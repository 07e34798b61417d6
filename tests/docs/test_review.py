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

REVIEW = os.fspath(ROOT / "docs/examples/review.py")
MARK = "TO" + "DO: later"
SECRET = "AKIA" + "X" * 16


def review(*arguments: str | bytes, cwd: Path) -> subprocess.CompletedProcess[bytes]:
    """Run the review as a user does."""
    command = [sys.executable, "-W", "error", REVIEW, *arguments]
    return subprocess.run(command, cwd=cwd, stdin=subprocess.DEVNULL, capture_output=True, timeout=100, check=False)


def records(*arguments: str | bytes, cwd: Path) -> list[Any]:
    """Give the contents of the JSON lines of a review that succeeds."""
    done = review("--json", *arguments, cwd=cwd)
    assert (done.returncode, done.stderr.decode()) == (0, "")
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line["id"] for line in lines] == [f"report-{number}" for number, _ in enumerate(lines, start=1)]
    return [line["message"]["content"] for line in lines]


def unread(folder: Path) -> list[str]:
    """Give what a review could not read as text."""
    return [f"{row['path']}: {row['why']}" for row in records(cwd=folder) if row["kind"] == "unread"]


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
        "Not read, or not wholly: 1",
        "  logo.png  it is no text",
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
    good = [b"-rf", b"a b", b"[a]*?", "☃".encode(), b"--json", b"-", b"c:x", b"a:1:b", b"a"]
    unnamed = [b"line\nbreak", b"\n", b"\x1b[2J", b"latin \xe9", b"latin \xe8", rb"a\xe9"]
    for name in [*good, *unnamed]:
        Path(os.fsdecode(bytes(odd) + b"/" + name)).write_bytes(MARK.encode())
    for name in [b"-d", b"\nd", b"\xff"]:
        Path(os.fsdecode(bytes(odd) + b"/" + name)).mkdir()
    (odd / "loop").symlink_to(".")
    (odd / "gone").symlink_to("nowhere")
    (odd / "out").symlink_to("/etc")
    os.mkfifo(odd / "pipe")
    summary, *rows = records("--", odd.name, cwd=tmp_path)
    assert (summary["files"], summary["findings"], summary["unread"]) == (9, 18, 8)
    found = [row for row in rows if row["kind"] == "finding"]
    assert {row["path"].encode() for row in found} == set(good)
    assert {row["what"] for row in found} == {f"open mark: {MARK}", "no newline at the end"}
    assert sorted(f"{row['path']}: {row['why']}" for row in rows if row["kind"] == "unread") == [
        "\n: its name has a line end",
        "\nd/: its name has a line end",
        "\x1b[2J: no command takes its name",
        r"a\xe9: no command takes its name",
        "latin \ufffd: its name has bytes that are no text, or U+FFFD",
        "latin \ufffd: its name has bytes that are no text, or U+FFFD",
        "line\nbreak: its name has a line end",
        "\ufffd/: its name has bytes that are no text, or U+FFFD",
    ]
    assert summary["notes"][-1] == "Folders that could not be listed, or not wholly, and what is in them: 2."

    text = review("--", odd.name, cwd=tmp_path).stdout.decode()
    assert r"  line\nbreak  its name has a line end" in text
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


def test_a_folder_with_more_than_one_output_holds_is_not_taken_for_a_smaller_one(tmp_path: Path) -> None:
    for number in range(100, 200):
        (tmp_path / f"{number}{chr(10) * 200}").touch()
    summary, *rows = records(cwd=tmp_path)
    assert {row["why"] for row in rows} == {"its name has a line end", "it has more than is listed at once (file)"}
    assert len(rows) == 10_000 // 201 + 1
    assert summary["notes"][-1] == "Folders that could not be listed, or not wholly, and what is in them: 1."


def test_how_many_files_and_folders_are_looked_at_is_bounded_and_said(tmp_path: Path) -> None:
    for folder in "abc":
        (tmp_path / folder).mkdir()
        for name in "xyz":
            (tmp_path / folder / name).touch()
    lower = "import reviewing.listing as it, review; it.MAX_FILES, it.MAX_FOLDERS = 4, 3; review.main()"
    command = [sys.executable, "-c", lower]
    env = {**os.environ, "PYTHONPATH": os.fspath(ROOT / "docs/examples")}
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, timeout=100, check=True)
    assert done.stdout.decode().splitlines()[-2:] == [
        "  Folders beyond the first 3, and all below them: 1 at least.",
        "  Files beyond the first 4 of 6, by name.",
    ]


def test_what_one_output_does_not_hold_is_counted_and_said(tmp_path: Path) -> None:
    (tmp_path / "long.txt").write_text("x \n" * 20_000 + MARK, encoding="utf-8")
    (tmp_path / "wide.txt").write_text("x" * 2_500_000 + "\n", encoding="utf-8")
    (summary, *_) = records(cwd=tmp_path)
    assert (summary["files"], summary["lines"]) == (2, 20_002)
    assert findings(tmp_path) == [
        "long.txt:0 20001 lines, more than 400",
        "long.txt:1 with blanks at the end: 10000 lines",
        "long.txt:20001 no newline at the end",
        f"long.txt:20001 open mark: {MARK}",
    ]
    assert unread(tmp_path) == [
        "long.txt: what comes after its first 10000 lines was not checked",
        "wide.txt: what comes after its first 0 lines was not checked",
    ]


def test_a_line_is_hidden_where_the_search_for_secrets_was_cut(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(f"k = '{SECRET}'  # {MARK}\n" * 20_000, encoding="utf-8")
    (tmp_path / "b.py").write_text(f"{MARK}\n", encoding="utf-8")
    text = review(cwd=tmp_path).stdout.decode()
    assert SECRET not in text
    assert f"  b.py:1  open mark: {MARK}\n" in text
    assert "  a.py  what looks like a secret: there may be more\n" in text


def test_text_is_told_from_bytes_also_where_both_look_alike(tmp_path: Path) -> None:
    (tmp_path / "bytes").write_bytes("\ufffd\n".encode() + b"\xff\n")
    (tmp_path / "text").write_bytes("\ufffd\n".encode())
    (tmp_path / "nul").write_bytes(b"a\0b\n")
    (tmp_path / "late").write_bytes(b"x\n" * 600_000 + b"\0" + MARK.encode() + b"\n")
    assert unread(tmp_path) == [
        "bytes: it is no text",
        "late: open mark: binary file matches",
        "late: what comes after its first 10000 lines was not checked",
        "nul: it is no text",
    ]


def test_what_may_not_be_read_is_reported_and_the_rest_is_reviewed(tmp_path: Path) -> None:
    for name in ("locked", "open"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.txt").write_text("x", encoding="utf-8")
    (tmp_path / "b.txt").touch()
    for name in ("locked", "b.txt"):
        (tmp_path / name).chmod(0)
    # Also where tests run as root, the permission bits hold.
    rights = ["setpriv", "--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-all"]
    command = [*(rights if os.geteuid() == 0 else []), sys.executable, "-B", REVIEW]
    try:
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=100, check=True)
    finally:
        (tmp_path / "locked").chmod(0o700)
    text = done.stdout.decode()
    assert "\nFindings: 1\n  open/a.txt:1  no newline at the end\n" in text
    assert "\n  b.txt  Permission denied\n  locked/  Permission denied\n" in text


@pytest.mark.parametrize("folder", ["absent", "a file", "", "a\nb"])
def test_a_folder_that_cannot_be_listed_is_one_line_and_status_2(folder: str, tmp_path: Path) -> None:
    (tmp_path / "a file").touch()
    done = review(folder, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, b"")
    assert len(done.stderr.decode().splitlines()) == 1
    assert done.stderr.startswith(f"review: {folder!r} cannot be reviewed: ".encode())


def test_a_report_that_nobody_reads_is_status_1(tmp_path: Path) -> None:
    command = f"'{sys.executable}' '{REVIEW}' >&-"
    done = subprocess.run(["sh", "-c", command], cwd=tmp_path, capture_output=True, timeout=100, check=False)
    assert done.returncode == 1
    assert done.stderr.decode().startswith("review: the report was not delivered: ")


def test_progress_is_for_terminals_only(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("x\n", encoding="utf-8")
    theirs, ours = os.openpty()
    command = [sys.executable, REVIEW, "--json"]
    subprocess.run(command, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=ours, timeout=100, check=True)
    os.close(ours)
    with os.fdopen(theirs, "rb", buffering=0) as terminal:
        assert b"\rreading 1 of 1 files" in terminal.read(1_000)
