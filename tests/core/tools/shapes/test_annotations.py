"""Annotations as text and of local classes are looked up; what is not known at run time is said so."""

from __future__ import annotations

import functools
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Annotated, Any, ParamSpec, TypeVar

import attrs
import pytest

from ditto_core import (
    InvalidTool,
    ToolContext,
    tool,
)

if TYPE_CHECKING:
    from decimal import Decimal

P = ParamSpec("P")
R = TypeVar("R")


@attrs.frozen
class Item:
    name: str


def test_a_local_class_is_found_and_so_is_one_in_its_fields() -> None:
    @attrs.frozen
    class Inner:
        x: int

    @attrs.frozen
    class Outer:
        inner: Inner

    @tool
    async def made(outer: Outer, item: Item, context: ToolContext) -> Inner:
        return outer.inner

    assert list(made.input_schema["properties"]) == ["outer", "item"]
    assert made.validate({"outer": {"inner": {"x": 1}}, "item": {"name": "a"}}).outer == Outer(inner=Inner(x=1))


def test_a_local_class_of_an_outer_function_is_found() -> None:
    @attrs.frozen
    class Local:
        x: int

    def make() -> Any:
        @tool(name="inner")
        def made(one: Local, two: Local) -> None: ...

        return made

    assert list(make().input_schema["properties"]) == ["one", "two"]


def test_a_local_class_is_preferred_to_one_of_the_module() -> None:
    @attrs.frozen
    class Item:
        number: int

    @tool
    def made(item: Annotated[Item, "an item"]) -> None: ...

    assert list(made.input_schema["properties"]["item"]["properties"]) == ["number"]


def test_the_innermost_of_two_local_classes_is_found() -> None:
    @attrs.frozen
    class Local:
        outer: int

    def make() -> Any:
        @attrs.frozen
        class Local:
            inner: int

        @tool
        async def made(local: Local) -> None: ...

        return made

    assert list(make().input_schema["properties"]) == ["inner"]
    assert attrs.fields_dict(Local).keys() == {"outer"}


def test_local_names_never_hide_those_of_another_module() -> None:
    attrs = Item = None  # noqa: F841, N806  # names that the function's own module has too

    assert list(tool(_of_the_module).input_schema["properties"]) == ["item"]


def _of_the_module(item: Annotated[Item, "an item"]) -> None: ...


def test_a_local_name_of_a_function_that_has_ended_is_unknown() -> None:
    def ended() -> Any:
        @attrs.frozen
        class Gone:
            x: int

        def made(one: Gone) -> None: ...

        return made

    with pytest.raises(InvalidTool, match="has an annotation with the name 'Gone', which is not known when"):
        tool(ended())


def test_a_name_that_only_type_checkers_import_is_unknown() -> None:
    def made(one: Decimal) -> None: ...

    with pytest.raises(InvalidTool) as caught:
        tool(made)
    assert str(caught.value) == (
        "Tool 'made' has an annotation with the name 'Decimal', which is not known when it is decorated; "
        "define it before, and import it outside of `if TYPE_CHECKING:`."
    )
    assert isinstance(caught.value.__cause__, NameError)


def test_an_unknown_name_in_a_class_is_named_with_the_class() -> None:
    @attrs.frozen
    class Holder:
        one: Decimal

    async def made(arguments: Holder) -> None: ...

    with pytest.raises(InvalidTool, match=r"^Tool 'made': Holder has an annotation with the name 'Decimal'"):
        tool(made)


@pytest.mark.parametrize("text", ["int[", "1 + 'a'", "Item.missing"])
def test_an_annotation_that_cannot_be_read_is_refused(text: str) -> None:
    def made(one: int) -> None: ...

    made.__annotations__["one"] = text
    with pytest.raises(InvalidTool, match="has an annotation that cannot be read"):
        tool(made)


def test_a_wrapped_function_is_read_as_what_it_wraps() -> None:
    def logged(function: Callable[P, Awaitable[R]]) -> Callable[P, Awaitable[R]]:
        @functools.wraps(function)
        async def call(*args: P.args, **kwargs: P.kwargs) -> R:
            return await function(*args, **kwargs)

        return call

    @tool
    @logged
    async def made(item: Item, count: int = 2) -> int:
        return count

    assert list(made.input_schema["properties"]) == ["item", "count"]
    assert made.is_async


def test_annotations_of_a_base_class_are_read_in_its_own_module() -> None:
    @attrs.frozen
    class More(Item):
        more: int = 0

    @tool
    async def made(arguments: More) -> None: ...

    assert list(made.input_schema["properties"]) == ["name", "more"]
