"""All 14 tools, through host, runtime and OBSERVE, on everything that can be in a workspace, as root and as a user.

Who runs these tests as an ordinary user surveys as that user alone.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs
import pytest

from tests.support import awkward
from tests.support.commands import READERS, WITH_PATH, on
from tests.support.survey import survey_as

NOBODY = 65_534
USERS = [0, NOBODY] if os.geteuid() == 0 else [os.geteuid()]
HOST = {"DITTO_WORKER_INTERACTION_BRAVE_SEARCH_API_KEY": awkward.SECRET, "AWS_SECRET_ACCESS_KEY": awkward.SECRET}

UNUSABLE = tuple(name for name in awkward.TEXTS if {"\n", "\t", "\x1b", "\\"} & set(name))
FILES = tuple(name for name in awkward.TEXTS if name not in UNUSABLE)
NAMED_BYTES = {os.fsdecode(raw): data for raw, data in awkward.BYTES.items() if raw.isascii()}
FOLDERS = (".", "[slug]", "-delete", "(", "!", ".hidden", "many", "deep", "日本", "locked")
NO_FILES = ("pipe", "socket", "null-device")
LOCKED = ("locked/inside.txt", "unreadable.txt")
MISSING = ("missing", "plain.txt/x", "*.txt", "--version", "**")
ESCAPING = (
    *("link-up", "link-outside", "link-outside/secret.txt", "link-secret", "link-absolute", "link-zero"),
    *("link-environ", "link-proc", "link-proc/self/environ", "link-proc/1/environ", "link-dangling-outside"),
    "link-up/outside/secret.txt",
)
INSIDE = (
    *("link-inside", "link-folder", "link-self/link-self/plain.txt", "link-up/inside/plain.txt"),
    "many/link-cycle/link-cycle/0000.txt",
)
NOWHERE = ("link-dangling", "link-loop", "link-loop-1")
PATHS = (*FILES, *NAMED_BYTES, *FOLDERS, *NO_FILES, *LOCKED, *MISSING, *ESCAPING, *INSIDE, *NOWHERE, *UNUSABLE)

MORE: list[tuple[str, Any]] = [
    ("pwd", {}),
    ("ls", {}),
    ("ls", {"all": True}),
    ("find", {}),
    ("find", {"name": "*.txt", "type": "file", "maxDepth": 1}),
    ("find", {"path": "deep", "maxDepth": 32}),
    ("du", {"path": ".", "maxDepth": 32}),
    ("grep", on("grep", ".", recursive=True)),
    ("grep", on("grep", "link-self", recursive=True, ignoreCase=True, fixedStrings=True)),
    ("cat", {"path": "large.bin"}),
    ("head", {"path": "large.bin"}),
    ("wc", {"path": "large.bin", "metric": "bytes"}),
    ("stat", {"path": "large.bin"}),
    ("du", {"path": "large.bin"}),
    ("file", {"path": "large.bin"}),
]
CALLS = [*((name, on(name, path)) for name in WITH_PATH for path in PATHS), *MORE]


@attrs.frozen
class Survey:
    """What came of the calls, and the workspace before and after."""

    answers: dict[str, dict[str, Any]]
    before: dict[Path, tuple[object, ...]]
    after: dict[Path, tuple[object, ...]]
    user: int
    workspace: Path

    def of(self, name: str, path: str) -> dict[str, Any]:
        return self.answers[_key((name, on(name, path)))]

    def result(self, name: str, path: str) -> dict[str, Any]:
        result: dict[str, Any] = self.of(name, path)["result"]
        return result


def _key(call: tuple[str, Any]) -> str:
    return json.dumps(call)


@pytest.fixture(scope="module", params=USERS, ids=lambda user: "root" if user == 0 else "user")
def survey(request: pytest.FixtureRequest) -> Iterator[Survey]:
    around = Path(tempfile.mkdtemp())
    try:
        inside = awkward.build(around)
        if request.param != os.geteuid():
            awkward.give_to(around, request.param)
        (around / "calls.json").touch()
        (around / "results.json").touch()
        before = awkward.snapshot(around)
        answers = survey_as(request.param, around, CALLS, HOST)
        after = awkward.snapshot(around)
        yield Survey(dict(zip(map(_key, CALLS), answers, strict=True)), before, after, request.param, inside)
    finally:
        awkward.remove_locks(around)
        shutil.rmtree(around)


@pytest.mark.promise("CMD-07")
def test_every_call_ends_in_a_result_or_in_a_refusal(survey: Survey) -> None:
    assert {answer.get("raised", "") for answer in survey.answers.values()} == {
        "",
        "InvalidArguments",
        "PermissionDenied",
    }


@pytest.mark.case("ARG-01", "ARG-17")
def test_nothing_in_or_around_the_workspace_has_changed(survey: Survey) -> None:
    everything = survey.before.keys() | survey.after.keys()
    changed = {path.name for path in everything if survey.before.get(path) != survey.after.get(path)}
    assert changed <= {"calls.json", "results.json"}


@pytest.mark.promise("D-CMD-01", "D-CMD-11")
@pytest.mark.case("RUN-10", "RUN-11")
def test_nothing_of_the_host_or_outside_is_ever_seen(survey: Survey) -> None:
    for call, answer in survey.answers.items():
        assert awkward.SECRET not in json.dumps(answer), call
        if "raised" in answer:
            assert str(survey.workspace.parent) not in answer["message"]


@pytest.mark.promise("D-CMD-10")
def test_every_result_tells_what_ran_and_its_observation_shows_it(survey: Survey) -> None:
    for call, answer in survey.answers.items():
        if "raised" in answer:
            continue
        result, message = answer["result"], answer["observation"]["message"]
        name, _ = json.loads(call)
        said = result["structuredContent"]
        assert result["source"] == said["command"] == name
        assert (result["status"] == "failed") == (said["exitCode"] not in (0, None))
        assert said["stopped"] == (said["exitCode"] is None)
        assert len(result["content"].encode()) <= 65_536
        assert result["content"].count("\n") <= 1_000
        assert len(said["stderr"].encode()) <= 8_192
        if not said["truncated"]:
            assert "\ufffd" in result["content"] or said["stdoutBytes"] == len(result["content"].encode())
        parts = message["content"]
        assert parts[-1] == {"type": "json", "data": said}
        assert {"type": "text", "text": result["content"]} in parts


@pytest.mark.case("ARG-07", "ARG-14", "ARG-17", "OUTP-07")
@pytest.mark.parametrize("name", FILES)
def test_exactly_the_named_file_is_read(survey: Survey, name: str) -> None:
    text = awkward.TEXTS[name]
    if name == "long-line.txt":
        assert survey.result("cat", name)["content"] == text[:65_536]
        return
    first = survey.result("cat", name)
    assert (first["status"], first["content"]) == ("success", text)
    assert survey.result("head", name)["content"] == survey.result("tail", name)["content"] == text
    assert survey.result("wc", name)["content"].split()[0] == str(text.count("\n"))
    lines = sorted(text.encode().splitlines(keepends=True) if "\r" not in text else [b"a\r\n", b"b\rc\n"])
    assert survey.result("sort", name)["content"].rstrip("\n") == b"".join(
        line if line.endswith(b"\n") else line + b"\n" for line in lines
    ).decode().rstrip("\n")
    assert survey.result("stat", name)["status"] == "success"
    assert "cannot open" not in survey.result("file", name)["content"]
    assert survey.result("ls", name)["content"].endswith(f"{name}\n")
    assert survey.result("find", name)["content"] == f"./{name}\n"
    assert survey.result("du", name)["status"] == "success"
    assert survey.result("cut", name)["status"] == survey.result("uniq", name)["status"] == "success"
    found = survey.result("grep", name)
    assert (found["status"], found["structuredContent"]["exitCode"]) == (
        ("success", 0) if "needle" in text else ("failed", 1)
    )


@pytest.mark.promise("D-CMD-13")
@pytest.mark.case("OUTP-03", "OUTP-09")
def test_bytes_that_are_no_text_come_as_replacement_characters(survey: Survey) -> None:
    for name, data in NAMED_BYTES.items():
        result = survey.result("cat", name)
        assert result["status"] == "success"
        assert data.decode(errors="replace").startswith(result["content"])
        assert len(result["content"].encode()) > 65_500 or result["content"] == data.decode(errors="replace")
    for name in ("binary", "latin.txt"):
        found = survey.result("grep", name)
        assert found["status"] == "success"
        assert "binary file matches" in found["content"] + found["structuredContent"]["stderr"]


@pytest.mark.promise("D-CMD-02")
@pytest.mark.case("ARG-06")
@pytest.mark.parametrize("path", [*FOLDERS, *NO_FILES, "link-folder"])
def test_only_regular_files_are_read(survey: Survey, path: str) -> None:
    for name in READERS:
        answer = survey.of(name, path)
        assert answer.get("raised") == "InvalidArguments"
        assert "and no regular file" in answer["message"]
    for name in ("ls", "find", "stat", "file", "du"):
        assert "result" in survey.of(name, path)


@pytest.mark.promise("D-CMD-01")
@pytest.mark.parametrize("path", ESCAPING)
def test_no_link_leads_out(survey: Survey, path: str) -> None:
    for name in WITH_PATH:
        assert survey.of(name, path).get("raised") == "PermissionDenied", name


def test_links_inside_are_followed(survey: Survey) -> None:
    for path in ("link-inside", "link-self/link-self/plain.txt", "link-up/inside/plain.txt"):
        assert survey.result("cat", path)["content"] == awkward.TEXTS["plain.txt"]
    assert survey.result("ls", "link-folder")["content"] == "p (1).txt\n"


@pytest.mark.promise("D-CMD-02")
@pytest.mark.case("ARG-03", "ARG-07")
@pytest.mark.parametrize("path", [*MISSING, "link-dangling"])
def test_what_does_not_exist_is_answered_by_the_command(survey: Survey, path: str) -> None:
    for name in WITH_PATH:
        result = survey.result(name, path)
        if path == "link-dangling" and name not in READERS:
            assert result["status"] == "success"
        elif name == "file":  # exits with 0 all the same, and says so in its output
            assert "cannot open" in result["content"]
        else:
            assert (result["status"], result["content"]) == ("failed", "")
            assert result["error"]["code"] == "COMMAND_EXIT_NONZERO"
            assert result["structuredContent"]["stderr"]


@pytest.mark.parametrize("path", ["link-loop", "link-loop-1"])
def test_a_circle_of_links_ends(survey: Survey, path: str) -> None:
    for name in READERS:
        assert "Too many levels" in survey.result(name, path)["structuredContent"]["stderr"]
    assert survey.result("stat", path)["status"] == "success"


@pytest.mark.parametrize("path", LOCKED)
def test_the_user_who_runs_it_may_read_what_the_system_lets_that_user(survey: Survey, path: str) -> None:
    result = survey.result("cat", path)
    if survey.user == 0:
        assert result["status"] == "success"
    else:
        assert result["status"] == "failed"
        assert "Permission denied" in result["structuredContent"]["stderr"]


@pytest.mark.case("ARG-13", "ARG-15")
@pytest.mark.parametrize("path", UNUSABLE)
def test_names_that_are_no_paths_are_seen_and_cannot_be_named(survey: Survey, path: str) -> None:
    for name in WITH_PATH:
        assert survey.of(name, path).get("raised") == "InvalidArguments"
    assert path.splitlines()[0] in survey.answers[_key(("ls", {"all": True}))]["result"]["content"]


@pytest.mark.promise("CMD-17", "D-CMD-08")
@pytest.mark.case("OUTP-04", "RUN-06")
def test_what_is_too_large_is_cut_and_told(survey: Survey) -> None:
    def said(name: str, **arguments: Any) -> dict[str, Any]:
        structured: dict[str, Any] = survey.answers[_key((name, arguments))]["result"]["structuredContent"]
        return structured

    many = said("ls", path="many")
    assert (many["truncated"], many["stopped"], many["maxEntries"]) == (True, False, 1_000)
    assert many["stdoutBytes"] == sum(len("0000.txt\n") for _ in range(awkward.LINES)) + len("link-cycle\n")
    for name in ("cat", "head"):
        flood = said(name, path="large.bin")
        assert (flood["truncated"], flood["stopped"], flood["exitCode"]) == (True, True, None)
        assert flood["stdoutBytes"] > 1_048_576
    line = said("cat", path="long-line.txt")
    assert (line["truncated"], line["stopped"], line["exitCode"]) == (True, False, 0)
    assert line["stdoutBytes"] == len(awkward.LONG_LINE)


@pytest.mark.case("ARG-04")
def test_a_recursive_search_stays_inside(survey: Survey) -> None:
    for call in MORE:
        if call[0] != "grep":
            continue
        result = survey.answers[_key(call)]["result"]
        found = [line for line in result["content"].splitlines() if "plain.txt" in line]
        assert len(found) == 1
        assert result["structuredContent"]["exitCode"] == (0 if survey.user == 0 else 2)  # what it may not read


def test_pwd_is_the_workspace(survey: Survey) -> None:
    assert survey.answers[_key(("pwd", {}))]["result"]["content"] == f"{survey.workspace.resolve()}\n"
