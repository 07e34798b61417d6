"""``--allow``: what a command line permits, and which flag would permit what was refused."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import typer

from ditto_core import CommandExecutor, PermissionDenied, Sandbox, guess

from .missing import needed

NAMED: Final = {"tools": "grep", "mcp": "files", "network": "https://acme.example", "execute": "grep"}
"""The permissions that are given with a name, and a name as it may look."""

COMMAND_SECONDS: Final = 60.0
"""How long one program may run."""

FLAGS: Final = ("read", "write")
"""The permissions that are given without one."""


def sandbox_of(words: Iterable[str], workspace: Path, *, tools: Iterable[str] = ()) -> Sandbox:
    """Return the sandbox of a command line; `tools` are permitted besides. Raises :class:`typer.BadParameter`.

    ``execute:PROGRAM`` gives it the local executor, which may run the programs that are named and no other.
    """
    named: dict[str, list[str]] = {kind: [] for kind in NAMED}
    flags: set[str] = set()
    for word in words:
        kind, colon, name = word.partition(":")
        if kind in NAMED:
            if not name:
                raise _bad(f"{kind} is given with a name, as in --allow {kind}:{NAMED[kind]}")
            named[kind].append(name)
        elif kind in FLAGS:
            if colon:
                raise _bad(f"{kind} has no name; write --allow {kind}")
            flags.add(kind)
        else:
            kinds = sorted((*NAMED, *FLAGS))
            raise _bad(f"{kind!r} is no permission.{guess(kind, kinds)} There are {', '.join(kinds)}")
    programs = named["execute"]
    if "*" in programs:
        raise _bad("execute:* is not possible; name each program that may run, as in --allow execute:grep")
    return Sandbox(
        workspace,
        tools=[*named["tools"], *tools],
        mcp=named["mcp"],
        network=named["network"],
        read="read" in flags,
        write="write" in flags,
        execute=bool(programs),
        executor=_executor(programs) if programs else None,
    )


def flag_for(refusal: PermissionDenied) -> str | None:
    """Return the option that would permit what was refused; None where no single one would."""
    if refusal.kind is None:
        return None
    if refusal.kind in FLAGS:
        return f"--allow {refusal.kind}"
    if refusal.name is None:
        return f"--allow {refusal.kind}:{'PROGRAM' if refusal.kind == 'execute' else 'NAME'}"
    return f"--allow {shlex.quote(f'{refusal.kind}:{refusal.name}')}"


def _executor(programs: Iterable[str]) -> CommandExecutor:
    local = needed("ditto_local", "to run programs")
    executor: CommandExecutor = local.LocalExecutor(programs, timeout=COMMAND_SECONDS)
    return executor


def _bad(problem: str) -> typer.BadParameter:
    return typer.BadParameter(problem, param_hint="--allow")
