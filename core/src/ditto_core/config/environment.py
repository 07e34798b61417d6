"""The environment variables of Ditto: what they may say, and which names are refused.

A misspelt permission that is silently ignored is found when something does not work; one that is refused is found at
once. So every name in the families of Ditto's own variables has to be known. Other names that begin with ``DITTO_``
belong to applications and plugins.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final

import attrs

from ..errors import ConfigError, InvalidValue
from ..sandbox.permissions import FLAGS, NAMED, names
from ..text import describe, guess, quote
from .settings import Permissions, RunsAs

ENVIRONMENT: Final = "DITTO_RUNTIME_ENV"
WORKSPACE: Final = "DITTO_RUNTIME_WORKSPACE"
PERMISSIONS: Final = {f"DITTO_SHARED_SANDBOX_ALLOW_{kind.upper()}": kind for kind in (*NAMED, *FLAGS)}
"""By the name of the variable, the kind of permission that it gives."""
VARIABLES: Final = (ENVIRONMENT, WORKSPACE, *PERMISSIONS)
"""Every variable that is read."""

_FAMILIES: Final = ("DITTO_RUNTIME_", "DITTO_SHARED_SANDBOX_", "DITTO_ALLOW_")
_ENVIRONMENTS: Final = ("development", "test", "production")
_NO_MODELS: Final = "Remove it: your application connects to its models itself"
RETIRED: Final = {
    "DITTO_ENV": f"Set {ENVIRONMENT} instead",
    "DITTO_WORKSPACE": f"Set {WORKSPACE} instead",
    "DITTO_TIMEOUT_MS": "Set runtime.timeoutMs in the file instead",
    "DITTO_MAX_TURNS": "Set runtime.maxTurns in the file instead",
    "DITTO_PROVIDERS": _NO_MODELS,
    "DITTO_MODEL": _NO_MODELS,
    "DITTO_MODEL_PROVIDER": _NO_MODELS,
    "DITTO_WORKER_TOKEN": "Remove it: your application reads its endpoints and tokens itself, under names of its own",
    "DITTO_SHARED_SANDBOX_ALLOW_SKILLS": "Remove it: Ditto for Python has no skills",
}
"""Variables of other times and other Dittos, and what to do about them."""
_NEAR: Final = 0.85
"""How alike a name must be to one of Ditto's own to count as a misspelt one: 1 is the same."""


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Environment:
    """What the variables say."""

    runs_as: RunsAs
    workspace: Path
    permissions: Permissions


def read_environment(env: Mapping[str, str] | None) -> Environment:
    """Read Ditto's variables and no others; raises :class:`ConfigError` naming the variable, never its value."""
    if not isinstance(env, Mapping | None):
        raise InvalidValue("env", f"must be a mapping of names to texts, such as os.environ, not {describe(env)}")
    variables = {name: env[name] for name in sorted(env or {}, key=str) if type(name) is str and _is_ours(name)}  # type: ignore[index]
    for name, value in variables.items():
        if type(value) is not str:
            raise _wrong(name, f"must be a text, not {describe(value)}")
    given: dict[str, Any] = {
        PERMISSIONS[name]: _permission(name, variables[name]) for name in variables if name in PERMISSIONS
    }
    return Environment(
        runs_as=_runs_as(variables.get(ENVIRONMENT, "development")),
        workspace=_workspace(variables.get(WORKSPACE, ".")),
        permissions=Permissions(**given),
    )


def _is_ours(name: str) -> bool:
    """Tell whether a variable is Ditto's; raises for one that looks as if it was."""
    if name in VARIABLES:
        return True
    alike = name.upper()
    if not alike.startswith("DITTO_"):
        return False
    if name in RETIRED:
        raise _wrong(name, f"is not read. {RETIRED[name]}")
    if name.startswith("DITTO_PROVIDER_"):
        raise _wrong(name, f"is not read. {_NO_MODELS}")
    if alike.startswith(_FAMILIES) or get_close_matches(alike, VARIABLES, n=1, cutoff=_NEAR):
        near = guess(alike.replace("DITTO_ALLOW_", "DITTO_SHARED_SANDBOX_ALLOW_"), VARIABLES)
        raise _wrong(name, f"is not known.{near} Correct it, or remove it")
    return False


def _runs_as(value: str) -> RunsAs:
    if value not in _ENVIRONMENTS:
        raise _wrong(ENVIRONMENT, f"must be {', '.join(_ENVIRONMENTS[:-1])} or {_ENVIRONMENTS[-1]}")
    return value  # type: ignore[return-value]  # it is one of them


def _workspace(value: str) -> Path:
    if not value.strip() or "\0" in value:
        raise _wrong(WORKSPACE, "must be the path of a folder; remove it to use the current one")
    return Path(value).absolute()


def _permission(name: str, value: str) -> frozenset[str] | bool:
    kind = PERMISSIONS[name]
    if kind in FLAGS:
        if value not in ("true", "false"):
            raise _wrong(name, "must be exactly true or false")
        return value == "true"
    try:
        return names(kind, [entry for part in value.split(",") if (entry := part.strip())])
    except InvalidValue as error:
        number = re.search(r"[0-9]+", error.field)
        problem = f"has an entry, number {int(number[0]) + 1}, that {error.problem}" if number else error.problem
    raise _wrong(name, problem)


def _wrong(name: str, problem: str) -> ConfigError:
    return ConfigError(f"Environment variable {quote(name)} {problem}.")
