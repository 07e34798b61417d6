"""How a function that becomes a tool is called: from the object that holds its arguments, and a context if it asks."""

from __future__ import annotations

import enum
import inspect
from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from typing import Annotated, Any

import attrs

from .context import ToolContext
from .shapes.annotations import unwrapped
from .shapes.constraints import is_custom
from .shapes.properties import Fresh
from .shapes.shape import Misfit, member

_Parameter = inspect.Parameter

_VARIADIC = {_Parameter.VAR_POSITIONAL: "*", _Parameter.VAR_KEYWORD: "**"}
_UNCHANGEABLE = (str, int, float, bool, type(None), enum.Enum)


@attrs.frozen(kw_only=True, eq=False)
class Signature:
    """``arguments`` is the class that holds the arguments, ``call`` calls the function with an object of it.

    ``by_class`` says that the class is the function's own, not one made of its parameters.
    """

    arguments: type[Any]
    by_class: bool
    call: Callable[[Any, ToolContext], Any]


def signature_of(function: Callable[..., Any], annotations: Mapping[str, Any]) -> Signature:
    """Read a function's parameters; raises :class:`Misfit` for those that no JSON object can give."""
    parameters = list(inspect.signature(function).parameters.values())
    for parameter in parameters:
        _check(parameter, annotations)
    contexts = [one for one in parameters if annotations[one.name] is ToolContext]
    if contexts and contexts != parameters[-1:]:
        raise Misfit("has a ToolContext that is not its one last parameter; put it there")
    plain = parameters[:-1] if contexts else parameters
    only = annotations[plain[0].name] if len(plain) == 1 else None
    if isinstance(only, type) and attrs.has(only):
        if plain[0].default is not _Parameter.empty:
            raise Misfit("has a default for the class of its arguments; give the defaults to its fields")
        call = _caller(function, parameters, contexts, lambda arguments: (arguments,))
        return Signature(arguments=only, by_class=True, call=call)
    call = _caller(function, parameters, contexts, _getter([one.name for one in plain]))
    return Signature(arguments=_arguments_class(function.__name__, plain, annotations), by_class=False, call=call)


def _check(parameter: inspect.Parameter, annotations: Mapping[str, Any]) -> None:
    if parameter.kind in _VARIADIC:
        raise Misfit(f"takes {_VARIADIC[parameter.kind]}{parameter.name}; name each parameter")
    if parameter.name == "self" or parameter.name not in annotations:
        misfit = Misfit("has no annotation; give it one. Of a method make a tool with tool(object.method)")
        misfit.at(member(parameter.name))
        raise misfit


def _arguments_class(name: str, parameters: Sequence[inspect.Parameter], annotations: Mapping[str, Any]) -> type[Any]:
    """Return a frozen class with a field for each parameter; what it holds is not for logs, so it has no repr."""
    fields = {}
    for parameter in parameters:
        try:
            fields[parameter.name] = _field(parameter, annotations[parameter.name])
        except Misfit as misfit:
            misfit.at(member(parameter.name))
            raise
    words = "".join(word.capitalize() for word in name.split("_")) if name.isidentifier() else ""
    return attrs.make_class(
        f"{words}Arguments", fields, frozen=True, kw_only=True, slots=True, order=False, repr=False
    )


def _field(parameter: inspect.Parameter, annotation: Any) -> Any:
    """Return the field of a parameter; of its validators it has only those that nothing else would run."""
    whole = unwrapped(annotation)
    custom = [one for one in whole.validators if is_custom(one)]
    notes = [one for one in whole.validators if not is_custom(one)]
    if whole.text is not None:
        notes.append(whole.text)
    default: Any = parameter.default
    if default is _Parameter.empty:
        default = attrs.NOTHING
    elif not isinstance(default, _UNCHANGEABLE):
        default = attrs.Factory(Fresh(default))
    form: Any = Annotated[(whole.form, *notes)] if notes else whole.form
    validator = attrs.validators.and_(*custom) if custom else None
    return attrs.field(type=form, default=default, validator=validator, alias=parameter.name)


def _getter(names: Sequence[str]) -> Callable[[Any], tuple[Any, ...]]:
    if len(names) > 1:
        return attrgetter(*names)
    return lambda arguments: tuple(getattr(arguments, name) for name in names)


def _caller(
    function: Callable[..., Any],
    parameters: Sequence[inspect.Parameter],
    contexts: Sequence[inspect.Parameter],
    values: Callable[[Any], tuple[Any, ...]],
) -> Callable[[Any, ToolContext], Any]:
    """Return a function that calls `function` with the values of the arguments, and the context last if it has one."""
    named = [one.name for one in parameters if one.kind is _Parameter.KEYWORD_ONLY]
    if not named:
        if contexts:
            return lambda arguments, context: function(*values(arguments), context)
        return lambda arguments, _: function(*values(arguments))
    positions = len(parameters) - len(named)  # those by name come after all others

    def call(arguments: Any, context: ToolContext) -> Any:
        given = (*values(arguments), context) if contexts else values(arguments)
        return function(*given[:positions], **dict(zip(named, given[positions:], strict=True)))

    return call
