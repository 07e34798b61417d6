"""The inputs of the INTERACTION nodes that are no contract of their own."""

from __future__ import annotations

import attrs

from .checks import wrong_class
from .record import Record
from .results import ExternalResult, ToolCall


@attrs.frozen(kw_only=True, init=False, slots=False, eq=False, repr=False)
class ToolInput(Record):
    """The input of ``INTERACTION.ACT.TOOL``: one call of one tool."""

    call: ToolCall

    def __init__(
        self,
        *,
        call: ToolCall,
    ) -> None:
        if type(call) is not ToolCall:
            raise wrong_class(call, ToolCall, "ToolInput.call")
        values = self.__dict__
        values["call"] = call


@attrs.frozen(kw_only=True, init=False, slots=False, eq=False, repr=False)
class ObserveInput(Record):
    """The input of ``INTERACTION.OBSERVE``: one result."""

    result: ExternalResult

    def __init__(
        self,
        *,
        result: ExternalResult,
    ) -> None:
        if type(result) is not ExternalResult:
            raise wrong_class(result, ExternalResult, "ObserveInput.result")
        values = self.__dict__
        values["result"] = result
