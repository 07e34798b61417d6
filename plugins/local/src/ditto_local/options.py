"""What an executor is made of, checked when it is made."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from ditto_core import InvalidValue, quote

ENVIRONMENT: Final = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TZ": "UTC"}
"""What a command finds in its environment; nothing is inherited."""
MAX_TIMEOUT: Final = 2_147_483.647
"""The longest deadline, in seconds: 2^31 - 1 milliseconds."""

_IMPOSSIBLE: Final = re.compile("[\0\ud800-\udfff]")
"""What no text that is handed to a program can hold: NUL ends it, and UTF-8 cannot write a lone surrogate. Those that
Python makes of bytes (``surrogateescape``) are such, too: they would be handed on as bytes that are no UTF-8."""


def program_names(commands: Iterable[str]) -> frozenset[str]:
    """Return the names of programs; raises :class:`InvalidValue` for what is no bare name and no absolute path."""
    if isinstance(commands, str) or not isinstance(commands, Iterable):
        raise InvalidValue("LocalExecutor.commands", "must be a list of names such as ['cat', 'grep']")
    names = list(commands)
    for name in names:
        if not _is_text(name) or not name.strip():
            raise InvalidValue(
                "LocalExecutor.commands", "must hold names of programs such as 'cat', without NUL and lone surrogates"
            )
        if "/" in name and not Path(name).is_absolute():
            raise InvalidValue("LocalExecutor.commands", f"holds {quote(name)}; give a bare name or an absolute path")
    return frozenset(names)


def seconds(timeout: float) -> float:
    """Return the deadline; raises :class:`InvalidValue` for what is no number of seconds."""
    if type(timeout) not in (int, float) or not 0 < timeout <= MAX_TIMEOUT:
        raise InvalidValue("LocalExecutor.timeout", f"must be a number of seconds above 0, {MAX_TIMEOUT} at the most")
    return float(timeout)


def environment(env: Mapping[str, str] | None) -> dict[str, str]:
    """Return the whole environment; raises :class:`InvalidValue` for what no environment can hold."""
    if not isinstance(env, Mapping | None):
        raise InvalidValue("LocalExecutor.env", "must be a mapping of names to texts such as {'TZ': 'UTC'}")
    variables = dict(env or {})
    for name, value in variables.items():
        if not _is_text(name) or not name or "=" in name:
            raise InvalidValue(
                "LocalExecutor.env", "must have names that are not empty, without '=', NUL and lone surrogates"
            )
        if not _is_text(value):
            raise InvalidValue(
                "LocalExecutor.env",
                f"must have texts without NUL and lone surrogates as values, also for {quote(name)}",
            )
    for folder in variables.get("PATH", "/").split(":"):
        if not Path(folder).is_absolute():
            raise InvalidValue(
                "LocalExecutor.env", "has a PATH with an entry that is not absolute; give absolute ones"
            )
    return {**ENVIRONMENT, **variables}


def _is_text(value: object) -> bool:
    """Tell whether a value is a text that can be handed to a program."""
    return type(value) is str and not _IMPOSSIBLE.search(value)
