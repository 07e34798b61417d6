"""What a configuration says, apart from the sections of plugins."""

from __future__ import annotations

from typing import Annotated, Final, Literal, TypeAlias

import attrs
from attrs.validators import ge, le

from .durations import duration

RunsAs: TypeAlias = Literal["development", "test", "production"]

MAX_SANDBOX_OUTPUT: Final = 16_777_216
"""The most bytes that a file can let a command keep."""


@attrs.frozen(kw_only=True)
class ReactSettings:
    """Bounds of a loop in which a model chooses the actions; None where the file says nothing."""

    max_action_calls: Annotated[int, "actions of one run", ge(0)] | None = None
    max_total_tokens: Annotated[int, "tokens of one run", ge(1)] | None = None


@attrs.frozen(kw_only=True)
class SandboxSettings:
    """What an executor of commands is made with; None where the file says nothing. ``timeout`` is in seconds."""

    timeout: float | None = attrs.field(
        default=None, metadata={**duration(), "description": "milliseconds that one command may take"}
    )
    max_output_bytes: Annotated[int, "bytes of a command's output", ge(1), le(MAX_SANDBOX_OUTPUT)] | None = None


@attrs.frozen(kw_only=True)
class RuntimeSettings:
    """The group ``runtime`` of a file; None where the file says nothing. ``timeout`` is in seconds.

    A runtime that is given the configuration uses ``graph_concurrency`` and ``loop_max_iterations`` itself. The
    others are for the application to pass on.
    """

    timeout: float | None = attrs.field(
        default=None, metadata={**duration(), "description": "milliseconds that one call may take"}
    )
    max_turns: Annotated[int, "turns of one conversation with a model", ge(1)] | None = None
    graph_concurrency: Annotated[int, "nodes of one graph that run at once", ge(1)] | None = None
    loop_max_iterations: Annotated[int, "iterations of one loop", ge(1)] | None = None
    react: ReactSettings = attrs.field(factory=ReactSettings, metadata={"description": "loops of a model"})
    sandbox: SandboxSettings = attrs.field(factory=SandboxSettings, metadata={"description": "commands"})


@attrs.frozen(kw_only=True)
class Permissions:
    """What the environment says that a sandbox may allow; by itself it allows nothing to anybody.

    ``tools``, ``mcp`` and ``network`` are names as a :class:`Sandbox` takes them, ``read``, ``write`` and
    ``execute`` are flags. Everything that no variable gives is denied.
    """

    tools: frozenset[str] = frozenset()
    mcp: frozenset[str] = frozenset()
    network: frozenset[str] = frozenset()
    read: bool = False
    write: bool = False
    execute: bool = False
