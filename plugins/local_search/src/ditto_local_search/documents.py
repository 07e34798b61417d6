"""What is indexed: documents with an address, a title and a text."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping
from typing import Any, Final, Literal, TypeAlias

import attrs
from attrs.validators import instance_of

from ditto_core import InvalidValue

from .addresses import check_url
from .limits import MAX_TITLE

SkipReason: TypeAlias = Literal["unreadable", "not_text", "too_large", "over_limit"]
"""Why a file or folder is not in an index: the system refuses it, it is no UTF-8 text, it alone is larger than a file
may be, or there are more files, bytes or folders, or a longer address, than the limits allow."""

_HEADING_LINES: Final = 100
_HEADING: Final = re.compile(r" {0,3}#{1,6}[ \t]+")
_BLANKS: Final = " \t"
_UNDERLINE: Final = re.compile(r"={3,}[ \t]*")
_FENCE: Final = re.compile(r" {0,3}(```|~~~)")


@attrs.frozen(kw_only=True)
class Document:
    """A text that can be found, under the URL that its hits have.

    The URL is an http or https one of ASCII characters without user name and password. A document without a title is
    called by its first heading, or by its URL. Raises :class:`InvalidValue`.
    """

    url: str
    text: str
    title: str = ""

    def __attrs_post_init__(self) -> None:
        check_url(self.url, "Document.url")
        for field in ("text", "title"):
            _check_text(getattr(self, field), f"Document.{field}")


def _check_text(value: Any, field: str) -> None:
    if type(value) is not str:
        raise InvalidValue(field, "must be a string")
    try:
        value.encode()
    except UnicodeEncodeError:
        problem = "holds a lone surrogate; decode with errors='replace'"
    else:
        return
    raise InvalidValue(field, problem)  # out here: the encoder's own error holds the whole text


@attrs.frozen(kw_only=True)
class IndexReport:
    """What an index holds: how many documents, and what was left out, counted by reason."""

    documents: int = attrs.field(validator=instance_of(int))
    skipped: Mapping[SkipReason, int] = attrs.field(factory=dict)


def title_of(document: Document, otherwise: str = "") -> str:
    """Return the title of a document: its own, its first heading, or the other one; one line, not too long."""
    title = document.title or heading(document.text) or otherwise or document.url
    return one_line(title)[:MAX_TITLE]


def heading(text: str) -> str:
    """Return the first heading of a text as Markdown (``# …``, or ``===`` below) and reStructuredText write them.

    Code blocks are passed over. Only the beginning is looked at.
    """
    above, in_code = "", False
    for line in itertools.islice(_lines(text), _HEADING_LINES):
        if _FENCE.match(line):
            in_code = not in_code
        elif not in_code:
            found = _marked(line)
            if found:
                return found
            if above and _UNDERLINE.fullmatch(line):
                return above
        above = "" if in_code or _UNDERLINE.fullmatch(line) else line.strip()
    return ""


def _marked(line: str) -> str:
    """Return what a line is a heading of: what stands between its marks, of which the closing ones are optional."""
    mark = _HEADING.match(line)
    return "" if mark is None else line[mark.end() :].rstrip(_BLANKS).rstrip("#").rstrip(_BLANKS)


def _lines(text: str) -> list[str]:
    return text[: _HEADING_LINES * 200].splitlines()


_CONTROLS: Final = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]+")


def one_line(text: str) -> str:
    """Return the text on one line: whatever separates words, and controls, become single blanks."""
    return " ".join(_CONTROLS.sub(" ", text).split())
