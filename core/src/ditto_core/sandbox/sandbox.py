"""The sandbox: what a runtime, a tool and an application ask before they act, and the files they may reach."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path, PurePath
from typing import Any, Final

import attrs

from ..errors import InvalidResult, InvalidValue, Kind, PermissionDenied
from ..text import describe, quote
from ..threads import in_thread
from . import reading, writing
from .commands import Command, CommandExecutor, CommandResult, check_executor
from .paths import below, given_path
from .permissions import ANY, FLAGS, NAMED, FlagKind, NamedKind, asked_name, covers, denied, flag, names

MIB: Final = 1_048_576
_SHOWN_NAMES: Final = 8


@attrs.frozen(init=False, eq=False, repr=False)
class Sandbox:
    """Says what is allowed and reaches files and commands for those who ask it. It isolates nothing.

    It is a guard among friends: code that opens a file itself is not held back. Isolation is an executor's work, or
    the container's.

    Everything that is not given is denied. ``tools`` are names of tools, ``mcp`` names of servers, ``network``
    origins such as ``"https://api.example.com"``; an entry matches exactly, and ``"*"`` matches every name.
    ``workspace`` is the folder that ``read``, ``write`` and ``execute`` are about. Its links are followed when the
    sandbox is made and never again, so a link put in its place later leads nowhere; it need not exist yet.
    ``executor`` runs the commands; there is none by default.

    Raises :class:`InvalidValue` for anything that would have to be converted: a bare string as a list, 1 for True.
    """

    workspace: Path
    tools: frozenset[str]
    mcp: frozenset[str]
    network: frozenset[str]
    read: bool
    write: bool
    execute: bool
    executor: CommandExecutor | None

    def __init__(
        self,
        workspace: str | PurePath = ".",
        *,
        tools: Iterable[str] = (),
        mcp: Iterable[str] = (),
        network: Iterable[str] = (),
        read: bool = False,
        write: bool = False,
        execute: bool = False,
        executor: CommandExecutor | None = None,
    ) -> None:
        if executor is not None:
            check_executor(executor)
        self.__attrs_init__(
            workspace=_workspace(workspace),
            tools=names("tools", tools),
            mcp=names("mcp", mcp),
            network=names("network", network),
            read=flag("read", read),
            write=flag("write", write),
            execute=flag("execute", execute),
            executor=executor,
        )

    def __repr__(self) -> str:
        """Show what is allowed, and no path of the host."""
        lists = (f"{kind}=[{_some(getattr(self, kind))}]" for kind in NAMED if getattr(self, kind))
        flags = (f"{kind}=True" for kind in FLAGS if getattr(self, kind))
        return f"Sandbox({', '.join((*lists, *flags))})"

    def allows(self, kind: Kind, name: str | None = None) -> bool:
        """Tell whether a tool, an MCP server or an origin of that name, or reading, writing, executing is allowed.

        Raises :class:`InvalidValue` for a question that has no answer: an unknown kind, a missing or needless name,
        a network name that is no origin.
        """
        if kind == "tools" and type(name) is str:  # asked in every tool call
            tools = self.tools
            return name in tools or ANY in tools
        return self._allows(kind, name)

    def _allows(self, kind: object, name: object) -> bool:
        if type(kind) is str and kind in NAMED:
            if type(name) is not str:
                raise InvalidValue("name", f"{kind} are allowed by name; give a string, not {describe(name)}")
            allowed: frozenset[str] = getattr(self, kind)
            return asked_name(kind, name, "name") in allowed or ANY in allowed
        if type(kind) is str and kind in FLAGS:
            if name is not None:
                raise InvalidValue("name", f"{kind} is allowed or not, whatever the name; leave the name out")
            return bool(getattr(self, kind))
        raise InvalidValue("kind", f"must be one of {', '.join((*NAMED, *FLAGS))}, not {quote(kind)}")

    def require(self, kind: Kind, name: str | None = None) -> None:
        """Raise :class:`PermissionDenied`, naming the remedy, unless :meth:`allows` says yes."""
        if not self.allows(kind, name):
            raise denied(kind, name)

    def narrow(
        self,
        *,
        workspace: str | PurePath | None = None,
        tools: Iterable[str] | None = None,
        mcp: Iterable[str] | None = None,
        network: Iterable[str] | None = None,
        read: bool | None = None,
        write: bool | None = None,
        execute: bool | None = None,
    ) -> Sandbox:
        """Return a sandbox that allows what is given here and, where nothing is given, what this one does.

        `workspace` is a folder of this workspace. The executor stays. Raises :class:`PermissionDenied` for anything
        that this sandbox does not allow: a sandbox never grows.
        """
        narrowed = Sandbox(
            self.workspace if workspace is None else self.resolve(workspace),
            tools=self._narrowed_names("tools", tools),
            mcp=self._narrowed_names("mcp", mcp),
            network=self._narrowed_names("network", network),
            read=self._narrowed_flag("read", read),
            write=self._narrowed_flag("write", write),
            execute=self._narrowed_flag("execute", execute),
            executor=self.executor,
        )
        if not narrowed.is_within(self):  # a link has taken the folder's place since it was resolved
            raise PermissionDenied("Sandbox.narrow: the folder leads out of the workspace. Name a folder in it.")
        return narrowed

    def _narrowed_names(self, kind: NamedKind, value: Iterable[str] | None) -> frozenset[str]:
        allowed: frozenset[str] = getattr(self, kind)
        wanted = allowed if value is None else names(kind, value)
        if not covers(allowed, wanted):
            raise denied(kind, min(wanted - allowed))
        return wanted

    def _narrowed_flag(self, kind: FlagKind, value: object) -> bool:
        allowed: bool = getattr(self, kind)
        wanted = allowed if value is None else flag(kind, value)
        if wanted and not allowed:
            raise denied(kind, None)
        return wanted

    def is_within(self, other: Sandbox) -> bool:
        """Tell whether `other` allows everything that this sandbox does, in the same workspace or one around it."""
        return (
            all(covers(getattr(other, kind), getattr(self, kind)) for kind in NAMED)
            and all(getattr(other, kind) or not getattr(self, kind) for kind in FLAGS)
            and below(str(other.workspace), str(self.workspace)) is not None
            and (self.executor is None or self.executor is other.executor)
        )

    def resolve(self, path: str | PurePath) -> Path:
        """Return where in the workspace a path leads, every link followed; it need not exist. Needs no permission.

        An absolute path is fine if it leads into the workspace. Raises :class:`PermissionDenied` for one that leads
        out of it and :class:`FileRefused` for what is no path. What is opened by the returned path later may have
        been replaced by then; the methods below look again while they open.
        """
        root = str(self.workspace)
        return Path(root, *reading.resolve(root, given_path(path, root)))

    async def list_files(self, path: str | PurePath = ".", *, max_entries: int = 10_000) -> list[str]:
        r"""Return the names of all regular files in a folder and below it, from the workspace on, sorted.

        Links are neither followed nor listed. Each name can be given to :meth:`read_text`. It is always valid
        Unicode: a byte that is not UTF-8 is written ``\xNN``, and a backslash that would look like one ``\x5c``.

        `max_entries` bounds what is met, folders and links included. Raises :class:`FileRefused` over it and for a
        folder that cannot be listed: nothing is left out silently. Needs ``read``, or raises
        :class:`PermissionDenied`.
        """
        self.require("read")
        _check_positive(max_entries, "max_entries")
        root = str(self.workspace)
        return await in_thread(reading.list_files, root, given_path(path, root), max_entries)

    async def read_text(self, path: str | PurePath, *, max_bytes: int = MIB) -> str:
        """Return the text of a regular file as it is: line ends and a byte order mark stay, nothing is cut.

        Raises :class:`FileMissing`, :class:`FileRefused` for what is no regular file, has more than `max_bytes` or is
        not UTF-8, and :class:`PermissionDenied` without ``read`` or for a path that leads out of the workspace.
        """
        self.require("read")
        _check_positive(max_bytes, "max_bytes")
        root = str(self.workspace)
        return await in_thread(reading.read_text, root, given_path(path, root), max_bytes)

    async def write_text(self, path: str | PurePath, text: str) -> None:
        """Write a regular file, UTF-8, line ends as they are. Readers see the old text or the new one, never a part.

        An existing file is replaced and keeps its permission bits and, where the system permits it, its owner; other
        hard links to it keep the old text. Folders are not made. Raises :class:`FileMissing` when the folder does
        not exist, :class:`FileRefused` for what is no regular file, may not be written or is no text, and
        :class:`PermissionDenied` without ``write`` or for a path that leads out of the workspace; then nothing has
        changed. After a cancellation the file has the old text or the new one, and this call changes it no more.
        """
        self.require("write")
        if type(text) is not str:
            raise InvalidValue("text", f"must be a string, not {describe(text)}")
        root = str(self.workspace)
        commit = writing.Commit()
        try:
            await in_thread(writing.write_text, root, given_path(path, root), text, commit)
        finally:
            commit.revoke()

    async def run(self, command: Command) -> CommandResult:
        """Run a command through the executor, once, in the workspace.

        Raises :class:`PermissionDenied` without ``execute`` or without an executor, :class:`FileRefused` for a
        workspace that is no folder, :class:`InvalidResult` when the executor answers with anything but a
        :class:`CommandResult`, and what the executor raises, unchanged.
        """
        self.require("execute")
        executor = self.executor
        if executor is None:
            raise PermissionDenied("Running commands: the sandbox has no executor. Give it one: Sandbox(executor=…).")
        if type(command) is not Command:
            raise InvalidValue("command", f"must be a Command, not {describe(command)}")
        if executor.local:
            root = str(self.workspace)
            await in_thread(reading.check_workspace, root, given_path(".", root))
        result: Any = await executor.run(command, workspace=self.workspace)
        if type(result) is not CommandResult:
            raise InvalidResult(
                f"Executor of command {quote(command.program)}: run must return a CommandResult, not "
                f"{describe(result)}. The command may have run."
            )
        return result


def _workspace(path: object) -> Path:
    if type(path) is not str and not isinstance(path, PurePath):
        raise InvalidValue("Sandbox.workspace", f"must be a string or a Path, not {describe(path)}")
    text = str(path)
    if not text.strip() or "\0" in text:
        raise InvalidValue("Sandbox.workspace", "must be the path of a folder, such as '.'")
    problem = ""
    try:
        return Path(os.path.realpath(text))
    except UnicodeEncodeError:
        problem = "holds a lone surrogate, which no file name can"
    except OSError:
        problem = "cannot be found from the current folder, which no longer exists; give an absolute path"
    raise InvalidValue("Sandbox.workspace", problem)


def _some(allowed: frozenset[str]) -> str:
    first = sorted(allowed)[:_SHOWN_NAMES]
    return ", ".join((*map(quote, first), *(["…"] if len(allowed) > len(first) else [])))


def _check_positive(value: object, field: str) -> None:
    if type(value) is not int:
        raise InvalidValue(field, f"must be an integer, not {describe(value)}")
    if value < 1:
        raise InvalidValue(field, "must be 1 or more")
