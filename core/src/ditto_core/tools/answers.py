"""From what a function returned to the outcome of its tool, by the annotation of what it returns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs

from ..contracts.checked import of_checked
from ..contracts.json_values import JsonObject
from ..contracts.results import ToolOutcome
from ..contracts.unset import UNSET, Unset
from ..errors import InvalidValue
from .shapes.annotations import union_without
from .shapes.forms import Forms
from .shapes.shape import Misfit, Shape, not_this


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Answer:
    """``schema`` is that of the structured content; ``outcome`` makes the outcome of what was returned.

    ``outcome`` raises :class:`InvalidValue`, with the path of the value, for what does not fit the annotation.
    """

    schema: JsonObject | Unset
    outcome: Callable[[Any], ToolOutcome]


def answer_of(form: Any) -> Answer:
    """Return what a tool answers whose function is annotated to return `form`; raises :class:`Misfit`.

    A string becomes content, a :class:`ToolOutcome` is itself, all else becomes structured content. There is a
    schema for structured content unless a string may be returned.
    """
    if form is ToolOutcome:
        return Answer(schema=UNSET, outcome=_itself)
    others = union_without(form, ToolOutcome)
    shape = Forms(returned=True).shape_of(others)
    return Answer(
        schema=UNSET if str in shape.takes else shape.keywords,
        outcome=_outcome(shape) if others is form else _outcome_or(shape),
    )


def _itself(value: Any) -> ToolOutcome:
    if type(value) is not ToolOutcome:
        raise InvalidValue("return", not_this("a ToolOutcome", value).problem)
    return value


def _outcome_or(shape: Shape) -> Callable[[Any], ToolOutcome]:
    outcome = _outcome(shape)
    return lambda value: value if type(value) is ToolOutcome else outcome(value)


def _outcome(shape: Shape) -> Callable[[Any], ToolOutcome]:
    write = shape.write

    def outcome(value: Any) -> ToolOutcome:
        try:
            written = write(value)
        except Misfit as misfit:
            misfit.at("return")
            raise InvalidValue(misfit.path, misfit.problem) from None
        # A success with content of either kind keeps the rules of an outcome by construction.
        is_text = type(written) is str
        return of_checked(
            ToolOutcome,
            {
                "status": "success",
                "content": written if is_text else UNSET,
                "structured_content": UNSET if is_text else written,
                "references": UNSET,
                "error": UNSET,
                "metadata": UNSET,
            },
        )

    return outcome
