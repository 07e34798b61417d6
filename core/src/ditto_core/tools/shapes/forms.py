"""From a form of type, as it stands in an annotation, to its shape."""

from __future__ import annotations

import enum
from typing import Any, Literal, get_args, get_origin

import attrs

from ...contracts.json_values import JsonObject, JsonValue
from ...contracts.unset import Unset
from .annotations import is_union, name_of, unwrapped
from .choices import enum_shape, literal_shape
from .classes import class_shape
from .constraints import constrained, is_custom
from .containers import array_shape, mapping_shape
from .properties import properties_of
from .scalars import ANY_JSON, JSON_OBJECT, NULL, SCALARS
from .shape import Misfit, Shape, described
from .unions import union_shape

_ALLOWED = "str int float bool None Literal Enum list[T] tuple[T, ...] dict[str, T] JsonValue, attrs classes, T | None"


@attrs.define(kw_only=True, eq=False, repr=False)
class Forms:
    """Makes the shapes of what one tool receives, or of what it returns.

    ``may_go_beyond`` permits checks that no schema can tell, ``went_beyond`` says that there was one. What is
    returned has passed the checks of its class already, so there they do not matter.
    """

    returned: bool = False
    may_go_beyond: bool = False
    went_beyond: bool = attrs.field(default=False, init=False)
    _around: list[type[Any]] = attrs.field(factory=list, init=False)
    """The attrs classes that are being looked into, from the outside in."""

    def goes_beyond(self, what: str) -> None:
        """Note a check that no schema can tell, or refuse it."""
        if not self.may_go_beyond:
            raise Misfit(
                f"has {what}, which may refuse what the schema allows; "
                'use the validators ge, gt, le, lt, min_len, max_len, matches_re, in_, or say narrower="why"'
            )
        self.went_beyond = True

    def shape_of(self, form: Any, validator: Any = None) -> Shape:
        """Return the shape of a form narrowed by a validator; raises :class:`Misfit` when it has none.

        A custom part of `validator` narrows nothing here: whoever passes it sees to it that it is run.
        """
        whole = unwrapped(form)
        if is_custom(whole.validators):
            raise Misfit("has a validator in Annotated that is none of attrs'; give it to attrs.field(validator=…)")
        shape = constrained(self._bare(whole.form), [*whole.validators, validator])
        return shape if whole.text is None else described(shape, whole.text)

    def class_shape(self, kind: type[Any]) -> Shape:
        """Return the shape of an attrs class."""
        if kind in self._around:
            raise Misfit(f"is recursive: {kind.__name__} is inside itself; use JsonValue for the inner one")
        self._around.append(kind)
        try:
            return class_shape(kind, properties_of(kind, self))
        finally:
            self._around.pop()

    def _bare(self, form: Any) -> Shape:
        if form == JsonValue:
            return ANY_JSON
        if form == JsonObject:
            return JSON_OBJECT
        origin, arguments = get_origin(form), get_args(form)
        if origin is None:
            return self._plain(form)
        if origin is Literal:
            return literal_shape(arguments)
        if is_union(form):
            return union_shape([self.shape_of(one) for one in arguments])
        if origin is list:
            return array_shape(self._part(arguments[0]), list)
        if origin is tuple and len(arguments) == 2 and arguments[1] is ...:
            return array_shape(self._part(arguments[0]), tuple)
        if origin is dict and unwrapped(arguments[0]).form is str:
            key = None if arguments[0] is str else self.shape_of(arguments[0])
            return mapping_shape(self._part(arguments[1]), key)
        raise _refused(form)

    def _plain(self, form: Any) -> Shape:
        if form is Unset:
            raise Misfit("is UNSET in another place than a property of its own; leave it out there")
        if form is None:
            return NULL
        if isinstance(form, type):
            if form in SCALARS:
                return SCALARS[form]
            if issubclass(form, enum.Enum):
                return enum_shape(form)
            if attrs.has(form):
                return self.class_shape(form)
        raise _refused(form)

    def _part(self, form: Any) -> Shape:
        try:
            return self.shape_of(form)
        except Misfit as misfit:
            misfit.at("[*]")
            raise


def _refused(form: Any) -> Misfit:
    return Misfit(f"has the type {name_of(form)}, which @tool does not take; use {_ALLOWED}")
