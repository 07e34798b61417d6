"""JSON as a person types it: strictly, since what is sent should be what was meant."""

from __future__ import annotations

import json
from typing import Any, Final, NoReturn

MAX_CHARACTERS: Final = 1_048_576
"""How long the JSON of a command line, or of standard input, may be."""


class NotJson(ValueError):
    """A text is no JSON; the message says why, and quotes nothing of it but a key."""


def parsed(text: str) -> Any:
    """Return the value of a JSON text; raises :class:`NotJson`, also for a key twice and for NaN."""
    if len(text) > MAX_CHARACTERS:
        raise NotJson(f"is longer than {MAX_CHARACTERS:,} characters; shorten it")
    try:
        return json.loads(text, object_pairs_hook=_object, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        problem = f"{error.msg[:1].lower()}{error.msg[1:]} at line {error.lineno}, column {error.colno}"
    except RecursionError:
        problem = "is nested too deep; flatten it"
    except NotJson:
        raise
    except ValueError:  # a number of more digits than Python reads
        problem = "holds a number that is too long"
    raise NotJson(problem)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise NotJson(f"has the key {twice[:100]!r} twice in one object; keep one")
    return found


def _no_number(name: str) -> NoReturn:
    raise NotJson(f"holds {name}, which is no JSON; give a finite number")
