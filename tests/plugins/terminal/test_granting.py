"""``--allow``, and the flag that a refusal names."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
import typer

from ditto_core import PermissionDenied, Sandbox
from ditto_terminal.granting import flag_for, sandbox_of


def test_nothing_is_permitted_unless_it_is_said() -> None:
    sandbox = sandbox_of([], Path())
    assert (sandbox.tools, sandbox.mcp, sandbox.network) == (frozenset(), frozenset(), frozenset())
    assert (sandbox.read, sandbox.write, sandbox.execute, sandbox.executor) == (False, False, False, None)


def test_each_permission_is_given_by_its_own_word() -> None:
    words = ["tools:a", "tools:b", "mcp:files", "network:https://acme.example", "read", "write", "execute:grep"]
    sandbox = sandbox_of(words, Path(), tools=["c"])
    assert sandbox.tools == {"a", "b", "c"}
    assert sandbox.mcp == {"files"}
    assert sandbox.network == {"https://acme.example"}
    assert (sandbox.read, sandbox.write, sandbox.execute) == (True, True, True)
    assert repr(sandbox.executor).startswith("LocalExecutor(['grep']")


@pytest.mark.parametrize(
    "asked",
    [
        ("tools", "grep"),
        ("mcp", "my files"),
        ("network", "https://acme.example:8443"),
        ("execute", "git"),
        ("read", None),
        ("write", None),
    ],
)
def test_the_flag_that_a_refusal_names_grants_just_that(asked: tuple[str, str | None]) -> None:
    kind, name = asked
    flag = flag_for(PermissionDenied("no", kind=kind, name=name))  # type: ignore[arg-type]
    assert flag is not None
    option, word = shlex.split(flag)
    assert option == "--allow"
    granted = sandbox_of([word], Path())
    assert granted.allows(kind, None if kind == "execute" else name)  # type: ignore[arg-type]
    if kind == "execute":
        assert repr(granted.executor).startswith("LocalExecutor(['git']")


def test_a_refusal_that_no_permission_would_lift_names_no_flag() -> None:
    assert flag_for(PermissionDenied("the path leads out of the workspace")) is None


def test_running_something_needs_the_name_of_a_program() -> None:
    with pytest.raises(PermissionDenied) as caught:
        Sandbox().require("execute")
    assert flag_for(caught.value) == "--allow execute:PROGRAM"


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("tools", "tools is given with a name"),
        ("tools:", "tools is given with a name"),
        ("execute", "--allow execute:grep"),
        ("execute:*", "name each program"),
        ("read:x", "read has no name"),
        ("tool:x", "Did you mean 'tools'"),
        ("", "is no permission"),
    ],
)
def test_what_is_no_permission_is_wrong_usage(word: str, told: str) -> None:
    with pytest.raises(typer.BadParameter, match=told.replace("*", r"\*")):
        sandbox_of([word], Path())
