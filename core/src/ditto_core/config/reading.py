"""From what a file holds to settings and sections."""

from __future__ import annotations

from functools import cache
from typing import Any

import attrs

from ..contracts.wire.names import wire_name
from ..tools.shapes.shape import Misfit
from .document import ALIASES, Document, InteractionSections
from .options import Options
from .section import Section, section_path
from .source import Source


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
