"""`@tool`: a tool out of an annotated function."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Coroutine, Iterable, Mapping
from functools import partial
from types import CoroutineType
from typing import Any, Protocol, TypeVar, overload

import attrs

from ..contracts.json_values import JsonObject, enter_object
from ..contracts.results import ToolOutcome
from ..contracts.unset import UNSET
from ..errors import InvalidSchema, InvalidTool, InvalidValue
from ..text import describe, quote
from .answers import Answer, answer_of
from .context import ToolContext
from .shapes.annotations import annotations_of
from .shapes.forms import Forms
from .shapes.shape import Misfit, Read
from .signature import Signature, signature_of
from .tool import Effect, Tool

A = TypeVar("A", bound=attrs.AttrsInstance)


class _Decorator(Protocol):
    """What `tool(…)` with options returns."""

    @overload
    def __call__(self, function: Callable[[A], object], /) -> Tool[A]: ...
    @overload
    def __call__(self, function: Callable[[A, ToolContext], object], /) -> Tool[A]: ...
    @overload
    def __call__(self, function: Callable[..., object], /) -> Tool[Any]: ...


@overload
def tool(function: Callable[[A], object], /) -> Tool[A]: ...
@overload
def tool(function: Callable[[A, ToolContext], object], /) -> Tool[A]: ...
@overload
def tool(function: Callable[..., object], /) -> Tool[Any]: ...
@overload
def tool(
    *,
    name: str | None = None,
    description: str | None = None,
    title: str = "",
    effects: Iterable[Effect] = (),
    requires_approval: bool = False,
    narrower: str | None = None,
) -> _Decorator: ...
def tool(
    function: Callable[..., Any] | None = None,
    /,
    *,
    name: str | None = None,
    description: str | None = None,
    title: str = "",
    effects: Iterable[Effect] = (),
    requires_approval: bool = False,
    narrower: str | None = None,
) -> Any:
    """Make a :class:`Tool` of an ``async`` or plain function, as ``@tool`` or ``@tool(name=…, …)``.

    The function's parameters are either one attrs class or any plain annotated ones, and then, if it wants one, a
    :class:`ToolContext`. ``name`` defaults to the function's name, ``description`` to its docstring. The types give
    the input schema *and* the check of the arguments, so the two agree. Nothing is coerced: ``True`` is not 1,
    ``"5"`` is not 5, ``1.0`` is no integer; an integer is a valid ``float``. Properties that no field knows are
    refused.

    - Types: ``str int float bool None Literal Enum list[T] tuple[T, ...] dict[str, T] JsonValue JsonObject``, attrs
      classes (under the aliases of their fields, not recursive), ``T | None``, unions of scalars that exact types
      tell apart (``int | float`` is ``float``), and ``T | Unset = UNSET`` for what may be left out.
    - Validators of attrs, in a field or in ``Annotated[T, …]``: ``ge gt le lt min_len max_len matches_re in_
      instance_of optional and_ deep_iterable deep_mapping``. Other checks (a function of your own,
      ``__attrs_post_init__``) need ``narrower="why"`` and are then run; the schema carries the reason.
    - ``Annotated[T, "text"]`` and ``attrs.field(metadata={"description": "text"})`` describe a property.
    - A returned ``str`` is content, a :class:`ToolOutcome` is itself, anything else is structured content under the
      output schema that the return annotation gives.

    Raises :class:`InvalidTool` for anything else, with the path of the parameter or field, :class:`InvalidName` and
    :class:`InvalidSchema`. A call whose return value does not fit its annotation ends in :class:`InvalidResult`.
    """
    make = partial(
        _make,
        name=name,
        description=description,
        title=title,
        effects=effects,
        requires_approval=requires_approval,
        narrower=narrower,
    )
    return make if function is None else make(function)


def _make(
    function: Callable[..., Any],
    /,
    *,
    name: str | None,
    description: str | None,
    title: str,
    effects: Iterable[Effect],
    requires_approval: bool,
    narrower: str | None,
) -> Tool[Any]:
    if not (inspect.isfunction(function) or inspect.ismethod(function)):
        raise InvalidTool(f"@tool: needs a function, not {describe(function)}. Write a def or an async def for it.")
    if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
        raise InvalidTool(f"Tool {quote(function.__name__)}: is a generator; return the one result instead.")
    name = function.__name__ if name is None else name
    if narrower is not None and (type(narrower) is not str or not narrower.strip()):
        raise InvalidTool(f"Tool {quote(name)}: narrower must say in words what the schema cannot tell.")
    try:
        annotations = annotations_of(function)
        signature = signature_of(function, annotations)
        schema, read = _arguments(signature, narrower)
        answer = _answer(annotations)
    except Misfit as misfit:
        where = f": {misfit.path}" if misfit.path else ""
        raise InvalidTool(f"Tool {quote(name)}{where} {misfit.problem}.") from misfit.__cause__
    return Tool(
        name=name,
        description=inspect.getdoc(function) or "" if description is None else description,
        title=title,
        input_schema=_own(schema, f"Tool {quote(name)}: input_schema"),
        output_schema=UNSET if answer.schema is UNSET else _own(answer.schema, f"Tool {quote(name)}: output_schema"),
        validate=_validate(read),
        execute=_execute(signature, answer, is_async=inspect.iscoroutinefunction(function)),
        effects=effects,
        requires_approval=requires_approval,
    )


def _arguments(signature: Signature, narrower: str | None) -> tuple[JsonObject, Read]:
    """Return the schema of the arguments and what reads them."""
    forms = Forms(may_go_beyond=narrower is not None)
    try:
        shape = forms.class_shape(signature.arguments)
    except Misfit as misfit:
        if signature.by_class:
            misfit.at(signature.arguments.__name__)
        raise
    if narrower is None:
        return shape.keywords, shape.read
    if not forms.went_beyond:
        raise Misfit("is no narrower than its schema, which tells all of its checks; leave narrower= out")
    return {**shape.keywords, "$comment": f"Narrower than this schema: {narrower.strip()}"}, shape.read


def _answer(annotations: Mapping[str, Any]) -> Answer:
    try:
        if "return" not in annotations:
            raise Misfit("has no annotation; say what the function returns")
        return answer_of(annotations["return"])
    except Misfit as misfit:
        misfit.at("return")
        raise


def _own(schema: JsonObject, where: str) -> JsonObject:
    """Return a copy that shares nothing with other schemas."""
    try:
        return enter_object(schema)
    except InvalidValue as error:
        raise InvalidSchema(f"{where}: {error}.") from None


def _validate(read: Read) -> Callable[[JsonObject], Any]:
    def validate(arguments: JsonObject) -> Any:
        try:
            return read(arguments)
        except Misfit as misfit:
            raise InvalidValue(misfit.path or "arguments", misfit.problem) from misfit.__cause__

    return validate


def _execute(signature: Signature, answer: Answer, *, is_async: bool) -> Callable[[Any, ToolContext], Any]:
    call, outcome = signature.call, answer.outcome

    async def execute(arguments: Any, context: ToolContext) -> ToolOutcome:
        return outcome(await call(arguments, context))

    if is_async:
        return execute

    async def awaited(coroutine: Coroutine[Any, Any, Any]) -> ToolOutcome:
        return outcome(await coroutine)

    def execute_plain(arguments: Any, context: ToolContext) -> Any:
        returned = call(arguments, context)
        # A plain function that hands on an async one: the registry awaits it on the event loop.
        return awaited(returned) if type(returned) is CoroutineType else outcome(returned)

    return execute_plain
