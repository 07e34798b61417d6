"""The ways in which an exchange ends without the body that was asked for."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

import attrs

How: TypeAlias = Literal["no_connection", "cut_off", "timed_out", "status", "packed", "too_large", "broken"]
"""What happened, see :class:`Ended`."""

_WORDS: Final[dict[How, str]] = {
    "no_connection": "The connection failed, or broke off before the service answered.",
    "cut_off": "The connection broke off before the answer was whole.",
    "timed_out": "There was no whole answer in time.",
    "packed": "The answer is packed, which was not asked for.",
    "too_large": "The answer is larger than is allowed.",
    "broken": "The request could not be made.",
}


@attrs.frozen(kw_only=True)
class Ended:
    """How an exchange ended: in fixed words, with nothing of the request and nothing of the answer but its status.

    ``how`` is one of

    - ``no_connection``: there was none, or it broke off before the head of an answer, or that is no HTTP;
    - ``cut_off``: it broke off, or broke the rules of HTTP, in the middle of the body;
    - ``timed_out``: there was no whole answer in time;
    - ``status``: the answer has a status that was not asked for, ``status``; a redirect is not followed;
    - ``packed``: the body has a content encoding, although none was asked for;
    - ``too_large``: the body has more bytes than are allowed;
    - ``broken``: the request could not be made, as when a header holds what none can.
    """

    how: How
    status: int | None = None

    @property
    def retryable(self) -> bool:
        """Whether the same request may succeed later: nobody answered in full, or it was 429 or 500 to 599."""
        if self.status is None:
            return self.how in ("no_connection", "cut_off", "timed_out")
        return self.status == 429 or 500 <= self.status < 600

    @property
    def message(self) -> str:
        """A sentence about it that anyone may read."""
        if self.status is None:
            return _WORDS[self.how]
        redirects = " Redirects are not followed." if 300 <= self.status < 400 else ""
        return f"The service answered with the status {self.status}.{redirects}"
