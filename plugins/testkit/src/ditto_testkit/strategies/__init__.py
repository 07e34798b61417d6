"""Hypothesis strategies for whoever tests a plugin: arguments out of schemas, values, contract objects, outputs."""

from .arguments import NoStrategy, arguments, invalid_arguments
from .contracts import (
    artifacts,
    calls,
    contents,
    errors,
    messages,
    observations,
    outcomes,
    receipts,
    references,
    requests,
    results,
)
from .outputs import command_results, output_bytes, output_texts
from .texts import NASTY, nasty_texts, texts
from .values import hostile_values, json_objects, json_values

__all__ = [
    "NASTY",
    "NoStrategy",
    "arguments",
    "artifacts",
    "calls",
    "command_results",
    "contents",
    "errors",
    "hostile_values",
    "invalid_arguments",
    "json_objects",
    "json_values",
    "messages",
    "nasty_texts",
    "observations",
    "outcomes",
    "output_bytes",
    "output_texts",
    "receipts",
    "references",
    "requests",
    "results",
    "texts",
]
