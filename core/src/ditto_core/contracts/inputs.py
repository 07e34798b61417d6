"""The inputs of the INTERACTION nodes that are no contract of their own."""

from __future__ import annotations

import attrs

from .checks import check_exact
from .results import ExternalResult, ToolCall


@attrs.frozen(kw_only=True, unsafe_hash=False)
class ToolInput:
    """The input of ``INTERACTION.ACT.TOOL``: one call of one tool."""

    __hash__ = None  # type: ignore[assignment]

    call: ToolCall

    def __attrs_post_init__(self) -> None:
        check_exact(self.call, ToolCall, "ToolInput.call")


@attrs.frozen(kw_only=True, unsafe_hash=False)
class ObserveInput:
    """The input of ``INTERACTION.OBSERVE``: one result."""

    __hash__ = None  # type: ignore[assignment]

    result: ExternalResult

    def __attrs_post_init__(self) -> None:
        check_exact(self.result, ExternalResult, "ObserveInput.result")
