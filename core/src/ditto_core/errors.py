"""Every exception that Ditto raises, in one tree.

Bases end in ``Error``; leaves name what happened. The tree answers the question a caller has first, *has
anything run?*: a :class:`RefusedCall` says no, the classes after it say that it may have. Messages put who
and what first, then the fact, then the remedy; they hold no secret, no path of the host and no traceback.
"""

from __future__ import annotations

import errno
from typing import Any, Literal, TypeAlias

Kind: TypeAlias = Literal["tools", "mcp", "network", "read", "write", "execute"]
"""A permission: ``tools``, ``mcp`` and ``network`` are asked for with a name, the others without one."""

_MAX_PATH = 200
"""How many characters of the path to a bad value a message shows; the middle of a longer one is left out."""


class DittoError(Exception):
    """Base of every exception that Ditto raises itself."""


class InvalidValue(DittoError, ValueError):
    """A value breaks the rule of the contract class that was to hold it.

    ``field`` is the path of the bad value, such as ``"ToolCall.id"`` or ``"structuredContent.rows[3]"``.
    """

    def __init__(self, field: str, problem: str) -> None:
        if len(field) > _MAX_PATH:
            field = f"{field[: _MAX_PATH // 2]}…{field[-_MAX_PATH // 2 :]}"
        super().__init__(f"{field}: {problem}" if field else problem)
        self.field = field
        self.problem = problem

    def __reduce__(self) -> tuple[type[InvalidValue], tuple[str, str]]:
        return type(self), (self.field, self.problem)


# Plugins: found, loaded, accepted.


class PluginError(DittoError):
    """Base of what can go wrong while a plugin is found, loaded or checked."""


class PluginNotFound(PluginError):
    """No installed distribution offers a plugin of that name."""


class PluginAmbiguous(PluginError):
    """More than one installed distribution offers a plugin of that name."""


class PluginLoadFailed(PluginError):
    """A plugin's module could not be imported, its factory could not be called or its resources not opened."""


class PluginApiMismatch(PluginError):
    """A plugin was written for another version of the plugin interface."""


class InvalidPlugin(PluginError):
    """An object is no plugin, or one of its hooks broke the hook's specification."""


class NotOffered(PluginError):
    """No registered plugin offers anything under that name."""


# Registration: names and schemas.


class RegistrationError(DittoError):
    """Base of what is refused when something is registered; the registry is as it was before."""


class DuplicateName(RegistrationError):
    """The name is taken; the message names both owners."""


class InvalidName(RegistrationError):
    """The name breaks the rule for names."""


class InvalidSchema(RegistrationError):
    """A schema is no JSON object."""


class InvalidTool(RegistrationError):
    """A tool, or a function that was to become one, breaks a rule other than its name's or its schema's."""


class InvalidClient(RegistrationError):
    """An object was to be the client of an MCP server, or a registry of such, and is none."""


# Calls that were refused: nothing has run.


class RefusedCall(DittoError):
    """Base of refusals: the handler, tool, server or sink has not been started and nothing has happened."""


class UnknownTool(RefusedCall):
    """No tool of that name is registered."""


class UnknownServer(RefusedCall):
    """No MCP server of that name is registered."""


class PermissionDenied(RefusedCall):
    """The sandbox does not permit it, or an approver refused it.

    Raised inside a tool (by ``context.sandbox``) it says that this one access has not happened; what the tool
    did before may have. ``kind`` and ``name`` say which permission would allow it, as ``Sandbox.allows`` takes them,
    such as ``"network"`` and an origin, or ``"read"`` and None; ``kind`` is None where no single one would.
    """

    def __init__(self, message: str, *, kind: Kind | None = None, name: str | None = None) -> None:
        super().__init__(message)
        self.kind = kind
        self.name = name


class InvalidArguments(RefusedCall):
    """A tool refused its arguments, or they are no JSON object."""


class InvalidInput(RefusedCall):
    """The input of a node breaks the node's input class."""


class NodeUnavailable(RefusedCall):
    """No registered worker exposes the node."""


class WorkerBusy(RefusedCall):
    """The worker's waiting line is full, or the caller would wait for a slot that it holds itself."""


class CommandUnavailable(RefusedCall):
    """A program could not be started: it is missing or may not be run."""


class ContextClosed(RefusedCall):
    """A context was used for a further call after its own handler had returned."""


class WrongEventLoop(RefusedCall):
    """A runtime was used from another event loop than that of its first use."""


# Files of the workspace.

FileReason: TypeAlias = Literal[
    "invalid_path", "missing", "not_a_file", "not_a_folder", "too_large", "not_text", "system"
]


class FileRefused(DittoError):
    """A file or folder of the workspace could not be read, listed or written as asked; no file has changed.

    ``path`` is how the caller named it, relative to the workspace where it lies in it. ``reason`` is one of
    ``invalid_path`` (empty, too long, NUL or not writable as UTF-8), ``missing``, ``not_a_file`` (a folder, a pipe,
    a device), ``not_a_folder``, ``too_large`` (over the limit of the call), ``not_text`` (not UTF-8) and ``system``
    (anything else that the operating system refused, named in the message).
    """

    def __init__(self, message: str, *, path: str = "", reason: FileReason = "system") -> None:
        super().__init__(message)
        self.path = path
        self.reason = reason


class FileMissing(FileRefused, FileNotFoundError):
    """A file or folder of the workspace, or the folder that was to hold a new file, does not exist."""

    def __init__(self, message: str, *, path: str = "", reason: FileReason = "missing") -> None:
        super().__init__(message, path=path, reason=reason)
        self.errno = errno.ENOENT


# What may have run.


class InvalidResult(DittoError):
    """A tool, an MCP server or an executor gave something that is no valid result; its effect may have happened."""


class InvalidReceipt(DittoError):
    """A sink answered with something that is no valid receipt; the delivery may have happened."""


class CallTimeout(DittoError, TimeoutError):
    """The deadline of a runtime call passed.

    ``started`` is false when the handler had not begun, so nothing has run; otherwise the effect is uncertain.
    """

    def __init__(self, message: str, *, started: bool = True) -> None:
        super().__init__(message)
        self.started = started


class CommandTimeout(DittoError, TimeoutError):
    """The deadline of a command passed; ``stdout`` and ``stderr`` keep its bounded output so far."""

    def __init__(self, message: str, *, stdout: str = "", stderr: str = "") -> None:
        super().__init__(message)
        self.stdout = stdout
        self.stderr = stderr


class RuntimeClosed(DittoError):
    """The runtime is closed or closing.

    ``started`` is false when the handler, or the first one of a run or a loop, had not begun, so nothing has run;
    otherwise the effect is uncertain.
    """

    def __init__(self, message: str, *, started: bool = False) -> None:
        super().__init__(message)
        self.started = started


class CloseInsideCall(DittoError):
    """A runtime or a registration was to be closed by one of the calls that closing has to wait for."""


class DiscoveryError(DittoError):
    """An MCP server's catalogue could not be read whole; nothing partial is returned."""


class GraphError(DittoError):
    """A graph is declared wrongly."""


class LoopExhausted(DittoError):
    """A loop reached its limit of iterations; ``state`` is the last state."""

    def __init__(self, message: str, *, state: Any) -> None:
        super().__init__(message)
        self.state = state


class ConfigError(DittoError):
    """A configuration file, variable or option is wrong; the message names its dotted path."""
