"""The manifest: what Ditto promises, and which inputs it must bear, as the TOML files beside this module tell it."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar

import attrs
from attrs import validators as v

HERE = Path(__file__).parent
AHEAD = ("commands", "testkit", "composition", "web search", "mcp", "terminal", "understanding")
"""The parts of Ditto that are still to come, in their order."""

ID = r"(?:D-)?[A-Z]+-\d\d[a-z]?"
"""``D-`` marks the design's own promises; a letter at the end, the part of one that is due later."""


class ManifestError(Exception):
    """A TOML file of the manifest is wrong; the message names the file and the entry."""


@attrs.frozen(kw_only=True)
class Entry:
    """What promises and cases have in common; ``area`` is the name of the file that holds the entry."""

    id: str = attrs.field(validator=v.matches_re(ID))
    area: str
    text: str = attrs.field(validator=v.and_(v.instance_of(str), v.min_len(20)))
    status: str = attrs.field(validator=v.in_(("built", "planned")))
    planned_for: str | None = attrs.field(default=None, validator=v.optional(v.in_(AHEAD)))

    def __attrs_post_init__(self) -> None:
        if (self.status == "planned") != (self.planned_for is not None):
            raise ValueError("an entry that is planned, and no other, names in planned_for what it waits for")


@attrs.frozen(kw_only=True)
class Promise(Entry):
    """One checkable sentence; ``source`` is the document and section, or the part of the design, that it is from."""

    source: str = attrs.field(validator=v.and_(v.instance_of(str), v.min_len(1)))


@attrs.frozen(kw_only=True)
class Case(Entry):
    """One bad input with the right answer; ``severity`` 3 is loss, leak, hang or false success, 1 a nuisance."""

    severity: int = attrs.field(validator=v.in_((1, 2, 3)))


E = TypeVar("E", bound=Entry)


def promises(folder: Path = HERE / "promises") -> dict[str, Promise]:
    """Read every promise, by id; raises ``ManifestError``."""
    return _load(folder, Promise)


def cases(folder: Path = HERE / "cases") -> dict[str, Case]:
    """Read every case, by id; raises ``ManifestError``."""
    return _load(folder, Case)


def tables(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Give the tables of one TOML file, by id; raises ``ManifestError`` for anything else in it."""
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise ManifestError(f"{path.name}: {error}") from error
    for key, table in content.items():
        if not isinstance(table, dict):
            raise ManifestError(f"{path.name}: {key} stands outside of the tables; each entry is a table of its own")
        yield key, table


def _load(folder: Path, kind: type[E]) -> dict[str, E]:
    entries: dict[str, E] = {}
    for path in sorted(folder.glob("*.toml")):
        for key, table in tables(path):
            entry = _entry(path, key, table, kind)
            if key in entries:
                raise ManifestError(f"{path.name} [{key}]: the id is taken in {entries[key].area}.toml")
            entries[key] = entry
    if not entries:
        raise ManifestError(f"{folder.name}: there is no entry")
    return entries


def _entry(path: Path, key: str, table: dict[str, Any], kind: type[E]) -> E:
    fields = attrs.fields_dict(kind)
    known = fields.keys() - {"id", "area"}
    required = {name for name in known if fields[name].default is attrs.NOTHING}
    for names, problem in ((table.keys() - known, "unknown keys"), (required - table.keys(), "missing keys")):
        if names:
            raise ManifestError(f"{path.name} [{key}]: {problem}: {', '.join(sorted(names))}")
    try:
        return kind(id=key, area=path.stem, **table)
    except (TypeError, ValueError) as error:
        raise ManifestError(f"{path.name} [{key}]: {error.args[0]}") from error
