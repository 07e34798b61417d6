"""Arguments of a request against the schema of its action, before anything runs.

Schemas may be a stranger's. None is fetched, and the keywords that hold regular expressions are left to the tool: one
made for it can keep Python busy for hours.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from jsonschema.exceptions import SchemaError  # type: ignore[import-untyped]
from jsonschema.protocols import Validator  # type: ignore[import-untyped]
from referencing import Registry
from referencing.exceptions import Unresolvable

from ditto_core import InvalidSchema, JsonObject, JsonValue, quote, safe_message
from ditto_infer import Action

_NAMED: Final = frozenset({"properties", "$defs", "definitions", "dependentSchemas"})
"""Keywords with a schema under each of many names."""
_DATA: Final = frozenset({"const", "enum", "default", "examples"})
"""Keywords whose values are no schemas."""
_PATTERNS: Final = frozenset({"pattern", "patternProperties"})
_REST: Final = frozenset({"additionalProperties", "unevaluatedProperties"})
"""Keywords about the properties that no pattern matches."""
_NO_DOCUMENTS: Final[Registry[Any]] = Registry()


class Schemas:
    """The schemas of the actions of one run; raises :class:`InvalidSchema`, naming the action, for what is none."""

    def __init__(self, actions: Iterable[Action]) -> None:
        self._validators = {action.name: _validator(action) for action in actions}

    def problem(self, name: str, arguments: JsonObject) -> str | None:
        """Say what is wrong with the arguments of a request for that action; None if nothing is."""
        try:
            for error in self._validators[name].iter_errors(arguments):
                where = "".join(f"[{quote(key) if isinstance(key, str) else key}]" for key in error.absolute_path)
                return safe_message(
                    f"The arguments{where} break the schema's rule {quote(str(error.validator))}.",
                    "The arguments break the schema.",
                )
        except (Unresolvable, RecursionError):
            return "The arguments cannot be checked: the schema refers to something that is not in it, or to itself."
        return None


def _validator(action: Action) -> Validator:
    schema = _without_patterns(action.input_schema)
    try:
        Draft202012Validator.check_schema(schema)
    except (SchemaError, RecursionError):
        is_schema = False
    else:
        is_schema = True
    if not is_schema:
        raise InvalidSchema(
            f"Action {quote(action.name)}: its input_schema is no JSON Schema of draft 2020-12. Leave the action out."
        )
    return Draft202012Validator(schema, registry=_NO_DOCUMENTS)


def _without_patterns(schema: JsonValue) -> Any:
    """Return a copy of a schema without regular expressions, and without what depends on them."""
    if type(schema) is list:
        return [_without_patterns(one) for one in schema]
    if type(schema) is not dict:
        return schema
    left_out = _PATTERNS | _REST if "patternProperties" in schema else _PATTERNS
    copied: dict[str, Any] = {}
    for keyword, value in schema.items():
        if keyword in left_out:
            continue
        if keyword in _NAMED and type(value) is dict:
            copied[keyword] = {name: _without_patterns(one) for name, one in value.items()}
        else:
            copied[keyword] = value if keyword in _DATA else _without_patterns(value)
    return copied
