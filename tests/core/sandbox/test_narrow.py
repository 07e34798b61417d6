"""A sandbox never grows: what is narrowed, and what is compared."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ditto_core import CommandResult, InvalidValue, PermissionDenied, Sandbox
from ditto_core.sandbox.permissions import FLAGS

NAMES = {"tools": ["a", "b", "*"], "mcp": ["a", "b", "*"], "network": ["http://a", "http://B:80/", "*"]}
FOLDERS = ["/w", "/w/a", "/w/a/b", "/w/ab", "/v"]

lists = st.fixed_dictionaries({kind: st.sets(st.sampled_from(some)) for kind, some in NAMES.items()})
flags = st.fixed_dictionaries({kind: st.booleans() for kind in FLAGS})
folders = st.sampled_from(FOLDERS)


class Executor:
    local = True

    async def run(self, command: Any, *, workspace: Path) -> CommandResult:
        raise AssertionError


EXECUTORS = st.sampled_from([None, Executor(), Executor()])


def allowed(sandbox: Sandbox) -> set[tuple[str, str | None]]:
    """Return the answers to all questions that tell one sandbox from another."""
    questions: list[tuple[Any, str | None]] = [(kind, None) for kind in FLAGS]
    questions += [(kind, name) for kind in ("tools", "mcp") for name in ("a", "b", "c", "*")]
    questions += [("network", name) for name in ("http://a", "http://b", "http://c", "*")]
    return {(kind, name) for kind, name in questions if sandbox.allows(kind, name)}


@given(wide=st.tuples(lists, flags), narrow=st.tuples(lists, flags), given=st.sets(st.sampled_from([*NAMES, *FLAGS])))
@pytest.mark.promise("D-SBX-09")
def test_a_narrowed_sandbox_allows_nothing_that_the_first_denies(
    wide: tuple[dict[str, Any], dict[str, Any]], narrow: tuple[dict[str, Any], dict[str, Any]], given: set[str]
) -> None:
    first = Sandbox(**wide[0], **wide[1])
    asked = {kind: value for kind, value in {**narrow[0], **narrow[1]}.items() if kind in given}
    meant = Sandbox(**{**wide[0], **wide[1], **asked})
    is_within = allowed(meant) <= allowed(first)
    assert meant.is_within(first) is is_within
    try:
        narrowed = first.narrow(**asked)
    except PermissionDenied:
        assert not is_within
    else:
        assert allowed(narrowed) == allowed(meant)
        assert is_within
        assert narrowed.workspace == first.workspace


@given(folders, folders, EXECUTORS, EXECUTORS)
@pytest.mark.promise("D-SBX-09")
def test_one_sandbox_is_within_another_by_its_folder_and_executor(
    own: str, other: str, executor: Any, other_executor: Any
) -> None:
    narrow, wide = Sandbox(own, executor=executor), Sandbox(other, executor=other_executor)
    by_folder = Path(own).is_relative_to(other)
    assert narrow.is_within(wide) is (by_folder and executor in {None, other_executor})


@given(*[st.builds(lambda f, fl, w: Sandbox(w, **f, **fl), lists, flags, folders)] * 3)
def test_being_within_is_an_order(one: Sandbox, two: Sandbox, three: Sandbox) -> None:
    assert one.is_within(one)
    assert not (one.is_within(two) and two.is_within(three)) or one.is_within(three)


@pytest.mark.promise("D-SBX-09")
def test_a_folder_of_the_workspace_may_become_the_workspace(place: Path) -> None:
    (place / "tenant").mkdir()
    executor = Executor()
    wide = Sandbox(place, tools=["a", "b"], read=True, executor=executor)
    for workspace in ("tenant", place / "tenant", str(place / "tenant"), "tenant/../tenant/"):
        narrowed = wide.narrow(workspace=workspace, tools=["a"])
        assert narrowed.workspace == (place / "tenant").resolve()
        assert narrowed.tools == {"a"}
        assert narrowed.read
        assert narrowed.executor is executor
        assert narrowed.is_within(wide)
        with pytest.raises(PermissionDenied):
            narrowed.resolve("../other.txt")
        with pytest.raises(PermissionDenied):
            narrowed.narrow(workspace="..")


@pytest.mark.parametrize("workspace", ["..", "/", "out", "../place2", "tenant/../.."])
@pytest.mark.promise("D-SBX-09")
def test_a_folder_elsewhere_may_not(place: Path, workspace: str) -> None:
    (place / "out").symlink_to("../outside")
    (place.parent / "place2").mkdir()
    with pytest.raises(PermissionDenied):
        Sandbox(place).narrow(workspace=workspace)


def test_a_link_that_takes_the_place_of_the_folder_while_it_is_narrowed_leads_nowhere(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (place / "tenant").mkdir()
    resolve = Sandbox.resolve

    def swapped(self: Sandbox, path: str) -> Path:
        found = resolve(self, path)
        found.rmdir()
        found.symlink_to("../outside")
        return found

    monkeypatch.setattr(Sandbox, "resolve", swapped)
    with pytest.raises(PermissionDenied, match="leads out of the workspace"):
        Sandbox(place).narrow(workspace="tenant")


@pytest.mark.parametrize("asked", [{"tools": "a"}, {"read": 1}, {"mcp": [" "]}, {"network": ["h"]}, {"workspace": 1}])
def test_bad_values_are_refused_as_at_construction(asked: dict[str, Any]) -> None:
    with pytest.raises(InvalidValue):
        Sandbox(tools=["*"], mcp=["*"], network=["*"], read=True).narrow(**asked)


def test_the_refusal_names_what_is_too_much() -> None:
    with pytest.raises(PermissionDenied, match=r"^Tool 'b': .*Sandbox\(tools=\['b'\]\)\.$"):
        Sandbox(tools=["a"]).narrow(tools=["a", "b"])
    with pytest.raises(PermissionDenied, match=r"^Writing files: "):
        Sandbox(read=True).narrow(write=True)
