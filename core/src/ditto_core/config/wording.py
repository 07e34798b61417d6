"""How messages about configuration are worded. None of them repeats a value, which may be a secret."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from ..contracts.json_values import JsonObject
from ..contracts.safety import safe_message
from ..errors import InvalidValue
from ..plugins.wording import listed, repeats
from ..text import guess

_KINDS = {"integer": "an integer", "number": "a number"}


def range_of(keywords: JsonObject) -> str | None:
    """Return ``an integer from 1 to 10`` for the schema of a number with bounds, else None."""
    kind = _KINDS.get(str(keywords.get("type")))
    if kind is None or "allOf" in keywords:
        return None
    least, most = keywords.get("minimum"), keywords.get("maximum")
    if least is None:
        return None if most is None else f"{kind} up to {most}"
    return f"{kind} of at least {least}" if most is None else f"{kind} from {least} to {most}"


def unknown(key: str, keys: Collection[str]) -> str:
    """Return what is said of a key that is not known, with the nearest one that is."""
    return f"is not known.{guess(key, keys)} Known here: {listed(keys)}"


def told(error: BaseException, values: Iterable[Any]) -> str | None:
    """Return the text of a class's own check, or None when it must not be shown.

    It is shown when it is one line that is safe in any error message and repeats none of the texts in `values`.
    """
    text = error.problem if isinstance(error, InvalidValue) else error.args[0] if len(error.args) == 1 else None
    if type(text) is not str or not text or any(repeats(text, value) for value in values):
        return None
    return text if safe_message(text, "unsafe") == text else None
