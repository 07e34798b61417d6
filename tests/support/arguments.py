"""Argument classes of every kind that `@tool` takes, and an oracle that knows only schemas."""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import attrs
import jsonschema
from attrs import validators as v
from hypothesis import strategies as st
from jsonschema.validators import extend

from ditto_core import UNSET, JsonObject, JsonValue, Unset

Draw = Callable[[st.SearchStrategy[Any]], Any]
Node = tuple[Any, list[Any]]
"""A form of type and the validators for it, which may stand in `Annotated` or in the field."""

_STRICT = extend(
    jsonschema.Draft202012Validator,
    type_checker=jsonschema.Draft202012Validator.TYPE_CHECKER.redefine("integer", lambda _, one: type(one) is int),
)


def oracle(schema: Any) -> Callable[[object], bool]:
    """Return what a JSON Schema validator for which 1.0 is no integer says of values."""
    jsonschema.Draft202012Validator.check_schema(schema)
    return _STRICT(schema).is_valid


PATTERNS = ("[a-c]+", "a|ab|é", "^[^\\n]{0,2}$", "(?=a)[a-z]*b?", "x{2,3}|", "(?:ab?)+")
TEXTS = ("", "a", "b", "ab", "abc", "a\n", "é", "😀", "xx", "xxx", "Ab", "5")
NUMBERS = (-1, 0, 1, 2, 3, 5, 10**30, 0.0, 0.5, 1.0, 2.0, 2.5, -1.5, 1e308)
HOSTILE: tuple[Any, ...] = (*TEXTS, *NUMBERS, True, False, None, [], {}, [0], ["a"], {"a": 1}, {"b": [None]}, 10**400)

_bounds = st.tuples(st.sampled_from([v.ge, v.gt, v.le, v.lt]), st.sampled_from([-1, 0, 1, 2, 0.5, 2.5, 10**20]))
_lengths = st.tuples(st.sampled_from([v.min_len, v.max_len]), st.integers(0, 3))
_scalars = st.sampled_from([*TEXTS, 0, 1, 2, -1, True, False, None])


def _applied(
    pairs: st.SearchStrategy[tuple[Callable[[Any], Any], Any]], most: int = 2
) -> st.SearchStrategy[list[Any]]:
    return st.lists(pairs.map(lambda pair: pair[0](pair[1])), max_size=most)


def _with_options(options: tuple[Any, ...]) -> st.SearchStrategy[list[Any]]:
    some = st.lists(st.sampled_from(options), min_size=1, max_size=4)
    return st.one_of(
        st.just([]), st.tuples(st.sampled_from([list, tuple, set, frozenset]), some).map(lambda x: [v.in_(x[0](x[1]))])
    )


@st.composite
def _text(draw: Draw) -> Node:
    rules = draw(_applied(_lengths))
    rules += [v.matches_re(one) for one in draw(st.lists(st.sampled_from(PATTERNS), max_size=1))]
    return str, draw(
        st.permutations(rules + draw(_with_options(TEXTS)) + draw(st.sampled_from([[], [v.instance_of(str)]])))
    )


@st.composite
def _integer(draw: Draw) -> Node:
    return int, draw(_applied(_bounds)) + draw(_with_options((0, 1, 2, 3)))


@st.composite
def _number(draw: Draw) -> Node:
    return draw(st.sampled_from([float, Union[int, float]])), draw(_applied(_bounds)) + draw(_with_options(NUMBERS))


@st.composite
def _choice(draw: Draw) -> Node:
    values = draw(st.lists(_scalars, min_size=1, max_size=4, unique_by=lambda one: (type(one), one)))
    if draw(st.booleans()):
        return Literal[tuple(values)], []
    made = enum.Enum("Choice", [(f"m{index}", value) for index, value in enumerate(values)])
    return made, draw(_with_options(tuple(made)))


@st.composite
def _enum_of_numbers(draw: Draw) -> Node:
    values = draw(st.lists(st.sampled_from([0.0, 0.5, 1.0, 2.0]), min_size=1, max_size=3, unique=True))
    return enum.Enum("Level", [(f"m{index}", value) for index, value in enumerate(values)]), []


_leaves = st.one_of(
    _text(),
    _integer(),
    _number(),
    _choice(),
    _enum_of_numbers(),
    st.sampled_from(
        [
            (bool, []),
            (bool, [v.in_([True])]),
            (type(None), []),
            (JsonValue, []),
            (JsonObject, []),
            (JsonObject, [v.min_len(1)]),
        ]
    ),
    st.lists(st.sampled_from([str, int, bool, type(None)]), min_size=2, max_size=4, unique=True).map(
        lambda x: (Union[tuple(x)], [])
    ),
    st.sampled_from(
        [(Union[str, float, None], []), (Union[Literal["auto"], int], []), (Union[bool, int], [v.in_([1, True])])]
    ),
)


def _wrapped(node: Node) -> Any:
    form, rules = node
    return Annotated[(form, *rules)] if rules else form


@st.composite
def _optional(draw: Draw, inner: st.SearchStrategy[Node]) -> Node:
    form, rules = draw(inner.filter(lambda node: _may_join_null(node[0])))
    if draw(st.booleans()):
        return Union[_wrapped((form, rules)), None], []
    return Union[form, None], [v.optional(v.and_(*rules))] if rules else []


def _may_join_null(form: Any) -> bool:
    taken = getattr(form, "__args__", ()) if form != JsonObject else ()
    if isinstance(form, enum.EnumType):
        taken = tuple(one.value for one in form)
    return form is not type(None) and form != JsonValue and None not in taken and type(None) not in taken


@st.composite
def _array(draw: Draw, inner: st.SearchStrategy[Node]) -> Node:
    form, rules = draw(inner)
    outside = draw(_applied(_lengths))
    deep = draw(st.booleans())
    item = form if deep else _wrapped((form, rules))
    if deep and rules:
        outside.append(v.deep_iterable(v.and_(*rules), draw(st.sampled_from([None, v.max_len(2)]))))
    return draw(st.sampled_from([list[item], tuple[item, ...]])), draw(st.permutations(outside))


@st.composite
def _mapping(draw: Draw, inner: st.SearchStrategy[Node]) -> Node:
    form, rules = draw(inner)
    outside = draw(_applied(_lengths))
    key: Any = str
    if draw(st.booleans()):
        outside.append(v.deep_mapping(v.min_len(1), v.and_(*rules)))
    else:
        form = _wrapped((form, rules))
        key = draw(st.sampled_from([str, Annotated[str, v.matches_re("[a-z]*")]]))
    return dict[key, form], draw(st.permutations(outside))


@st.composite
def classes(draw: Draw, inner: st.SearchStrategy[Node]) -> type[Any]:
    """Give attrs classes with up to three fields."""
    fields = {}
    for name in draw(st.lists(st.sampled_from(["a", "b", "c", "_private"]), max_size=3, unique=True)):
        form, rules = draw(inner)
        options: dict[str, Any] = {}
        if draw(st.booleans()):
            options["alias"] = {"a": "maxEntries", "b": "B"}.get(name, name)
        if draw(st.integers(0, 3)) == 0:
            form, rules, options["default"] = Union[_wrapped((form, rules)), Unset], [], UNSET
        elif draw(st.booleans()):
            form, rules = _wrapped((form, rules)), []
        if rules:
            options["validator"] = rules
        elif (
            get_origin(form) is Union
            and type(None) in get_args(form)
            and "default" not in options
            and draw(st.booleans())
        ):
            options["default"] = None
        fields[name] = attrs.field(type=form, **options)
    return attrs.make_class("Made", fields, kw_only=True, frozen=draw(st.booleans()), order=False)


_nodes: st.SearchStrategy[Node] = st.recursive(
    _leaves,
    lambda inner: st.one_of(
        _optional(inner), _array(inner), _mapping(inner), classes(inner).map(lambda kind: (kind, []))
    ),
    max_leaves=4,
)
argument_classes = classes(_nodes)
"""attrs classes with fields of every kind, nested."""
