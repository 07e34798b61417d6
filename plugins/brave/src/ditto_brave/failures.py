"""The ways in which a search fails, in words that hold nothing of the request and nothing of the answer."""

from __future__ import annotations

from typing import Final

from ditto_core import SearchFailed
from ditto_http import Ended, How

_NO_CONNECTION: Final = "the connection failed or broke off. Try again later."
_WORDS: Final[dict[How, str]] = {
    "no_connection": _NO_CONNECTION,
    "cut_off": _NO_CONNECTION,
    "timed_out": "there was no whole answer within the timeout. Try again later.",
    "too_large": "the answer is larger than max_response_bytes. Raise that, or ask for fewer results.",
    "packed": "the answer is packed, which was not asked for. What is at the endpoint is not Brave.",
    "broken": "the request could not be made.",
}
_REMEDIES: Final = {
    401: " Check the key.",
    403: " Check the key, and what its plan allows.",
    422: " Check the query: Brave takes at most 400 characters and 50 words.",
    429: " Ask less often.",
}


def failure_of(ended: Ended) -> SearchFailed:
    """Return the exception for an exchange that ended without an answer."""
    words = _WORDS[ended.how] if ended.status is None else _refusal(ended.status)
    return SearchFailed(f"Brave search: {words}", retryable=ended.retryable)


def unreadable() -> SearchFailed:
    """Return the exception for an answer that is none of Brave's."""
    return SearchFailed("Brave search: the answer is not what Brave documents. Nothing of it is shown.")


def _refusal(status: int) -> str:
    remedy = _REMEDIES.get(status, " Try again later." if 500 <= status < 600 else "")
    if 300 <= status < 400:
        remedy = " Redirects are not followed."
    return f"the answer has the status {status}.{remedy}"
