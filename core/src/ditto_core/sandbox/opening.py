"""How folders are opened without following a link, and how the system's refusals are said."""

from __future__ import annotations

import errno
import functools
import os
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Concatenate, ParamSpec, TypeVar

from ..errors import DittoError, FileRefused
from .paths import GivenPath

P = ParamSpec("P")
R = TypeVar("R")


@contextmanager
def folder(root: str, parts: Iterable[str]) -> Iterator[int]:
    """Open a folder step by step and give its descriptor, good for ``dir_fd=`` and nothing else.

    `parts` come from :func:`locate`, so none of them is a link; one that has become a link since is not followed.
    """
    # Linux can open a folder only to pass through it, which needs no permission to list it.
    flags = getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY | os.O_NOFOLLOW
    descriptor = os.open(root, flags)
    try:
        for part in parts:
            deeper = os.open(part, flags, dir_fd=descriptor)
            os.close(descriptor)
            descriptor = deeper
        yield descriptor
    finally:
        os.close(descriptor)


def check_regular(mode: int, path: GivenPath) -> None:
    """Raise :class:`FileRefused` unless `mode` is that of a regular file."""
    if not stat.S_ISREG(mode):
        raise path.refused("not_a_file", f"it is {_KINDS.get(stat.S_IFMT(mode), 'a device')}, not a regular file.")


_KINDS = {stat.S_IFDIR: "a folder", stat.S_IFIFO: "a named pipe", stat.S_IFSOCK: "a socket", stat.S_IFLNK: "a link"}


def explained(
    function: Callable[Concatenate[str, GivenPath, P], R],
) -> Callable[Concatenate[str, GivenPath, P], R]:
    """Turn every ``OSError`` of a function of a workspace and a path into a :class:`FileRefused` without a chain.

    The system's own errors hold paths of the host.
    """

    @functools.wraps(function)
    def wrapper(root: str, path: GivenPath, /, *args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return function(root, path, *args, **kwargs)
        except DittoError:
            raise
        except OSError as error:
            refusal = _refusal(path, error.errno)
        raise refusal  # out here, so that the error has no context

    return wrapper


def _refusal(path: GivenPath, number: int | None) -> FileRefused:
    if number == errno.ENOENT:
        return path.refused("missing", "there is no such file, or no such folder on the way to it.")
    if number == errno.ENOTDIR:
        return path.refused("not_a_folder", "it, or something on the way to it, is not a folder.")
    if number is None:
        return path.refused("system", "the system refused it without a reason.")
    return path.refused("system", f"the system refused it: {os.strerror(number)} ({errno.errorcode.get(number)}).")
