"""From the fields of an attrs class to the properties of its shape."""

from __future__ import annotations

import copy
import inspect
from typing import TYPE_CHECKING, Any

import attrs

from ...contracts.json_values import JsonObject, JsonValue
from ...contracts.unset import UNSET, Unset
from .annotations import annotations_of, union_without, unwrapped
from .classes import Property
from .constraints import is_custom
from .shape import Misfit, Shape, member

if TYPE_CHECKING:
    from .forms import Forms

_EMPTY = (list, dict, tuple)
"""Factories whose product is the same each time, so that a schema may show it as the default."""


@attrs.frozen(eq=False, repr=False)
class Fresh:
    """A factory that gives a copy of a default which could be changed."""

    value: Any

    def __call__(self) -> Any:
        """Return the copy."""
        return copy.deepcopy(self.value)


def properties_of(kind: type[Any], forms: Forms) -> list[Property]:
    """Return the properties of an attrs class; raises :class:`Misfit` for a field that has no shape."""
    annotations = annotations_of(kind)
    if not forms.returned:
        _check_construction(kind, forms)
    properties = []
    for field in attrs.fields(kind):
        if not (field.init or forms.returned):
            continue  # the class fills it in by itself
        try:
            properties.append(property_of(field, annotations.get(field.name, field.type), forms))
        except Misfit as misfit:
            misfit.at(member(field.alias or field.name))
            raise
    return properties


def _check_construction(kind: type[Any], forms: Forms) -> None:
    """Refuse a class that may refuse what its fields accept."""
    if not kind.__init__.__code__.co_filename.startswith("<attrs generated"):
        raise Misfit("has an __init__ of its own, which a schema cannot tell; let attrs make it")
    if inspect.isabstract(kind):
        raise Misfit("is an abstract class, of which there can be no object; use one that is not")
    for name in ("__attrs_pre_init__", "__attrs_post_init__"):
        if hasattr(kind, name):
            forms.goes_beyond(name)
    if any("__new__" in vars(one) for one in kind.__mro__ if one is not object):
        forms.goes_beyond("__new__")


def property_of(field: attrs.Attribute[Any], form: Any, forms: Forms) -> Property:
    """Return the property of a field with the annotation `form`; raises :class:`Misfit` when it has no shape."""
    if form is None:
        raise Misfit("has no annotation; give it one")
    if field.converter is not None and not forms.returned:
        raise Misfit("has a converter, which a schema cannot tell; give the field the type that it takes")
    whole = unwrapped(form)
    bare = union_without(whole.form, Unset)
    may_be_absent = bare is not whole.form
    validator = None if forms.returned else field.validator  # which what is returned has passed
    if may_be_absent and (whole.validators or not (validator is None or is_custom(validator))):
        raise Misfit("has a validator that would be asked of UNSET; write Annotated[T, validator] | Unset")
    if is_custom(whole.validators):
        raise Misfit("has a validator in Annotated that is none of attrs'; give it to attrs.field(validator=…)")
    if is_custom(validator):
        forms.goes_beyond("a validator of its own")
    shape = forms.shape_of(bare, [*whole.validators, validator])
    keywords = dict(shape.keywords)
    text = _description(field, whole.text)
    if text is not None:
        keywords["description"] = text
    if forms.returned:
        required = not may_be_absent
    else:
        required = field.default is attrs.NOTHING
        keywords.update(_default(field, shape, may_be_absent=may_be_absent))
    return Property(
        name=field.alias or field.name,
        attribute=field.name,
        keywords=keywords,
        required=required,
        read=shape.read,
        write=shape.write,
    )


def _description(field: attrs.Attribute[Any], text: str | None) -> str | None:
    said = field.metadata.get("description", text)
    if said is not None and type(said) is not str:
        raise Misfit("has metadata with a description that is no string; write one")
    return said


def _default(field: attrs.Attribute[Any], shape: Shape, *, may_be_absent: bool) -> JsonObject:
    """Return the ``default`` keyword, if the default is JSON; refuse a default that the field would refuse."""
    default: Any = field.default
    if may_be_absent:
        if default is not UNSET:
            raise Misfit("may be UNSET and has another default or none; write = UNSET")
        return {}
    if default is attrs.NOTHING:
        return {}
    if isinstance(default, attrs.Factory):  # type: ignore[arg-type]  # a class that is typed as a function
        if default.factory not in _EMPTY and type(default.factory) is not Fresh:
            return {}
        default = default.factory()
    try:
        written: JsonValue = shape.write(default)
    except Misfit as misfit:
        raise Misfit(f"has a default that does not fit: {_below(misfit)}") from None
    return {"default": written}


def _below(misfit: Misfit) -> str:
    return f"{misfit.path} {misfit.problem}" if misfit.path else misfit.problem
