"""What a sandbox is told to allow, and what it answers."""

from __future__ import annotations

import enum
from collections.abc import Iterable
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ditto_core import InvalidValue, PermissionDenied, Sandbox
from ditto_core.sandbox.permissions import FLAGS, NAMED, Kind

SOME = ["grep", "read_text", "Grep", "gre", "grep ", "*", "g*", "файл"]
REFUSED_LISTS = {
    "a string": "grep",
    "an empty string": "",
    "bytes": b"grep",
    "None": None,
    "a flag": True,
    "a mapping": {"grep": False},
    "a blank entry": ["grep", " "],
    "an empty entry": [""],
    "None in it": ["grep", None],
    "a number in it": [1],
    "a subclass of str in it": [enum.StrEnum("Names", ["grep"]).grep],  # type: ignore[attr-defined]
}


@pytest.mark.promise("SBX-01", "COMP-06")
def test_what_is_not_given_is_denied() -> None:
    sandbox = Sandbox()
    assert not any(sandbox.allows(kind, "*") for kind in ("tools", "mcp", "network"))
    assert not any(sandbox.allows(kind, "grep") for kind in ("tools", "mcp"))
    assert not sandbox.allows("network", "https://api.example.com")
    assert not any(sandbox.allows(kind) for kind in ("read", "write", "execute"))


@given(
    lists=st.fixed_dictionaries({kind: st.sets(st.sampled_from(SOME)) for kind in ("tools", "mcp")}),
    flags=st.fixed_dictionaries({kind: st.booleans() for kind in FLAGS}),
    name=st.sampled_from(SOME) | st.text(),
)
@pytest.mark.promise("SBX-01", "D-SBX-02", "D-SBX-03")
def test_a_name_is_allowed_if_it_or_the_star_is_in_its_own_list(
    lists: dict[str, set[str]], flags: dict[str, bool], name: str
) -> None:
    sandbox = Sandbox(**lists, **flags)  # type: ignore[arg-type]
    for kind, allowed in lists.items():
        assert answers(sandbox, kind, name) is (name in allowed or "*" in allowed)
    for kind, allowed_or_not in flags.items():
        assert answers(sandbox, kind) is allowed_or_not


def answers(sandbox: Sandbox, kind: Any, *name: str) -> bool:
    """Ask in both ways, which must agree."""
    try:
        sandbox.require(kind, *name)
    except PermissionDenied:
        required = False
    else:
        required = True
    assert sandbox.allows(kind, *name) is required
    return required


@pytest.mark.parametrize("kind", ["tools", "mcp", "network"])
@pytest.mark.parametrize("value", REFUSED_LISTS.values(), ids=REFUSED_LISTS)
@pytest.mark.promise("D-SBX-03")
def test_a_list_of_anything_but_names_is_refused(kind: str, value: Any) -> None:
    with pytest.raises(InvalidValue, match=rf"^Sandbox\.{kind}(\[\d\])?: ") as caught:
        Sandbox(**{kind: value})
    assert "grep" not in str(caught.value)


@pytest.mark.parametrize("value", ["tuple", "set", "generator", "keys"])
def test_names_may_come_in_any_collection(value: str) -> None:
    names: dict[str, Iterable[str]] = {
        "tuple": ("grep", "ls"),
        "set": {"grep", "ls"},
        "generator": (name for name in ["grep", "ls"]),
        "keys": {"grep": 1, "ls": 2}.keys(),
    }
    assert Sandbox(tools=names[value]).tools == {"grep", "ls"}


@pytest.mark.promise("SBX-01")
def test_what_happens_to_the_list_later_changes_nothing() -> None:
    names = ["grep"]
    sandbox = Sandbox(tools=names)
    names.append("*")
    assert not sandbox.allows("tools", "ls")
    with pytest.raises(AttributeError):
        sandbox.tools = frozenset("*")  # type: ignore[misc]


@pytest.mark.parametrize("kind", FLAGS)
@pytest.mark.parametrize("value", [1, 0, "false", "true", None, [], float("nan")], ids=repr)
def test_a_flag_is_exactly_true_or_false(kind: str, value: Any) -> None:
    with pytest.raises(InvalidValue, match=rf"^Sandbox\.{kind}: must be True or False"):
        Sandbox(**{kind: value})


@pytest.mark.parametrize("value", [None, 1, b".", "", " ", "a\0b", "\ud800", ["."]], ids=repr)
def test_a_workspace_is_a_path(value: Any) -> None:
    with pytest.raises(InvalidValue, match=r"^Sandbox\.workspace: "):
        Sandbox(value)


def test_a_current_folder_that_is_gone_is_no_workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    tmp_path.rmdir()
    with pytest.raises(InvalidValue, match=r"no longer exists; give an absolute path$") as caught:
        Sandbox()
    assert caught.value.__context__ is None


@pytest.mark.promise("D-SBX-02")
def test_a_question_that_has_no_answer_is_refused() -> None:
    sandbox = Sandbox(tools=["*"], network=["*"], read=True)
    questions: list[tuple[Any, ...]] = [
        ("tools",),
        ("mcp", None),
        ("tools", 1),
        ("network", b"https://h"),
        ("network", "https://h/path"),
        ("read", "a.txt"),
        ("execute", ""),
        ("skills", "x"),
        ("tool", "x"),
        (None,),
        (["tools"], "x"),
    ]
    for question in questions:
        with pytest.raises(InvalidValue):
            sandbox.allows(*question)
        with pytest.raises(InvalidValue):
            sandbox.require(*question)


@pytest.mark.promise("D-ERR-04")
def test_a_refusal_says_what_was_asked_and_what_would_allow_it() -> None:
    refusals = {
        ("tools", "grep"): "Tool 'grep': the sandbox does not allow it. Allow it with Sandbox(tools=['grep']).",
        ("mcp", "files"): "MCP server 'files': the sandbox does not allow it. Allow it with Sandbox(mcp=['files']).",
        ("read", None): "Reading files: the sandbox does not allow it. Allow it with Sandbox(read=True).",
        ("execute", None): "Running commands: the sandbox does not allow it. Allow it with Sandbox(execute=True).",
    }
    for (kind, name), message in refusals.items():
        with pytest.raises(PermissionDenied) as caught:
            Sandbox().require(kind, name)  # type: ignore[arg-type]
        assert str(caught.value) == message


@given(st.text())
@pytest.mark.case("SEC-06")
def test_a_refusal_stays_on_one_short_line_whatever_the_name(name: str) -> None:
    with pytest.raises(PermissionDenied) as caught:
        Sandbox().require("tools", name * 40)
    message = str(caught.value)
    assert message.encode().splitlines() == [message.encode()]
    assert len(message.splitlines()) == 1
    assert len(message) < 1500


@pytest.mark.promise("CFG-01")
def test_the_environment_allows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ALLOW_TOOLS", "ALLOW_MCP", "ALLOW_NETWORK"):
        monkeypatch.setenv(f"DITTO_SHARED_SANDBOX_{name}", "*")
    for name in ("ALLOW_READ", "ALLOW_WRITE", "ALLOW_EXECUTE"):
        monkeypatch.setenv(f"DITTO_SHARED_SANDBOX_{name}", "true")
    assert repr(Sandbox()) == "Sandbox()"


def test_its_repr_shows_what_is_allowed_and_no_path(tmp_path: Path) -> None:
    assert repr(Sandbox(tmp_path)) == "Sandbox()"
    shown = repr(Sandbox(tmp_path, tools=["ls", "grep"], network=["HTTPS://H:443/"], read=True))
    assert shown == "Sandbox(tools=['grep', 'ls'], network=['https://h'], read=True)"
    assert len(repr(Sandbox(tools=[f"tool{number}" for number in range(1000)]))) < 150


def test_every_kind_is_either_asked_for_by_name_or_not() -> None:
    assert set(get_args(Kind)) == {*NAMED, *FLAGS}
    assert not NAMED.keys() & FLAGS.keys()
