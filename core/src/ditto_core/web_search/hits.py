"""From what a provider gave to the results of the tool: checked, on one line each, within their limits."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice
from typing import Final

from ..contracts.content import Reference
from ..contracts.json_values import JsonValue
from ..contracts.results import ToolOutcome
from ..ports import SearchHit
from ..text import describe
from .arguments import Asked
from .failure import Malformed
from .urls import is_plain_url

MAX_TITLE: Final = 256
"""How many characters a title has at the most; the rest of a longer one is cut."""
MAX_SNIPPET: Final = 2_048
"""How many characters a snippet has at the most; the rest of a longer one is cut."""
MAX_READ: Final = 65_536
"""How many characters of a title or a snippet are looked at, before blanks are joined and the text is cut."""

_GAPS = re.compile(r"[\s\x00-\x1f\x7f-\x9f\u2028\u2029]+")
_SURROGATES = re.compile(r"[\ud800-\udfff]")


def outcome_of_hits(asked: Asked, answer: object) -> ToolOutcome:
    """Return the success with the first hits of the answer, as many as were asked for; further ones are not read.

    Raises :class:`Malformed`, and what reading a broken answer raises.
    """
    if not isinstance(answer, Sequence) or isinstance(answer, str | bytes):
        raise Malformed(f"search must return a list of SearchHit, not {describe(answer)}")
    hits = list(islice(answer, asked.limit + 1))
    truncated = len(hits) > asked.limit
    results: list[JsonValue] = []
    urls: dict[str, None] = {}
    for number, hit in enumerate(hits[: asked.limit], start=1):
        if type(hit) is not SearchHit:
            raise Malformed(f"hit {number} must be a SearchHit, not {describe(hit)}")
        title, url, snippet = hit.title, hit.url, hit.snippet
        if type(title) is not str or type(url) is not str or type(snippet) is not str:
            raise Malformed(f"hit {number} must hold strings only")
        if not is_plain_url(url):
            raise Malformed(f"hit {number} has a url that is no plain http or https URL")
        title, title_cut = _line(title, MAX_TITLE)
        snippet, snippet_cut = _line(snippet, MAX_SNIPPET)
        truncated = truncated or title_cut or snippet_cut
        results.append({"title": title, "url": url, "snippet": snippet})
        urls[url] = None
    return ToolOutcome(
        structured_content={"query": asked.query, "results": results, "truncated": truncated},
        references=tuple(Reference(uri=url) for url in urls),
    )


def _line(text: str, limit: int) -> tuple[str, bool]:
    """Return the text on one line and within the limit, and whether something of it was cut."""
    line = _SURROGATES.sub("\ufffd", _GAPS.sub(" ", text[:MAX_READ])).strip()
    return line[:limit], len(line) > limit or len(text) > MAX_READ
