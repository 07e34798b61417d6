"""What is looked at on the file system before a command starts, where the executor's workspace is this one's."""

from __future__ import annotations

import stat

from ditto_core import InvalidArguments, Sandbox

from .arguments import CommandArguments
from .searching import Grep


def check_operands(arguments: CommandArguments, sandbox: Sandbox) -> None:
    """Refuse a path that leads out of the workspace, and for what reads content whatever is no regular file.

    What does not exist passes: the command's own exit says so. Raises :class:`PermissionDenied` and
    :class:`InvalidArguments`. Between this look and the command's own a path may be replaced; holding a hostile
    workspace back is an executor's work.
    """
    for path in arguments.operands:
        where = sandbox.resolve(path)
        if not arguments.reads_content:
            continue
        try:
            mode = where.stat().st_mode
        except OSError:
            continue
        if stat.S_ISREG(mode) or (stat.S_ISDIR(mode) and type(arguments) is Grep and arguments.recursive):
            continue
        raise InvalidArguments(
            f"Tool {arguments.program!r}: {path!r} is {_kind(mode)} and no regular file, so it is not read. "
            f"{_remedy(arguments)}"
        )


def _kind(mode: int) -> str:
    return "a folder" if stat.S_ISDIR(mode) else "a pipe" if stat.S_ISFIFO(mode) else "a device or a socket"


def _remedy(arguments: CommandArguments) -> str:
    if type(arguments) is Grep:
        return "Name files, or set recursive to look into folders."
    return "Name a file."
