"""A failure as data: a code, a message that is safe to show, and a hint."""

from __future__ import annotations

import attrs

from ..errors import InvalidValue
from .checks import check_exact
from .safety import is_error_code, unsafe_reason
from .unset import UNSET, Unset


@attrs.frozen(kw_only=True, unsafe_hash=False)
class InteractionError:
    """A failure as data, in words that are safe to show to a model or a user.

    ``code`` is 1-64 letters, digits, ``_``, ``.`` or ``-``; ``message`` at most 512 characters without controls,
    credentials, absolute paths and stack frames (the table in the docs, "Errors"). ``retryable`` is a description
    and triggers no retry. Raises :class:`InvalidValue`; the text itself is never quoted and never edited.
    """

    __hash__ = None  # type: ignore[assignment]

    code: str
    message: str
    retryable: bool | Unset = UNSET

    def __attrs_post_init__(self) -> None:
        if type(self.code) is not str or not is_error_code(self.code):
            raise InvalidValue("InteractionError.code", "must be 1-64 letters, digits, '_', '.' or '-'")
        check_exact(self.message, str, "InteractionError.message")
        reason = unsafe_reason(self.message)
        if reason is not None:
            raise InvalidValue("InteractionError.message", f"{reason}; say it without, or use safe_message()")
        if self.retryable is not UNSET:
            check_exact(self.retryable, bool, "InteractionError.retryable")
