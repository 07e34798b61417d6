"""The ways in which a sample fails, in words that hold nothing of the request and nothing of the answer."""

from __future__ import annotations

from typing import Final

from ditto_http import Ended, How
from ditto_infer import SampleFailed

_BROKEN: Final = ("EXECUTION_FAILED", "The request could not be made.")
_ENDINGS: Final[dict[How, tuple[str, str]]] = {
    "no_connection": ("EXECUTION_FAILED", "The connection failed, or broke off before the endpoint answered."),
    "cut_off": ("INCOMPLETE_MODEL_OUTPUT", "The connection broke off before the answer was whole."),
    "too_large": ("INVALID_MODEL_OUTPUT", "The answer is larger than max_response_bytes."),
    "packed": ("INVALID_MODEL_OUTPUT", "The answer is packed, which was not asked for."),
}
_REMEDIES: Final = {
    400: " Check the model's name, the options, and whether the model takes what is asked.",
    401: " Check the key.",
    403: " Check the key, and what it allows.",
    404: " Check base_url and the model's name.",
    413: " The messages are too long.",
    429: " Ask less often.",
}


def failure_of(ended: Ended) -> SampleFailed:
    """Return the exception for an exchange that ended without a reply; the deadline is the worker's, not its own."""
    if ended.status is not None:
        words = f"The endpoint answered with the status {ended.status}.{_remedy(ended.status)}"
        return SampleFailed("PROVIDER_HTTP_ERROR", words, retryable=ended.retryable)
    code, words = _ENDINGS.get(ended.how, _BROKEN)
    return SampleFailed(code, words, retryable=ended.retryable)


def _remedy(status: int) -> str:
    return " Redirects are not followed." if 300 <= status < 400 else _REMEDIES.get(status, "")
