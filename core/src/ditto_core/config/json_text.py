"""JSON as a configuration file; numbers mean what they mean in YAML."""

from __future__ import annotations

from ..contracts.json_text import NotJson, decoded
from ..contracts.json_values import JsonValue
from .scalars import Unusable, integer, real
from .source import MAX_DEPTH, Source


def read_json(text: str, name: str) -> tuple[JsonValue, Source]:
    """Return what the text holds; raises :class:`ConfigError`."""
    source = Source(name)
    if not text.strip():
        raise source.at(None, "is empty; write {} to set nothing")
    try:
        value: JsonValue = decoded(text, max_depth=MAX_DEPTH, parse_int=integer, parse_float=real)
    except NotJson as error:
        refusal = source.at(error.line, error.problem)
    except Unusable as error:
        refusal = source.at(None, str(error))
    else:
        return value, source
    raise refusal  # out here, so that the error has no context: its text shows what the file holds
