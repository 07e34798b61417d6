"""The registry of tools, and the path of one tool call: each step has its own error.

call → permission → look-up → arguments are JSON → validate → execute → check result → ExternalResult
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from types import CoroutineType
from typing import TYPE_CHECKING, Any

import attrs

from ..contracts.checked import of_checked
from ..contracts.json_values import JsonObject, enter_object
from ..contracts.results import ExternalResult, ToolCall, ToolOutcome, enter_outcome
from ..contracts.safety import safe_message
from ..contracts.unset import UNSET
from ..errors import (
    DuplicateName,
    InvalidArguments,
    InvalidInput,
    InvalidResult,
    InvalidSchema,
    InvalidTool,
    InvalidValue,
    PermissionDenied,
    UnknownTool,
)
from ..events import CallObserver
from ..text import describe, guess, quote
from .context import ToolContext
from .tool import Tool, ToolDefinition, ToolFailed

if TYPE_CHECKING:
    from ..plugins.origin import Origin
    from ..sandbox import Sandbox


@attrs.frozen(kw_only=True, eq=False, repr=False)
class _Entry:
    tool: Tool[Any]
    definition: ToolDefinition
    source: str
    origin: Origin | None

    def __str__(self) -> str:
        return f"tool {self.tool.name!r}" + (f" of {self.origin}" if self.origin else "")


class ToolRegistry:
    """Tools by name. Registering and removing hold for the next call; a call that has begun runs to its end.

    May be changed and listed from any thread; calls belong to the event loop.
    """

    def __init__(self) -> None:
        self._entries: dict[str, _Entry] = {}
        self._lock = threading.Lock()
        self.observers: tuple[CallObserver, ...] = ()
        """Whom a runtime tells of the calls of a worker with these tools; replaced as a whole, empty by default."""

    def register(self, tool: Tool[Any]) -> Callable[[], bool]:
        """Add a tool and return its undo, which answers True once and then False.

        Raises :class:`InvalidTool`, :class:`InvalidSchema` or :class:`DuplicateName`; the registry is then as
        it was before.
        """
        return self.register_all((tool,))

    def register_all(self, tools: Iterable[Tool[Any]], *, origin: Origin | None = None) -> Callable[[], bool]:
        """Add all tools or none, and return the undo that removes them; raises as :meth:`register` does.

        `origin` says which plugin they come from; messages and log lines name it.
        """
        entries: dict[str, _Entry] = {}
        for tool in tools:
            entry = _entry(tool, origin)
            if tool.name in entries:
                raise DuplicateName(f"{entry}: the name is given twice. Rename one of the two.")
            entries[tool.name] = entry
        with self._lock:
            for name, entry in entries.items():
                if name in self._entries:
                    raise DuplicateName(
                        f"{entry}: the name is taken by {self._entries[name]}. "
                        "Register one of them with prefix='…', or leave it out with exclude={…}."
                    )
            self._entries.update(entries)
        return lambda: self._remove(entries)

    def _remove(self, entries: dict[str, _Entry]) -> bool:
        with self._lock:
            removed = False
            while entries:
                name, entry = entries.popitem()
                if self._entries.get(name) is entry:
                    del self._entries[name]
                    removed = True
            return removed

    def list(self, sandbox: Sandbox) -> tuple[ToolDefinition, ...]:
        """Return the definitions of the tools that `sandbox` permits, in the order of their registration."""
        with self._lock:
            entries = tuple(self._entries.values())
        return tuple(entry.definition for entry in entries if sandbox.allows("tools", entry.tool.name))

    def _permitted(self, sandbox: Sandbox) -> Iterator[str]:
        """Give the names that a message may suggest: a name that the sandbox hides is not told."""
        return (definition.name for definition in self.list(sandbox))

    async def call(self, call: ToolCall, context: ToolContext) -> ExternalResult:
        """Run one tool once and return its result under the call's id and the tool's name, or its own source.

        Raises :class:`PermissionDenied`, :class:`UnknownTool` or :class:`InvalidArguments` before anything runs,
        :class:`InvalidResult` when the tool's answer breaks the rules, also when the tool met :class:`InvalidValue`
        while building it (its effect may have happened), and anything else that the tool raises, unchanged.
        """
        if type(call) is not ToolCall:
            raise InvalidInput(f"ToolRegistry.call: the call must be a ToolCall, not {describe(call)}.")
        if not context.sandbox.allows("tools", call.name):
            raise PermissionDenied(
                f"Tool {quote(call.name)} (call {quote(call.id)}): the sandbox does not permit it. "
                f"If that is its name, permit it: Sandbox(tools=[{quote(call.name)}]).",
                kind="tools",
                name=call.name,
            )
        entry = self._entries.get(call.name)
        if entry is None:
            raise UnknownTool(
                f"Tool {quote(call.name)} (call {quote(call.id)}): no tool of that name is registered."
                f"{guess(call.name, self._permitted(context.sandbox))} "
                "Register it, or choose one that ToolRegistry.list() gives."
            )
        tool = entry.tool
        arguments = _validated(entry, call)
        context = context.for_tool(call.id, tool.name, entry.origin)
        try:
            if tool.is_async:
                outcome = await tool.execute(arguments, context)  # type: ignore[misc]
            else:
                outcome = await context.in_thread(tool.execute, arguments, context)
                if type(outcome) is CoroutineType:  # a plain function that hands on an async one, such as a lambda
                    outcome = await outcome
        except ToolFailed as failure:
            outcome = ToolOutcome(status=failure.status, error=failure.error)
        except InvalidValue as error:  # the tool built a value that breaks its contract: what it meant is not known
            raise _invalid_result(entry, call, str(error)) from error
        return _result(entry, call, outcome)

    def origin_of(self, name: str) -> Origin | None:
        """Return the plugin that the tool of that name comes from; None when it comes from none or does not exist."""
        entry = self._entries.get(name)
        return entry.origin if entry else None


def _entry(tool: object, origin: Origin | None) -> _Entry:
    if not isinstance(tool, Tool):
        raise InvalidTool(
            f"ToolRegistry.register: needs a Tool, not {describe(tool)}. Make one with Tool(…) or @tool."
        )
    return _Entry(
        tool=tool,
        definition=ToolDefinition(
            name=tool.name,
            title=tool.title,
            description=tool.description,
            input_schema=_schema(tool, "input_schema", tool.input_schema),
            output_schema=UNSET if tool.output_schema is UNSET else _schema(tool, "output_schema", tool.output_schema),
            effects=tuple(sorted(tool.effects)),
            requires_approval=tool.requires_approval,
        ),
        source=tool.source or tool.name,
        origin=origin,
    )


def _schema(tool: Tool[Any], field: str, schema: JsonObject) -> JsonObject:
    """Return a private copy, so that what callers were shown does not change under them."""
    try:
        return enter_object(schema, field)
    except InvalidValue as error:
        raise InvalidSchema(f"Tool {tool.name!r}: {error}.") from None


def _validated(entry: _Entry, call: ToolCall) -> Any:
    """Return what the tool's `validate` makes of a private copy of the arguments."""
    try:
        own = enter_object(call.arguments, "arguments")
    except InvalidValue as error:
        raise InvalidArguments(f"{_who(entry, call)}: {error}.") from None
    try:
        arguments = entry.tool.validate(own)
    except Exception as error:
        reason = safe_message(_text_of(error), "they break the tool's rules")
        raise InvalidArguments(f"{_who(entry, call)}: the arguments were refused: {reason}.") from error
    if type(arguments) is CoroutineType:
        arguments.close()
        raise InvalidArguments(f"{_who(entry, call)}: validate returned a coroutine; make it a plain function.")
    return arguments


def _text_of(error: Exception) -> str:
    try:
        return str(error)
    except Exception:  # whose text is as broken as what it stands for
        return ""


def _result(entry: _Entry, call: ToolCall, outcome: object) -> ExternalResult:
    """Check what the tool answered and put the identity of the call to it."""
    if type(outcome) is not ToolOutcome:
        raise _invalid_result(entry, call, f"execute must return a ToolOutcome, not {describe(outcome)}")
    structured_content, metadata = outcome.structured_content, outcome.metadata
    try:
        content = enter_outcome(outcome.content, structured_content, metadata)
    except InvalidValue as error:
        raise _invalid_result(entry, call, str(error)) from None
    return of_checked(
        ExternalResult,
        {
            "call_id": call.id,
            "source": entry.source,
            "status": outcome.status,
            "content": content,
            "structured_content": structured_content,
            "references": outcome.references,
            "error": outcome.error,
            "metadata": metadata,
        },
    )


def _invalid_result(entry: _Entry, call: ToolCall, problem: str) -> InvalidResult:
    return InvalidResult(
        f"{_who(entry, call)}: the result is invalid: {problem}. Its effect may have happened; check before a retry."
    )


def _who(entry: _Entry, call: ToolCall) -> str:
    who = str(entry)
    return f"{who[0].upper()}{who[1:]} (call {quote(call.id)})"
