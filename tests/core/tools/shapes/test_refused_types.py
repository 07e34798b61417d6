"""What `@tool` cannot make a schema of is refused when the function is decorated, with the path and a remedy."""

from __future__ import annotations

import abc
import dataclasses
import datetime as dt
import decimal
import enum
import pathlib
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Generic, Literal, Self, TypedDict, TypeVar

import attrs
import pytest
from attrs import validators as v

from ditto_core import (
    UNSET,
    InvalidTool,
    JsonValue,
    Unset,
    tool,
)
from tests.support.made import tool_returning, tool_with

T = TypeVar("T")


class Floats(enum.Enum):
    ONE = 1
    HALF = 0.5


class Listed(enum.Enum):
    A = (1,)


class Empty(enum.Enum):
    pass


@dataclasses.dataclass
class Plain:
    x: int


class Typed(TypedDict):
    x: int


@attrs.frozen
class Box(Generic[T]):
    content: T


@attrs.frozen
class Tree:
    children: list[Tree]


@attrs.frozen
class Deep:
    inside: list[dict[str, dt.date]]


@attrs.frozen
class Converted:
    x: int = attrs.field(converter=int)


@attrs.frozen
class Bare:
    x = attrs.field()


@attrs.frozen
class Checked:
    x: int

    def __attrs_post_init__(self) -> None:
        raise AssertionError


@attrs.frozen
class OwnNew:
    x: int

    def __new__(cls, x: int) -> Self:
        raise AssertionError


@attrs.frozen
class Noted:
    x: Annotated[int, print]


@attrs.define(init=False)
class OwnInit:
    x: int

    def __init__(self, x: int) -> None:
        self.x = x


@attrs.frozen
class Abstract(abc.ABC):
    x: int

    @abc.abstractmethod
    def method(self) -> Self: ...


@attrs.frozen
class Custom:
    x: int = attrs.field(validator=lambda *_: None)


@attrs.frozen
class Described:
    x: int = attrs.field(metadata={"description": 5})


FORMS: list[Any] = [
    (dt.datetime, "x has the type 'datetime'"),
    (bytes, "x has the type 'bytes'"),
    (set[int], "x has the type 'set'"),
    (frozenset[int], "x has the type 'frozenset'"),
    (decimal.Decimal, "x has the type 'Decimal'"),
    (pathlib.Path, "x has the type 'Path'"),
    (complex, "x has the type 'complex'"),
    (list, "x has the type 'list'"),
    (dict, "x has the type 'dict'"),
    (tuple[int, str], "x has the type 'tuple'"),
    (dict[int, str], "x has the type 'dict'"),
    (Sequence[int], "x has the type 'Sequence'"),
    (Mapping[str, int], "x has the type 'Mapping'"),
    (Callable[[], int], "x has the type 'Callable'"),
    (Any, "x has the type 'Any'"),
    (object, "x has the type 'object'"),
    (T, "x has the type 'T'"),
    (Plain, "x has the type 'Plain'"),
    (Typed, "x has the type 'Typed'"),
    (Box[int], "x has the type 'Box'"),
    (list[dt.date], "x[*] has the type 'date'"),
    (dict[str, list[bytes]], "x[*][*] has the type 'bytes'"),
    (5, "x has the type an int"),
    (list[int] | dict[str, int], "x is a union of more than scalars"),
    (str | list[str], "x is a union of more than scalars"),
    (Literal["a"] | str, "x is a union in which one value fits two types"),  # noqa: PYI051
    (Literal[1] | float, "x is a union in which one value fits two types"),
    (JsonValue | None, "x is a union in which one value fits two types"),
    (Annotated[int, v.ge(1)] | float, "x is a union in which one value fits two types"),
    (Floats, "x mixes integers and other numbers"),
    (Listed, "x has a value that is no JSON scalar"),
    (Literal[b"a"], "x has a value that is no JSON scalar"),
    (Empty, "x has no values to choose from"),
    (list[int | Unset], "x[*] is UNSET in another place"),
    (Unset, "x is UNSET in another place"),
    (Annotated[int, "one", "two"], "x has two descriptions"),
    (Annotated[int, 5], "x has something in Annotated"),
    (list[Annotated[int, print]], "x[*] has a validator in Annotated that is none of attrs'"),
]

VALIDATORS: list[Any] = [
    (str, v.ge(1), "x has a bound (ge, gt, le, lt), which is for numbers"),
    (int | None, v.ge(1), "x has a bound (ge, gt, le, lt), which is for numbers; beside None put it into optional(…)"),
    (bool, v.ge(0), "x has a bound (ge, gt, le, lt), which is for numbers"),
    (int, v.ge(decimal.Decimal("1.25")), "x has a bound that is no finite int or float"),
    (int, v.ge(float("nan")), "x has a bound that is no finite int or float"),
    (int, v.min_len(1), "x has a length (min_len, max_len), which is for str, list, tuple and dict"),
    (str | None, v.max_len(1), "x has a length (min_len, max_len), which is for"),
    (str, v.min_len(-1), "x has a length (min_len, max_len) that is no int from 0 up"),
    (str, v.max_len(1.5), "x has a length (min_len, max_len) that is no int from 0 up"),
    (int, v.matches_re("a"), "x has matches_re, which is for str"),
    (list[int], v.in_([[1]]), "x has in_, which is for scalars"),
    (str, v.in_("abc"), "x has options (in_) that are no list"),
    (int, v.in_(range(10**9)), "x has options (in_) that are no list"),
    (str, v.in_([1]), "x has an option (in_) of another type"),
    (float, v.in_([float("inf")]), "x has an option (in_) of another type"),
    (str | None, v.in_([["a"]]), "x has an option (in_) of another type"),
    (str, v.in_([]), "x has no options left (in_)"),
    (Literal["a"], v.in_(["b"]), "x has no options left (in_)"),
    (float, v.instance_of(float), "x has instance_of with another type than its own (float, int)"),
    (str | None, v.instance_of(str), "x has instance_of with another type than its own (NoneType, str)"),
    (int, v.instance_of(list[int]), "x has instance_of with another type than its own (int)"),
    (str, v.deep_iterable(v.min_len(1)), "x has deep_iterable, which is for list[T] and tuple[T, ...]"),
    (dict[str, int], v.deep_iterable(v.ge(1)), "x has deep_iterable, which is for list[T] and tuple[T, ...]"),
    (list[int], v.deep_mapping(v.ge(1), v.ge(1)), "x has deep_mapping, which is for dict[str, T]"),
    (list[int], v.deep_iterable(v.min_len(1)), "x[*] has a length (min_len, max_len), which is for"),
    (
        dict[str, int],
        v.deep_mapping(v.ge(1), v.ge(1)),
        "x[*] has a bound (ge, gt, le, lt), which is for numbers".replace("[*]", "[key]"),
    ),
    (dict[str, str], v.deep_mapping(v.min_len(1), v.ge(1)), "x[*] has a bound (ge, gt, le, lt), which is for numbers"),
    (int, v.not_(v.in_([1])), "x has attrs' validator '_NotValidator'"),
    (int, v.or_(v.ge(1), v.le(0)), "x has attrs' validator '_OrValidator'"),
    (int, v.is_callable(), "x has attrs' validator '_IsCallableValidator'"),
    (int | Unset, v.ge(1), "x has a validator that would be asked of UNSET"),
    (int, print, "x has a validator of its own, which may refuse what the schema allows"),
]

# In fields, since typing makes Annotated[int, ge(True)] the same as Annotated[int, ge(1)] once that has been used.
BoolBound = attrs.make_class("BoolBound", {"x": attrs.field(type=int, validator=v.ge(True))})
IntOption = attrs.make_class("IntOption", {"x": attrs.field(type=bool, validator=v.in_([1]))})

CLASSES: list[Any] = [
    (IntOption, "IntOption.x has an option (in_) of another type"),
    (BoolBound, "BoolBound.x has a bound that is no finite int or float"),
    (Tree, "Tree.children[*] is recursive: Tree is inside itself"),
    (Deep, "Deep.inside[*][*] has the type 'date'"),
    (Converted, "Converted.x has a converter"),
    (Bare, "Bare.x has no annotation"),
    (Checked, "Checked has __attrs_post_init__, which may refuse what the schema allows"),
    (OwnNew, "OwnNew has __new__, which may refuse what the schema allows"),
    (Noted, "Noted.x has a validator in Annotated that is none of attrs'"),
    (OwnInit, "OwnInit has an __init__ of its own"),
    (Abstract, "Abstract is an abstract class"),
    (Custom, "Custom.x has a validator of its own"),
    (Described, "Described.x has metadata with a description that is no string"),
]


@pytest.mark.promise("TOOL-08")
@pytest.mark.parametrize(("form", "words"), FORMS)
def test_a_type_without_a_schema_is_refused(form: Any, words: str) -> None:
    with pytest.raises(InvalidTool) as caught:
        tool_with(form)
    assert str(caught.value).startswith(f"Tool 'made': {words}")


@pytest.mark.promise("TOOL-08")
@pytest.mark.parametrize(("form", "validator", "words"), VALIDATORS)
def test_a_validator_without_a_keyword_is_refused(form: Any, validator: Any, words: str) -> None:
    with pytest.raises(InvalidTool) as caught:
        tool_with(Annotated[form, validator], UNSET if form == int | Unset else 1)
    assert str(caught.value).startswith(f"Tool 'made': {words}")


@pytest.mark.promise("TOOL-08")
@pytest.mark.parametrize(("kind", "words"), CLASSES)
def test_a_class_that_may_refuse_more_than_its_schema_is_refused(kind: type[Any], words: str) -> None:
    async def made(arguments: Any) -> None: ...

    made.__annotations__ = {"arguments": kind, "return": None}
    with pytest.raises(InvalidTool) as caught:
        tool(made)
    assert str(caught.value).startswith(f"Tool 'made': {words}")


@pytest.mark.parametrize(
    ("form", "default", "words"),
    [
        (int, None, "x has a default that does not fit: must be an integer, not null"),
        (int, UNSET, "x has a default that does not fit: must be an integer, not an Unset"),
        (Annotated[int, v.ge(1)], 0, "x has a default that does not fit: must be at least 1"),
        (list[int], ["secret"], "x has a default that does not fit: [0] must be an integer, not a string"),
        (int | Unset, 5, "x may be UNSET and has another default or none"),
    ],
)
def test_a_default_that_its_own_schema_refuses_is_refused(form: Any, default: Any, words: str) -> None:
    with pytest.raises(InvalidTool) as caught:
        tool_with(form, default)
    assert str(caught.value).startswith(f"Tool 'made': {words}")


def test_unset_without_a_default_is_refused() -> None:
    with pytest.raises(InvalidTool, match=r"x may be UNSET and has another default or none; write = UNSET\."):
        tool_with(int | Unset)


@pytest.mark.parametrize("form", [dt.date, set[int], Any, Tree])
def test_a_return_type_without_a_schema_is_refused(form: Any) -> None:
    with pytest.raises(InvalidTool, match=r"^Tool 'made': return"):
        tool_returning(form, None)
