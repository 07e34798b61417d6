"""What an executor is made of."""

from __future__ import annotations

from typing import Any

import attrs
import pytest

from ditto_core import InvalidValue
from ditto_local import LocalExecutor


@pytest.mark.parametrize(
    "options",
    [
        {"commands": "cat"},
        {"commands": b"cat"},
        {"commands": None},
        {"commands": 5},
        {"commands": [""]},
        {"commands": [" "]},
        {"commands": ["./cat"]},
        {"commands": ["bin/cat"]},
        {"commands": ["a\0"]},
        {"commands": [5]},
        {"commands": [None]},
        {"commands": ["a\ud800"]},
        {"commands": ["/bin/a\udcff"]},
        {"timeout": 0},
        {"timeout": -1},
        {"timeout": True},
        {"timeout": "5"},
        {"timeout": None},
        {"timeout": float("nan")},
        {"timeout": float("inf")},
        {"timeout": 2**31},
        {"timeout": 10**400},
        {"env": 5},
        {"env": ["A=1"]},
        {"env": {"": "a"}},
        {"env": {"A=B": "a"}},
        {"env": {"A\0": "a"}},
        {"env": {5: "a"}},
        {"env": {"A": 1}},
        {"env": {"A": None}},
        {"env": {"A": "\0"}},
        {"env": {"A": "\ud800"}},
        {"env": {"A": "a\udcff"}},
        {"env": {"A\udfff": "a"}},
        {"env": {"PATH": "/bin:/a\udc80"}},
        {"env": {"PATH": "bin:/bin"}},
        {"env": {"PATH": "/bin:"}},
        {"env": {"PATH": ""}},
    ],
    ids=repr,
)
def test_options_that_could_not_work_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(InvalidValue, match=r"^LocalExecutor\.(commands|timeout|env): "):
        LocalExecutor(**{"commands": ["cat"], **options})


@pytest.mark.parametrize(
    "options",
    [
        {"timeout": 0.001},
        {"timeout": 2_147_483.647},
        {"env": {"A": ""}},
        {"env": {"é": "\U0001f600\ud7ff\ue000"}},
        {"env": None},
    ],
)
def test_options_at_their_limits_are_taken(options: dict[str, Any]) -> None:
    assert LocalExecutor(["cat", "/bin/ls"], **options).local


@pytest.mark.parametrize("options", [{"commands": ["a\n/" + "x" * 5_000]}, {"env": {"a\n" + "x" * 5_000: 5}}])
def test_a_message_shows_a_name_on_one_line_and_not_all_of_a_long_one(options: dict[str, Any]) -> None:
    with pytest.raises(InvalidValue) as caught:
        LocalExecutor(**{"commands": ["cat"], **options})
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 300


@pytest.mark.promise("SBX-05b")
def test_a_command_has_five_seconds_unless_more_are_given() -> None:
    assert LocalExecutor(["cat"]).timeout == 5.0
    assert LocalExecutor(["cat"], timeout=60).timeout == 60.0


def test_nothing_may_run_that_nobody_named() -> None:
    assert LocalExecutor([]).commands == frozenset()


def test_its_options_are_its_own() -> None:
    commands = ["cat"]
    executor = LocalExecutor(commands, timeout=5)
    commands.append("sh")
    assert executor.commands == {"cat"}
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        executor.timeout = 1.0  # type: ignore[misc]


def test_its_repr_tells_nothing_of_the_environment() -> None:
    assert repr(LocalExecutor(["ls", "cat"], env={"KEY": "secret"})) == "LocalExecutor(['cat', 'ls'], timeout=5)"
