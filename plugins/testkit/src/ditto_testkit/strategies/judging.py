"""Whether a value fits a JSON Schema: draft 2020-12, asked twice, because of numbers such as ``1.0``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from jsonschema.exceptions import SchemaError  # type: ignore[import-untyped]
from jsonschema.validators import extend  # type: ignore[import-untyped]
from referencing import Registry

from ditto_core import JsonObject

from .references import dangling

_exact: Any = extend(
    Draft202012Validator,
    type_checker=Draft202012Validator.TYPE_CHECKER.redefine("integer", lambda _, value: type(value) is int),
)


@attrs.frozen
class Judge:
    """Says of values that they certainly fit a schema, or certainly do not.

    A JSON Schema takes ``1.0`` for an integer and a tool need not, so nothing that hangs on it is certain.
    """

    fits: Callable[[object], bool]
    misses: Callable[[object], bool]


def judge(schema: Any) -> Judge:
    """Return the judge of a schema that :func:`schema_problem` has nothing against."""
    exact, lenient = (one(schema, registry=Registry()) for one in (_exact, Draft202012Validator))
    return Judge(
        fits=lambda value: bool(exact.is_valid(value)) and bool(lenient.is_valid(value)),
        misses=lambda value: not exact.is_valid(value) and not lenient.is_valid(value),
    )


def schema_problem(schema: JsonObject) -> str | None:
    """Return what makes `schema` no JSON Schema of draft 2020-12, or none that can be judged here, or None."""
    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        return f"{error.json_path}: {error.message}"
    return dangling(schema)
