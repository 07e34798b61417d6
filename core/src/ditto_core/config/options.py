"""The options of one class or factory: what a file may set of it, how that is read, and its schema."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import attrs

from ..contracts.json_values import JsonObject
from ..errors import InvalidValue
from ..text import quote
from ..tools.shapes.forms import Forms
from ..tools.shapes.shape import Misfit, Shape, member, not_this
from .fields import Option, options_of
from .wording import told, unknown


class Options:
    """The options of one class or factory. Raises :class:`Misfit` for annotations that cannot be looked up."""

    def __init__(self, factory: Callable[..., Any], forms: OptionForms | None = None) -> None:
        self.factory = factory
        self.by_key: dict[str, Option] = {}
        forms = forms or OptionForms()
        with forms.inside(factory):
            options = options_of(factory, forms)
        for option in options:
            if option.key in self.by_key:
                name = getattr(factory, "__name__", "factory")
                raise InvalidValue(name, f"has two options that a file would call {quote(option.key)}; rename one")
            self.by_key[option.key] = option
        self._readable = {key: option for key, option in self.by_key.items() if option.read}

    def schema(self, *, complete: bool) -> JsonObject:
        """Return the JSON Schema of the options in a file; `complete` says that nothing else can give them."""
        properties: JsonObject = {key: option.keywords for key, option in self._readable.items()}
        keywords: JsonObject = {"type": "object", "properties": properties}
        required = [key for key, option in self._readable.items() if option.required]
        if complete and required:
            keywords["required"] = required  # type: ignore[assignment]  # a list of strings is JSON
        keywords["additionalProperties"] = False
        return keywords

    def read(self, values: Any) -> dict[str, Any]:
        """Return the keyword arguments that an object of a file gives; raises :class:`Misfit`."""
        if type(values) is not dict:
            raise not_this("an object", values)
        arguments = {}
        for key, value in values.items():
            try:
                option = self.by_key.get(key)
                if option is None:
                    raise Misfit(unknown(key, self._readable))
                if option.read is None:
                    raise Misfit("can be given in code only, since no file can hold it; leave the key out")
                arguments[option.argument] = option.read(value)
            except Misfit as misfit:
                misfit.at(member(key))
                raise
        return arguments

    def make(self, arguments: Mapping[str, Any]) -> Any:
        """Call the class or factory; raises :class:`Misfit` for what is missing, and for what it refuses itself."""
        for option in self.by_key.values():
            if option.required and option.argument not in arguments:
                raise _at(option, "is missing" if option.read else "is missing, and can be given in code only")
        try:
            return self.factory(**arguments)
        except Exception as error:
            text = told(error, arguments.values())
            raise self.refusal(error, text) from (None if text is None else error)

    def refusal(self, error: Exception, text: str | None) -> Misfit:
        """Return a refusal of the class's own, with `text` if there is one, at the option that it names if any."""
        option = self.named_by(error)
        problem = f"is refused: {text}" if text else f"is refused ({type(error).__name__})"
        return Misfit(problem) if option is None else _at(option, text or problem)

    def named_by(self, error: Exception) -> Option | None:
        """Return the option that the exception of a check is about, as far as that tells."""
        if isinstance(error, InvalidValue):
            name = error.field.rpartition(".")[2]
        else:
            name = next((one.name for one in error.args if isinstance(one, attrs.Attribute)), "")
        return next((one for one in self.by_key.values() if name in (one.attribute, one.argument)), None)


@attrs.define(kw_only=True, eq=False, repr=False)
class OptionForms(Forms):
    """Shapes of options: checks that no schema tells are run by their class, and inner keys are in camel case."""

    may_go_beyond: bool = True

    @contextmanager
    def inside(self, factory: Any) -> Iterator[None]:
        """Note what is being looked into; raises :class:`Misfit` for a class inside itself."""
        if factory in self._around:
            raise Misfit("is recursive; use JsonValue for the inner one")
        self._around.append(factory)
        try:
            yield
        finally:
            self._around.pop()

    def class_shape(self, kind: type[Any]) -> Shape:
        """Return the shape of a class inside of options."""
        options = Options(kind, self)
        return Shape(
            words="an object",
            keywords=options.schema(complete=True),
            takes=frozenset({dict}),
            gives=frozenset({kind}),
            read=lambda value: options.make(options.read(value)),
            write=_not_written,
        )


def _not_written(value: Any) -> Any:
    raise Misfit("is an object of a class, which no schema shows")


def _at(option: Option, problem: str) -> Misfit:
    misfit = Misfit(problem)
    misfit.at(member(option.key))
    return misfit
