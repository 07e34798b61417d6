"""TP-030 to TP-035: declared effects are true, and permission comes first."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from typing import Any

from ditto_core import PermissionDenied, to_wire

from ..audit import Recording, recording
from ..fakes import INSIDE, ScriptedExecutor, differences, snapshot
from ..fakes.executors import echoed
from ..labs.anew import anew, different
from ..labs.loop import Ended
from ..labs.sandboxes import RecordingSandbox
from ..labs.tool_case import ToolCase
from .model import call_text, check, fail


def _called(case: ToolCase, given: Any, sandbox: RecordingSandbox) -> tuple[Ended, Recording]:
    with recording() as seen:
        ended = case.call(given, sandbox)
    return ended, seen


def _own(paths: list[str]) -> list[str]:
    """Leave out what the interpreter writes for itself."""
    prefix = sys.pycache_prefix or os.devnull
    return [path for path in paths if "__pycache__" not in path and not path.startswith((os.devnull, prefix))]


@check(
    "TP-030",
    title="A tool without the effect 'write' changes no file",
    fix="declare effects={'write'}, or do not write",
    each_tool=True,
    draws=True,
)
def nothing_is_written(case: ToolCase, data: Any) -> None:
    """Applications let models call what only reads without asking anybody.

    Compared are names, kinds, modes, contents and the targets of links, in the workspace and beside it; elsewhere
    counts what the interpreter is asked to write, make, move, link or remove.
    """
    if "write" in case.effects:
        return
    case.once("TP-030", lambda: _each(case, _writes_nothing))
    _writes_nothing(case, data.draw(case.usual, label=f"arguments for {case.name}"))


def _each(case: ToolCase, look: Callable[[ToolCase, Any], None]) -> None:
    for given in case.samples:
        look(case, given)


def _writes_nothing(case: ToolCase, given: Any) -> None:
    sandbox = case.sandbox(executor=ScriptedExecutor())
    folder = sandbox.workspace.parent
    before = snapshot(folder)
    _, seen = _called(case, given, sandbox)
    changes = differences(before, snapshot(folder))
    if changes:
        case.lab.renew_workspace()
    if changes or _own(seen.changed):
        fail(
            f"{case.name!r} writes and does not declare it",
            declared=sorted(case.effects),
            call=call_text(case.name, given),
            changed=changes,
            files=_own(seen.changed),
        )


@check(
    "TP-031",
    title="A tool without the effect 'network' opens no connection",
    fix="declare effects={'network'} and require the origin of the sandbox first, or open none",
    each_tool=True,
    draws=True,
)
def no_connection(case: ToolCase, data: Any) -> None:
    """What reads here and sends there is a leak. Names that are looked up count as well."""
    if "network" in case.effects:
        return
    case.once("TP-031", lambda: _each(case, _connects_nowhere))
    _connects_nowhere(case, data.draw(case.usual, label=f"arguments for {case.name}"))


def _connects_nowhere(case: ToolCase, given: Any) -> None:
    _, seen = _called(case, given, case.sandbox(executor=ScriptedExecutor()))
    if seen.sockets:
        fail(
            f"{case.name!r} uses the network and does not declare it",
            declared=sorted(case.effects),
            call=call_text(case.name, given),
            seen=seen.sockets,
        )


@check(
    "TP-032",
    title="A tool starts no process of its own",
    fix="run commands through context.sandbox.run, with the effect 'execute'",
    each_tool=True,
    draws=True,
)
def no_process(case: ToolCase, data: Any) -> None:
    """Only the executor that the application chose runs programs; one beside it has no bounds and no isolation."""
    case.once("TP-032", lambda: _each(case, _starts_nothing))
    _starts_nothing(case, data.draw(case.usual, label=f"arguments for {case.name}"))


def _starts_nothing(case: ToolCase, given: Any) -> None:
    _, seen = _called(case, given, case.sandbox(executor=ScriptedExecutor()))
    if seen.processes:
        fail(
            f"{case.name!r} starts a process past the sandbox",
            declared=sorted(case.effects),
            call=call_text(case.name, given),
            seen=seen.processes,
        )


@check(
    "TP-033",
    title="Permission is asked before the effect",
    fix="call context.sandbox.require(…) first, or use the methods of the sandbox, which do",
    each_tool=True,
    draws=True,
)
def permission_comes_first(case: ToolCase, data: Any) -> None:
    """The sandbox asks for cooperation: a tool that does not ask makes the application's choice worthless."""
    case.once("TP-033", lambda: _each(case, _asks_first))
    _asks_first(case, data.draw(case.usual, label=f"arguments for {case.name}"))


def _asks_first(case: ToolCase, given: Any) -> None:
    for denied in sorted(case.effects):
        _asks_for(case, given, denied)


def _asks_for(case: ToolCase, given: Any, denied: str) -> None:
    workspace = case.lab.fresh_workspace() if "write" in case.effects else case.lab.workspace
    sandbox = case.sandbox(without=denied, executor=ScriptedExecutor(), workspace=workspace)
    before = snapshot(workspace) if denied == "write" else {}
    ended, seen = _called(case, given, sandbox)
    done: object = None
    if denied == "execute":
        done = sandbox.commands or seen.processes
    elif denied == "network":
        done = seen.sockets
    elif denied == "write":
        done = differences(before, snapshot(workspace))
    else:
        done = _read(case, sandbox, seen, ended)
    if done:
        fail(
            f"{case.name!r} acts without the permission '{denied}'",
            done=done,
            call=call_text(case.name, given),
            ended=type(ended.error).__name__ if ended.error else "with a result",
        )


def _read(case: ToolCase, sandbox: RecordingSandbox, seen: Recording, ended: Ended) -> object:
    """Return what was read; not what was opened to write, nor what a command printed, where these are permitted."""
    written = seen.changed if "write" in case.effects else ()
    root = os.path.realpath(sandbox.workspace)
    inside = [path for path in seen.opened if _is_in(f"{root}{os.sep}", path) and path not in written]
    inside += [path for path in seen.listed if _is_in(root, path)]
    shown = INSIDE in _told(ended) and not sandbox.commands
    return inside or (shown and "the result holds what a file holds")


def _is_in(root: str, path: str) -> bool:
    return os.path.realpath(path).startswith(root)


def _told(ended: Ended) -> str:
    return "" if ended.value is None else repr(to_wire(ended.value))


@check(
    "TP-034",
    title="The declared effects are all that a call needs",
    fix="declare every effect whose permission the tool asks for",
    each_tool=True,
    draws=True,
)
def declared_effects_suffice(case: ToolCase, data: Any) -> None:
    """An application permits what is declared; a tool that asks for more never works, or surprises."""
    case.once("TP-034", lambda: _each(case, _asks_no_more))
    _asks_no_more(case, data.draw(case.usual, label=f"arguments for {case.name}"))


def _asks_no_more(case: ToolCase, given: Any) -> None:
    sandbox = case.sandbox(executor=ScriptedExecutor())
    ended = case.call(given, sandbox)
    undeclared = sorted(set(sandbox.denied) - case.effects - {"tools"})
    if undeclared and isinstance(ended.error, PermissionDenied | None):
        fail(
            f"{case.name!r} asks for a permission that it does not declare",
            declared=sorted(case.effects),
            asked=undeclared,
            call=call_text(case.name, given),
        )


@check(
    "TP-035",
    title="A call that only reads gives the same result twice",
    fix="sort what the file system gives in any order, keep times out of results, and keep nothing of a call for the "
    "next unless it has the same arguments and files; or declare Capabilities(not_repeatable={…})",
    each_tool=True,
    draws=True,
)
def reading_is_repeatable(case: ToolCase, data: Any) -> None:
    """Caches, retries and evaluations compare results; nothing changes between these two calls.

    Other calls come between them too: one plugin is asked several things, in both orders, and has to answer each as a
    plugin does that was made for that call alone.
    """
    if case.effects & {"write", "network"} or case.name in case.capabilities.not_repeatable:
        return
    case.once("TP-035", lambda: _each_fruitful(case))
    _answers_once(case, data.draw(case.usual, label=f"arguments for {case.name}"))


def _each_fruitful(case: ToolCase) -> None:
    for given in case.fruitful:
        _answers_once(case, given)
    answered = different(case)
    for order in (answered, answered[::-1]) if len(answered) > 1 else ():
        _answers_whatever_came_before(case, order)


def _answers_once(case: ToolCase, given: Any) -> None:
    executor = ScriptedExecutor(echoed)
    workspace = case.lab.workspace
    first, second = (case.call(given, case.sandbox(executor=executor, workspace=workspace)) for _ in range(2))
    if not _same(first, second):
        fail(
            f"{case.name!r} gives two answers to one question",
            call=call_text(case.name, given),
            first=first.value or type(first.error).__name__,
            then=second.value or type(second.error).__name__,
        )


def _answers_whatever_came_before(case: ToolCase, answered: Sequence[tuple[Any, Ended]]) -> None:
    several = [given for given, _ in answered]
    for index, (now, (given, alone)) in enumerate(zip(anew(case, several) or (), answered, strict=False)):
        if _same(now, alone):
            continue
        if (again := anew(case, [given])) is None or not _same(again[0], alone):
            continue  # no two plugins answer alike, whatever came before
        fail(
            f"{case.name!r} answers otherwise once it was asked something else",
            call=call_text(case.name, given),
            before=[call_text(case.name, one) for one in several[:index]],
            alone=alone.value or type(alone.error).__name__,
            then=now.value or type(now.error).__name__,
        )


def _same(one: Ended, other: Ended) -> bool:
    return bool((one.value, type(one.error)) == (other.value, type(other.error)))
