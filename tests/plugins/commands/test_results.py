"""What comes of a command: statuses, what was cut, what is raised."""

from __future__ import annotations

import pytest

from ditto_commands import CommandTools
from ditto_core import (
    UNSET,
    CommandTimeout,
    CommandUnavailable,
    InteractionError,
    InvalidResult,
    ObserveInput,
    PermissionDenied,
    TextPart,
    observe,
)
from tests.support.commands import PROGRAMS, FakeExecutor, about, call, done, on

SMALL = CommandTools(max_entries=3, max_output_bytes=10, max_error_bytes=5)


@pytest.mark.promise("CMD-18", "D-CMD-10")
@pytest.mark.parametrize("name", PROGRAMS)
def test_output_is_content_and_everything_else_is_structured(name: str) -> None:
    executor = FakeExecutor(done("out\n", "warning\n"))
    result = call(name, on(name, "a"), executor)
    assert (result.call_id, result.source, result.status) == ("call-1", name, "success")
    assert (result.content, result.error, result.references, result.metadata) == ("out\n", UNSET, UNSET, UNSET)
    assert about(result) == {
        "command": name,
        "args": list(executor.asked[0].args),
        "stderr": "warning\n",
        "exitCode": 0,
        "truncated": False,
        "cut": [],
        "stopped": False,
        "stdoutBytes": 4,
        "stderrBytes": 8,
        "maxEntries": 1_000,
        "maxOutputBytes": 65_536,
        "maxErrorBytes": 8_192,
    }


@pytest.mark.case("OUTP-10")
def test_no_output_is_a_success_with_empty_content() -> None:
    result = call("cat", on("cat", "a"), FakeExecutor(done()))
    assert (result.status, result.content) == ("success", "")


@pytest.mark.promise("CMD-19", "D-CMD-08")
@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("code", [1, 2, 127, 255])
def test_a_nonzero_exit_is_a_failure_that_keeps_the_output(name: str, code: int) -> None:
    result = call(name, on(name, "a"), FakeExecutor(done("some", "why", code)))
    assert result.status == "failed"
    assert (result.content, about(result)["stderr"], about(result)["exitCode"]) == ("some", "why", code)
    assert isinstance(result.error, InteractionError)
    assert (result.error.code, result.error.retryable) == ("COMMAND_EXIT_NONZERO", False)
    assert result.error.message.startswith(f"{name} exited with status {code}")


@pytest.mark.promise("D-CMD-05")
@pytest.mark.case("ARG-10")
@pytest.mark.parametrize("warning", ["", "grep: warning: stray \\ before q\n"])
def test_grep_without_a_match_says_so_and_differs_from_a_broken_search(warning: str) -> None:
    nothing = call("grep", on("grep", "a"), FakeExecutor(done(stderr=warning, exit_code=1)))
    broken = call("grep", on("grep", "a"), FakeExecutor(done(stderr="grep: a: no\n", exit_code=2)))
    other = call("cat", on("cat", "a"), FakeExecutor(done(exit_code=1)))
    messages = [result.error.message for result in (nothing, broken, other) if result.error]
    assert messages == [
        "grep exited with status 1: no line matched",
        "grep exited with status 2",
        "cat exited with status 1",
    ]


def test_a_command_that_somebody_else_killed_is_a_failure() -> None:
    result = call("cat", on("cat", "a"), FakeExecutor(done("some", exit_code=-9)))
    assert result.status == "failed"
    assert result.error
    assert result.error.message == "cat was ended by signal 9"


@pytest.mark.promise("CMD-17", "CMD-19", "D-CMD-08")
def test_a_command_that_was_stopped_at_a_limit_is_a_success_that_says_so() -> None:
    answer = done("a\n" * 1_000, exit_code=None, stdout_bytes=3_000_000)
    result = call("cat", on("cat", "a"), FakeExecutor(answer))
    said = about(result)
    assert (result.status, result.content) == ("success", "a\n" * 1_000)
    assert (said["truncated"], said["stopped"], said["exitCode"]) == (True, True, None)
    assert (said["stdoutBytes"], said["maxEntries"], said["maxOutputBytes"]) == (3_000_000, 1_000, 65_536)


@pytest.mark.promise("CMD-17", "D-CMD-08")
def test_a_cut_and_a_nonzero_exit_are_told_together() -> None:
    answer = done("a" * 10, "b" * 5, 1, truncated=True, stdout_bytes=11, stderr_bytes=6)
    result = call("cat", on("cat", "a"), FakeExecutor(answer), plugin=SMALL)
    said = about(result)
    assert (result.status, said["exitCode"], said["truncated"], said["stopped"]) == ("failed", 1, True, False)
    assert (said["stdoutBytes"], said["stderrBytes"], said["maxErrorBytes"]) == (11, 6, 5)


@pytest.mark.promise("D-CMD-06", "CMD-17")
@pytest.mark.case("OUTP-01", "OUTP-10")
@pytest.mark.parametrize(
    ("stdout", "stderr", "content", "error", "truncated"),
    [
        ("a" * 10, "b" * 5, "a" * 10, "b" * 5, False),
        ("a" * 11, "", "a" * 10, "", True),
        ("", "b" * 6, "", "b" * 5, True),
        ("a\nb\nc\n", "", "a\nb\nc\n", "", False),
        ("a\nb\nc", "", "a\nb\nc", "", False),
        ("a\nb\nc\nd", "", "a\nb\nc\n", "", True),
        ("\n\n\n\n", "", "\n\n\n", "", True),
        ("", "\n\n\n\n\n", "", "\n\n\n\n\n", False),
        ("a" * 9 + "é", "b" * 4 + "é", "a" * 9, "b" * 4, True),
        ("\U0001f600" * 3, "\U0001f600\U0001f600", "\U0001f600" * 2, "\U0001f600", True),
        ("é" * 5, "éé", "é" * 5, "éé", False),
    ],
)
def test_what_a_foreign_executor_gives_is_cut_again(
    stdout: str, stderr: str, content: str, error: str, truncated: bool
) -> None:
    result = call("cat", on("cat", "a"), FakeExecutor(done(stdout, stderr)), plugin=SMALL)
    assert (result.content, about(result)["stderr"], about(result)["truncated"]) == (content, error, truncated)
    assert about(result)["stdoutBytes"] == len(stdout.encode())


def test_what_an_executor_says_it_has_cut_stays_said() -> None:
    result = call("cat", on("cat", "a"), FakeExecutor(done("a", truncated=True, stdout_bytes=9)))
    assert (result.content, about(result)["truncated"], about(result)["stdoutBytes"]) == ("a", True, 9)


@pytest.mark.promise("CMD-20", "D-CMD-09")
@pytest.mark.case("RUN-08", "RUN-14")
@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize(
    "error",
    [
        OSError("transport"),
        RuntimeError("executor"),
        CommandTimeout("late", stdout="step1"),
        CommandUnavailable("missing"),
        PermissionDenied("not one of mine"),
        KeyError("x"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_what_an_executor_raises_comes_out_unchanged_and_nothing_is_tried_again(name: str, error: Exception) -> None:
    executor = FakeExecutor(error)
    with pytest.raises(type(error)) as caught:
        call(name, on(name, "a"), executor)
    assert caught.value is error
    assert len(executor.asked) == 1


@pytest.mark.promise("CMD-20")
def test_an_executor_that_answers_with_nonsense_is_told_of() -> None:
    executor = FakeExecutor({"stdout": "a"})  # type: ignore[arg-type]
    with pytest.raises(InvalidResult, match="Executor of command 'cat'"):
        call("cat", on("cat", "a"), executor)
    assert len(executor.asked) == 1


@pytest.mark.promise("D-CMD-10")
def test_an_observation_holds_the_output_once() -> None:
    observation = observe(ObserveInput(result=call("cat", on("cat", "a"), FakeExecutor(done("the output")))))
    content = observation.message.content
    assert isinstance(content, tuple)
    assert content[0] == TextPart(text="the output")
    assert str(content).count("the output") == 1


def test_a_failure_is_observed_with_its_code() -> None:
    observation = observe(ObserveInput(result=call("grep", on("grep", "a"), FakeExecutor(done(exit_code=1)))))
    content = observation.message.content
    assert isinstance(content, tuple)
    assert content[0] == TextPart(text="failed: COMMAND_EXIT_NONZERO: grep exited with status 1: no line matched")
