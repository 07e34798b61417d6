"""What a model is asked: messages, which model, how it is to write, and the actions that it may ask for."""

from __future__ import annotations

import re
from typing import Literal, TypeAlias

import attrs

from ditto_core import UNSET, InvalidValue, JsonObject, Unset, quote

from . import checks
from .messages import ModelMessage

MAX_SAFE_INTEGER = 2**53 - 1
"""The largest seed: what every JSON reader reads as it was written."""

_is_name = re.compile(r"[A-Za-z0-9_-]{1,64}").fullmatch


@attrs.frozen(kw_only=True)
class ToolTarget:
    """The action is a registered tool; ``tool_name`` is its name if that is another than the action's."""

    __hash__ = None  # type: ignore[assignment]

    kind: Literal["tool"] = "tool"
    tool_name: str | Unset = UNSET

    def __attrs_post_init__(self) -> None:
        checks.one_of(self.kind, ("tool",), "ToolTarget.kind")
        checks.optional_text(self.tool_name, "ToolTarget.toolName")


@attrs.frozen(kw_only=True)
class McpTarget:
    """The action is a tool of an MCP server; ``tool_name`` is the server's own name for it."""

    __hash__ = None  # type: ignore[assignment]

    kind: Literal["mcp"] = "mcp"
    server: str
    tool_name: str

    def __attrs_post_init__(self) -> None:
        checks.one_of(self.kind, ("mcp",), "McpTarget.kind")
        checks.text(self.server, "McpTarget.server")
        checks.text(self.tool_name, "McpTarget.toolName")


Target: TypeAlias = ToolTarget | McpTarget
"""Where an action leads. No model is told and none can say it."""


@attrs.frozen(kw_only=True)
class Action:
    """An action that a model may ask for: its name, what it does, and the schema of its arguments.

    The name is 1-64 ASCII letters, digits, ``_`` or ``-``. Without a ``target`` it is the registered tool of that
    name. Raises :class:`~ditto_core.InvalidValue`.
    """

    __hash__ = None  # type: ignore[assignment]

    name: str
    input_schema: JsonObject
    description: str = ""
    target: Target | Unset = UNSET

    def __attrs_post_init__(self) -> None:
        if type(self.name) is not str or not _is_name(self.name):
            raise InvalidValue(
                "Action.name", f"must be 1-64 ASCII letters, digits, '_' or '-', not {quote(self.name)}; rename it"
            )
        checks.json_object(self.input_schema, "Action.inputSchema")
        checks.text(self.description, "Action.description", empty=True)
        if self.target is not UNSET:
            checks.instance(self.target, (ToolTarget, McpTarget), "Action.target")


@attrs.frozen(kw_only=True)
class ModelChoice:
    """Which model is asked: its name, the provider if there are several, and options of that provider's own.

    ``endpoint``, if given, must be the provider's: a way to be sure where the messages go.
    """

    __hash__ = None  # type: ignore[assignment]

    model: str
    provider: str | Unset = UNSET
    endpoint: str | Unset = UNSET
    provider_options: JsonObject | Unset = UNSET

    def __attrs_post_init__(self) -> None:
        checks.text(self.model, "ModelChoice.model")
        checks.optional_text(self.provider, "ModelChoice.provider")
        checks.optional_text(self.endpoint, "ModelChoice.endpoint")
        checks.optional_object(self.provider_options, "ModelChoice.providerOptions")


@attrs.frozen(kw_only=True)
class Generation:
    """How the model is to write; what is left out is the provider's default.

    ``temperature`` 0 to 2, ``top_p`` 0 to 1, ``top_k`` and ``max_tokens`` at least 1, ``stop`` nonempty texts,
    ``seed`` an integer within ±(2**53 - 1).
    """

    __hash__ = None  # type: ignore[assignment]

    temperature: float | Unset = UNSET
    top_p: float | Unset = UNSET
    top_k: int | Unset = UNSET
    max_tokens: int | Unset = UNSET
    stop: tuple[str, ...] | Unset = UNSET
    seed: int | Unset = UNSET

    def __attrs_post_init__(self) -> None:
        checks.number(self.temperature, "Generation.temperature", 2)
        checks.number(self.top_p, "Generation.topP", 1)
        checks.count(self.top_k, "Generation.topK", least=1)
        checks.count(self.max_tokens, "Generation.maxTokens", least=1)
        checks.count(self.seed, "Generation.seed", least=-MAX_SAFE_INTEGER)
        if self.seed is not UNSET and self.seed > MAX_SAFE_INTEGER:
            raise InvalidValue("Generation.seed", f"must be at most {MAX_SAFE_INTEGER:,}")
        if self.stop is not UNSET:
            checks.several(self.stop, str, "Generation.stop")
            for index, word in enumerate(self.stop):
                checks.text(word, f"Generation.stop[{index}]")


@attrs.frozen(kw_only=True)
class SampleInput:
    """The input of ``INFER.REASONING.SAMPLE``: at least one message, a model, and what it may ask for.

    ``output_schema`` asks for an answer that is JSON of this schema, where the provider offers that; what comes is a
    model's text all the same, and is for the application to check. ``metadata`` is the application's own and is sent
    nowhere. Raises :class:`~ditto_core.InvalidValue`; two actions of one name are refused.
    """

    __hash__ = None  # type: ignore[assignment]

    messages: tuple[ModelMessage, ...]
    model: ModelChoice
    generation: Generation | Unset = UNSET
    actions: tuple[Action, ...] = ()
    output_schema: JsonObject | Unset = UNSET
    metadata: JsonObject | Unset = UNSET

    def __attrs_post_init__(self) -> None:
        checks.several(self.messages, ModelMessage, "SampleInput.messages")
        if not self.messages:
            raise InvalidValue("SampleInput.messages", "must hold at least one message")
        checks.instance(self.model, ModelChoice, "SampleInput.model")
        if self.generation is not UNSET:
            checks.instance(self.generation, Generation, "SampleInput.generation")
        checks.several(self.actions, Action, "SampleInput.actions")
        names = [action.name for action in self.actions]
        for name in names:
            if names.count(name) > 1:
                raise InvalidValue("SampleInput.actions", f"has {quote(name)} twice; rename one of them")
        checks.optional_object(self.output_schema, "SampleInput.outputSchema")
        checks.optional_object(self.metadata, "SampleInput.metadata")
