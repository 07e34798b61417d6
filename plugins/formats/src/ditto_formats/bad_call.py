"""A call that a model asked for and that cannot be made, which still wants an answer under its id."""

from __future__ import annotations

import attrs

from ditto_core import ExternalResult, InteractionError, InvalidValue, describe, safe_message

from .json_text import is_writable


@attrs.frozen(kw_only=True)
class BadCall:
    """A call that cannot be made: its ``id``, the ``name`` of the tool (empty if none was given) and the ``reason``.

    Every API wants an answer to each call that its model asked for; this is what such a call is answered from. An
    application makes one itself of a call that a runtime refused. Raises :class:`~ditto_core.InvalidValue` for an
    empty id or reason, and for text that UTF-8 cannot write.
    """

    id: str
    name: str
    reason: str

    def __attrs_post_init__(self) -> None:
        for field, text in (("id", self.id), ("name", self.name), ("reason", self.reason)):
            if type(text) is not str:
                raise InvalidValue(f"BadCall.{field}", f"must be a string, not {describe(text)}")
            if not is_writable(text):
                raise InvalidValue(f"BadCall.{field}", "holds a lone surrogate, which UTF-8 cannot write")
            if not text and field != "name":
                raise InvalidValue(f"BadCall.{field}", "must not be empty")

    def result(self) -> ExternalResult:
        """Return the result of the call: ``failed``, ``INVALID_TOOL_CALL``, with the reason.

        A reason that no error may hold, such as one with a path or a line end, is replaced by a fixed text.
        """
        message = safe_message(self.reason, "The call cannot be made.")
        return ExternalResult(
            call_id=self.id,
            source=self.name or "unnamed",
            status="failed",
            error=InteractionError(code="INVALID_TOOL_CALL", message=message, retryable=False),
        )
