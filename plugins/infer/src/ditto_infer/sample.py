"""What a model gave: a sample, and the result of the node, which has one only when the model did its work."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

import attrs

from ditto_core import UNSET, InteractionError, InvalidValue, ToolCall, Unset, quote

from . import checks
from .messages import ModelMessage

FinishReason: TypeAlias = Literal["stop", "length", "action_request", "cancelled", "error"]
"""Why a model stopped writing."""
SampleStatus: TypeAlias = Literal["success", "failed", "cancelled", "timeout"]
"""How a sample ended."""


@attrs.frozen(kw_only=True)
class Usage:
    """How many tokens a sample took, as the provider counted them; what it did not count is left out."""

    input_tokens: int | Unset = UNSET
    output_tokens: int | Unset = UNSET
    total_tokens: int | Unset = UNSET
    cached_tokens: int | Unset = UNSET
    reasoning_tokens: int | Unset = UNSET

    def __attrs_post_init__(self) -> None:
        checks.count(self.input_tokens, "Usage.inputTokens")
        checks.count(self.output_tokens, "Usage.outputTokens")
        checks.count(self.total_tokens, "Usage.totalTokens")
        checks.count(self.cached_tokens, "Usage.cachedTokens")
        checks.count(self.reasoning_tokens, "Usage.reasoningTokens")


@attrs.frozen(kw_only=True)
class Sample:
    """One answer of a model: its message, why it stopped, what it asks for, and how much it took.

    ``finish_reason`` is ``action_request`` if and only if ``action_requests`` are there, and their ids are
    different. Raises :class:`~ditto_core.InvalidValue`.
    """

    __hash__ = None  # type: ignore[assignment]

    message: ModelMessage
    finish_reason: FinishReason
    action_requests: tuple[ToolCall, ...] = ()
    usage: Usage | Unset = UNSET

    def __attrs_post_init__(self) -> None:
        checks.instance(self.message, ModelMessage, "Sample.message")
        if self.message.role != "assistant":
            raise InvalidValue("Sample.message.role", f"must be assistant, not {quote(self.message.role)}")
        checks.one_of(self.finish_reason, get_args(FinishReason), "Sample.finishReason")
        checks.several(self.action_requests, ToolCall, "Sample.actionRequests")
        if (self.finish_reason == "action_request") != bool(self.action_requests):
            raise InvalidValue("Sample.finishReason", "must be action_request exactly when there are action requests")
        ids = [request.id for request in self.action_requests]
        if len(set(ids)) < len(ids):
            raise InvalidValue("Sample.actionRequests", "have an id twice; an answer would not tell which it is for")
        if self.usage is not UNSET:
            checks.instance(self.usage, Usage, "Sample.usage")


@attrs.frozen(kw_only=True)
class SampleResult:
    """The output of ``INFER.REASONING.SAMPLE``: a NodeResult, which is used only when its status is ``success``.

    ``execution_id`` is of this one call, ``node`` its node. ``output`` is there exactly when it succeeded, ``error``
    exactly when it did not. Raises :class:`~ditto_core.InvalidValue`.
    """

    __hash__ = None  # type: ignore[assignment]

    execution_id: str
    node: str
    status: SampleStatus
    output: Sample | Unset = UNSET
    error: InteractionError | Unset = UNSET

    def __attrs_post_init__(self) -> None:
        checks.text(self.execution_id, "SampleResult.executionId")
        checks.text(self.node, "SampleResult.node")
        checks.one_of(self.status, get_args(SampleStatus), "SampleResult.status")
        wanted, other = ("output", "error") if self.status == "success" else ("error", "output")
        if getattr(self, wanted) is UNSET:
            raise InvalidValue(f"SampleResult.{wanted}", f"is required when the status is {self.status}")
        if getattr(self, other) is not UNSET:
            raise InvalidValue(f"SampleResult.{other}", f"must be left out when the status is {self.status}")
        checks.instance(
            getattr(self, wanted), Sample if wanted == "output" else InteractionError, f"SampleResult.{wanted}"
        )
