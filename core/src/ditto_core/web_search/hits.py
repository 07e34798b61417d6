"""From what a provider gave to the results of the tool: checked, on one line each, within their limits."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Final

from ..contracts.checked import of_checked
from ..contracts.content import Reference
from ..contracts.results import ToolOutcome
from ..contracts.unset import UNSET
from ..ports import SearchHit
from ..text import describe
from .arguments import Asked
from .failure import Malformed
from .texts import fitted
from .urls import first_bad

MAX_TITLE: Final = 256
"""How many characters a title has at the most; the rest of a longer one is cut."""
MAX_SNIPPET: Final = 2_048
"""How many characters a snippet has at the most; the rest of a longer one is cut."""

_HIT: Final = frozenset({SearchHit})
_TEXT: Final = frozenset({str})


def outcome_of_hits(asked: Asked, answer: object) -> ToolOutcome:
    """Return the success with the first hits of the answer, as many as were asked for; further ones are not looked at.

    Raises :class:`Malformed`, and what reading a broken answer raises.
    """
    if not isinstance(answer, Sequence) or isinstance(answer, str | bytes):
        raise Malformed(f"search must return a list of SearchHit, not {describe(answer)}")
    hits = list(islice(answer, asked.limit + 1))
    truncated = len(hits) > asked.limit
    if truncated:
        hits.pop()
    if not _HIT.issuperset(map(type, hits)):
        raise Malformed("search must return a list of nothing but SearchHit")
    titles, urls, snippets = [hit.title for hit in hits], [hit.url for hit in hits], [hit.snippet for hit in hits]
    if not _TEXT.issuperset(map(type, [*titles, *urls, *snippets])):
        raise Malformed("a hit holds what is no string")
    bad = first_bad(urls)
    if bad is not None:
        raise Malformed(f"hit {bad + 1} has a url that is no plain http or https URL")
    titles, title_cut = fitted(titles, MAX_TITLE)
    snippets, snippet_cut = fitted(snippets, MAX_SNIPPET)
    # A URL that has been looked at is more than a reference asks of one.
    references = [
        of_checked(Reference, {"uri": url, "media_type": UNSET, "digest": UNSET}) for url in dict.fromkeys(urls)
    ]
    results = [
        {"title": title, "url": url, "snippet": snippet}
        for title, url, snippet in zip(titles, urls, snippets, strict=True)
    ]
    return of_checked(
        ToolOutcome,
        {
            "status": "success",
            "content": UNSET,
            "structured_content": {
                "query": asked.query,
                "results": results,
                "truncated": truncated or title_cut or snippet_cut,
            },
            "references": tuple(references),
            "error": UNSET,
            "metadata": UNSET,
        },
    )
