"""From what a file holds to settings and sections."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import attrs

from ..contracts.json_values import check_json, copy_json_object
from ..contracts.wire.names import wire_name
from ..errors import InvalidValue
from ..text import describe
from ..tools.shapes.shape import Misfit, member
from .document import ALIASES, Document, InteractionSections
from .options import Options
from .section import Section, section_path
from .source import MAX_DEPTH, Source


def read_document(value: Any, source: Source) -> Document:
    """Return the document that a JSON value is; raises :class:`ConfigError`."""
    options = _document_options()
    try:
        document: Document = options.make(options.read(value))
    except Misfit as misfit:
        refusal = source.misfit(misfit)
    else:
        return document
    raise refusal


@cache
def _document_options() -> Options:
    return Options(Document)


def sections_of(document: Document, source: Source) -> dict[str, Section]:
    """Return the sections by plugin; raises :class:`ConfigError` for one that stands under both of its names."""
    sections = {
        name: Section(path=section_path(name), values=values, source=source)
        for name, values in document.plugins.items()
    }
    for field in attrs.fields(InteractionSections):
        key = wire_name(field.name)
        values = getattr(document.workers.interaction, field.name)
        if values is None:
            continue
        name, path = ALIASES[key], f"workers.interaction.{key}"
        if name in sections:
            raise source.error(path, f"and {sections[name].path} are the same section; keep one of them")
        sections[name] = Section(path=path, values=values, source=source)
    return sections


def overlaid(sections: Mapping[str, Section], given: object) -> dict[str, Section]:
    """Return the sections with the keys that code gave instead of the file's; raises :class:`InvalidValue`.

    What is wrong in such a section is told without a file and a line, since either may hold it.
    """
    if not isinstance(given, Mapping):
        raise InvalidValue("plugins", f"must be a mapping of plugins' names to objects, not {describe(given)}")
    found = dict(sections)
    for name, values in given.items():
        if type(name) is not str:
            raise InvalidValue("plugins", f"must have names of plugins as keys, not {describe(name)}")
        check_json(values, f"plugins{member(name)}", max_depth=MAX_DEPTH)
        if type(values) is not dict:
            raise InvalidValue(f"plugins{member(name)}", f"must be an object (a dict), not {describe(values)}")
        known = found.get(name) or Section(path=section_path(name), values={}, source=Source())
        found[name] = Section(
            path=known.path, values={**known.values, **copy_json_object(values)}, source=Source("the options")
        )
    return found
