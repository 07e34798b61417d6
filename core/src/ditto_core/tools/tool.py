"""What a tool is: a name, a schema for callers, `validate`, `execute`, and what it says of itself."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable
from typing import TYPE_CHECKING, Generic, Literal, TypeAlias, TypeVar, get_args

import attrs

from ..callables import is_async
from ..contracts.checks import check_text
from ..contracts.interaction_error import InteractionError
from ..contracts.json_values import JsonObject
from ..contracts.results import STATUSES, Status, ToolOutcome
from ..contracts.unset import UNSET, Unset
from ..errors import DittoError, InvalidName, InvalidSchema, InvalidTool, InvalidValue
from ..text import describe, quote

if TYPE_CHECKING:
    from .context import ToolContext

A = TypeVar("A")

Effect: TypeAlias = Literal["read", "write", "execute", "network"]
"""What a tool does to the world; a description, not a permission."""

EFFECTS: frozenset[str] = frozenset(get_args(Effect))

_is_name = re.compile(r"[A-Za-z0-9_-]{1,64}").fullmatch


def is_tool_name(name: object) -> bool:
    """Tell whether `name` is 1-64 ASCII letters, digits, ``_`` and ``-``."""
    return type(name) is str and _is_name(name) is not None


def check_tool_name(name: object) -> None:
    """Refuse anything that :func:`is_tool_name` says is none; raises :class:`InvalidName`."""
    if not is_tool_name(name):
        raise InvalidName(f"Tool name {quote(name)}: must be 1-64 ASCII letters, digits, '_' or '-'. Choose another.")


def _effects(effects: Iterable[Effect]) -> frozenset[Effect]:
    if isinstance(effects, str):
        raise InvalidTool(f"Tool effects: must be a set such as {{{quote(effects)}}}, not a string.")
    return frozenset(effects)


def _check_text(who: str, field: str, text: object) -> None:
    try:
        check_text(text, field)
    except InvalidValue as error:
        raise InvalidTool(f"{who}: {error}.") from None


@attrs.frozen(kw_only=True, eq=False)
class Tool(Generic[A]):
    """One action that a model or an application may ask for.

    - ``name``: 1-64 ASCII letters, digits, ``_`` or ``-``.
    - ``input_schema``: a JSON object for callers; the core runs no JSON Schema validator.
    - ``validate(arguments) -> A``: plain; refuses by raising, returns what ``execute`` receives. It gets a private
      copy of the arguments, which are known to be a JSON object.
    - ``execute(A, ToolContext) -> ToolOutcome``: performs the action once. An ``async`` function runs in the
      caller's task, a plain one in a daemon thread of the runtime. Its exceptions propagate unchanged, except
      :class:`ToolFailed`.
    - ``effects`` and ``requires_approval`` describe; they ask for nothing and permit nothing.
    - ``source``, when not empty, stands in the results instead of the name: for a tool that hands its calls on.

    Raises :class:`InvalidName`, :class:`InvalidSchema` or :class:`InvalidTool`. Compares by identity.
    """

    name: str
    input_schema: JsonObject
    validate: Callable[[JsonObject], A]
    execute: Callable[[A, ToolContext], Awaitable[ToolOutcome] | ToolOutcome]
    description: str = ""
    title: str = ""
    output_schema: JsonObject | Unset = UNSET
    effects: frozenset[Effect] = attrs.field(default=frozenset(), converter=_effects)
    requires_approval: bool = False
    source: str = ""
    is_async: bool = attrs.field(init=False, repr=False)

    def __attrs_post_init__(self) -> None:
        check_tool_name(self.name)
        who = f"Tool {self.name!r}"
        for field, schema in (("input_schema", self.input_schema), ("output_schema", self.output_schema)):
            if type(schema) is not dict and not (schema is UNSET and field == "output_schema"):
                raise InvalidSchema(f"{who}: {field} must be a JSON object (a dict), not {describe(schema)}.")
        for field, text in (("description", self.description), ("title", self.title), ("source", self.source)):
            _check_text(who, field, text)
        if not self.effects <= EFFECTS:
            raise InvalidTool(f"{who}: effects may hold only {', '.join(sorted(EFFECTS))}.")
        if type(self.requires_approval) is not bool:
            raise InvalidTool(
                f"{who}: requires_approval must be True or False, not {describe(self.requires_approval)}."
            )
        for field, function in (("validate", self.validate), ("execute", self.execute)):
            if not callable(function):
                raise InvalidTool(f"{who}: {field} must be a function, not {describe(function)}.")
        if is_async(self.validate):
            raise InvalidTool(
                f"{who}: validate is an async function; make it a plain one and move the wait to execute."
            )
        object.__setattr__(self, "is_async", is_async(self.execute))


@attrs.frozen(kw_only=True, unsafe_hash=False)
class ToolDefinition:
    """What callers may know of a tool: everything but its functions. Its schemas are shared; do not change them."""

    __hash__ = None  # type: ignore[assignment]

    name: str
    input_schema: JsonObject
    description: str = ""
    title: str = ""
    output_schema: JsonObject | Unset = UNSET
    effects: tuple[Effect, ...] = ()
    requires_approval: bool = False


class ToolFailed(DittoError):
    """Raised inside ``execute`` to end the call with a failure as data; callers see the result, never this.

    ``status`` is any status but ``success``. Raises :class:`InvalidValue` when code, message or status are not
    what an :class:`InteractionError` may hold.
    """

    def __init__(self, code: str, message: str, *, retryable: bool = False, status: Status = "failed") -> None:
        self.error = InteractionError(code=code, message=message, retryable=retryable)
        if type(status) is not str or status not in STATUSES or status == "success":
            raise InvalidValue("status", f"must be failed, cancelled, timeout or unknown, not {quote(status)}")
        self.status: Status = status
        super().__init__(f"{code}: {message}")
