"""The ways in which a search fails, in words that hold nothing of the request and nothing of the answer."""

from __future__ import annotations

from typing import Final

import attrs

from ditto_core import SearchFailed


@attrs.frozen
class Failure:
    """A failed search. It is returned, not raised, until no frame is left that knows the key or the query."""

    words: str
    retryable: bool = False

    def error(self) -> SearchFailed:
        """Return the exception to raise."""
        return SearchFailed(f"Brave search: {self.words}", retryable=self.retryable)


NO_CONNECTION: Final = Failure("the connection failed or broke off. Try again later.", retryable=True)
TOO_SLOW: Final = Failure("there was no whole answer within the timeout. Try again later.", retryable=True)
TOO_LARGE: Final = Failure("the answer is larger than max_response_bytes. Raise that, or ask for fewer results.")
ENCODED: Final = Failure("the answer is packed, which was not asked for. What is at the endpoint is not Brave.")
UNREADABLE: Final = Failure("the answer is not what Brave documents. Nothing of it is shown.")
BROKEN: Final = Failure("the request could not be made.")

_REMEDIES: Final = {
    401: " Check the key.",
    403: " Check the key, and what its plan allows.",
    422: " Check the query: Brave takes at most 400 characters and 50 words.",
    429: " Ask less often.",
}


def refused(status: int) -> Failure:
    """Return the failure that an answer of this status is; only 200 is none."""
    is_theirs = 500 <= status < 600
    remedy = _REMEDIES.get(status, " Try again later." if is_theirs else "")
    if 300 <= status < 400:
        remedy = " Redirects are not followed."
    return Failure(f"the answer has the status {status}.{remedy}", retryable=status == 429 or is_theirs)
