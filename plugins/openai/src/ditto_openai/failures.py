"""The ways in which a sample fails, in words that hold nothing of the request and nothing of the answer."""

from __future__ import annotations

from typing import Final

import attrs

from ditto_infer import SampleFailed


@attrs.frozen(kw_only=True)
class Failure:
    """A failed sample. It is returned, not raised, until no frame is left that knows the key."""

    code: str
    words: str
    retryable: bool = False

    def error(self) -> SampleFailed:
        """Return the exception to raise."""
        return SampleFailed(self.code, self.words, retryable=self.retryable)


NO_CONNECTION: Final = Failure(
    code="EXECUTION_FAILED", words="The connection failed, or broke off before the endpoint answered.", retryable=True
)
BROKEN: Final = Failure(code="EXECUTION_FAILED", words="The request could not be made.")
CUT: Final = Failure(
    code="INCOMPLETE_MODEL_OUTPUT", words="The connection broke off before the answer was whole.", retryable=True
)
TOO_LARGE: Final = Failure(code="INVALID_MODEL_OUTPUT", words="The answer is larger than max_response_bytes.")
PACKED: Final = Failure(code="INVALID_MODEL_OUTPUT", words="The answer is packed, which was not asked for.")

_REMEDIES: Final = {
    400: " Check the model's name, the options, and whether the model takes what is asked.",
    401: " Check the key.",
    403: " Check the key, and what it allows.",
    404: " Check base_url and the model's name.",
    413: " The messages are too long.",
    429: " Ask less often.",
}


def refused(status: int) -> Failure:
    """Return the failure that an answer of this status is; only 200 is none."""
    is_theirs = 500 <= status < 600
    remedy = _REMEDIES.get(status, "")
    if 300 <= status < 400:
        remedy = " Redirects are not followed."
    return Failure(
        code="PROVIDER_HTTP_ERROR",
        words=f"The endpoint answered with the status {status}.{remedy}",
        retryable=status == 429 or is_theirs,
    )
