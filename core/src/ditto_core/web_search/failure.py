"""How a search ends that found nothing to return: in fixed words, whatever the provider said."""

from __future__ import annotations

from typing import Final

from ..contracts.interaction_error import InteractionError
from ..contracts.results import ToolOutcome
from ..log import LOG
from ..ports import SearchFailed
from ..text import describe

_CANCELLED: Final = InteractionError(code="WEB_SEARCH_CANCELLED", message="The web search was cancelled.")
_FAILED: Final = {
    retryable: InteractionError(code="WEB_SEARCH_FAILED", message="The web search failed.", retryable=retryable)
    for retryable in (False, True)
}


class Malformed(Exception):
    """A provider's answer breaks the rules of its port; the text is ours and quotes nothing of the answer."""


def failed(error: BaseException, call_id: str) -> ToolOutcome:
    """Return the one failure there is; at debug level the log says what kind of thing has happened."""
    reason = str(error) if type(error) is Malformed else f"the provider raised {describe(error)}"
    LOG.debug("search_failed", call_id=call_id, reason=reason)
    return ToolOutcome(status="failed", error=_FAILED[_is_retryable(error)])


def cancelled(call_id: str) -> ToolOutcome:
    """Return the outcome of a search that its provider gave up, while nobody cancels the call."""
    LOG.debug("search_failed", call_id=call_id, reason="the provider gave the search up as cancelled")
    return ToolOutcome(status="cancelled", error=_CANCELLED)


def _is_retryable(error: BaseException) -> bool:
    """Return the provider's hint; an error that cannot be read gives none."""
    try:
        return isinstance(error, SearchFailed) and error.retryable is True
    except Exception:  # a subclass may have made a property of it
        return False
