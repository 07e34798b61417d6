"""What a sandbox may be told to allow, checked without converting anything."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, Literal, TypeAlias

from ..errors import InvalidValue, Kind, PermissionDenied
from ..text import describe, quote
from .origins import origin

NamedKind: TypeAlias = Literal["tools", "mcp", "network"]
FlagKind: TypeAlias = Literal["read", "write", "execute"]
ANY: Final = "*"
"""The one entry of a list that stands for every name; there are no other patterns."""

NAMED: Final[dict[str, str]] = {"tools": "Tool", "mcp": "MCP server", "network": "Network origin"}
FLAGS: Final[dict[str, str]] = {"read": "Reading files", "write": "Writing files", "execute": "Running commands"}
"""The kinds of permission, and how a message begins that is about one."""


def names(kind: str, value: object) -> frozenset[str]:
    """Return the names of a list, origins in their normal form; raises :class:`InvalidValue` naming the entry."""
    field = f"Sandbox.{kind}"
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
        raise InvalidValue(field, f"must be a list of names, such as ['…'], not {describe(value)}")
    return frozenset(_name(kind, entry, f"{field}[{index}]") for index, entry in enumerate(value))


def _name(kind: str, entry: object, field: str) -> str:
    if type(entry) is not str:
        raise InvalidValue(field, f"must be a name (a string), not {describe(entry)}")
    if not entry.strip():
        raise InvalidValue(field, "must not be blank; leave it out")
    return asked_name(kind, entry, field)


def asked_name(kind: str, name: str, field: str) -> str:
    """Return a name as it is compared: an origin in its normal form, everything else as it is."""
    return origin(name, field) if kind == "network" and name != ANY else name


def flag(kind: str, value: object) -> bool:
    """Return the flag; raises :class:`InvalidValue` for what is not exactly True or False."""
    if type(value) is not bool:
        raise InvalidValue(f"Sandbox.{kind}", f"must be True or False, not {describe(value)}")
    return value


def covers(wide: frozenset[str], narrow: frozenset[str]) -> bool:
    """Tell whether everything that `narrow` allows is allowed by `wide`."""
    return ANY in wide or narrow <= wide


def denied(kind: Kind, name: str | None) -> PermissionDenied:
    """Return the refusal that says what was asked and which argument would allow it."""
    if name is None:
        return PermissionDenied(
            f"{FLAGS[kind]}: the sandbox does not allow it. Allow it with Sandbox({kind}=True).", kind=kind
        )
    asked = quote(name)
    return PermissionDenied(
        f"{NAMED[kind]} {asked}: the sandbox does not allow it. Allow it with Sandbox({kind}=[{asked}]).",
        kind=kind,
        name=name,
    )
