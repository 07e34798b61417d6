"""What is looked at on the file system before a command starts, where the executor's workspace is this one's."""

from __future__ import annotations

import stat

from ditto_core import FileRefused, InvalidArguments, Sandbox, quote

from .arguments import CommandArguments

_KINDS = {stat.S_IFDIR: "a folder", stat.S_IFIFO: "a pipe", stat.S_IFSOCK: "a socket"}


def check_operands(arguments: CommandArguments, sandbox: Sandbox) -> None:
    """Refuse a path that leads out of the workspace, and for what reads content whatever is no regular file.

    What does not exist passes: the command's own exit says so. Raises :class:`PermissionDenied` and
    :class:`InvalidArguments`. Between this look and the command's own a path may be replaced; holding a hostile
    workspace back is an executor's work.
    """
    for path in arguments.operands:
        who = f"Command {arguments.program!r}: {quote(path)}"
        try:
            where = sandbox.resolve(path)
        except FileRefused as error:
            raise InvalidArguments(f"{who} leads nowhere: {error}") from None
        if not arguments.reads_content:
            continue
        try:
            mode = where.stat().st_mode
        except OSError:
            continue
        if stat.S_ISREG(mode) or (stat.S_ISDIR(mode) and arguments.enters_folders):
            continue
        raise InvalidArguments(
            f"{who} is {_KINDS.get(stat.S_IFMT(mode), 'a device')} and no regular file, so it is not read. "
            "Name a regular file; grep looks into folders when it is recursive."
        )
