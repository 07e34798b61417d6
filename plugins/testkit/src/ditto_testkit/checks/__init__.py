"""The checks, by id. Each is a plain function in the module of its family; importing this registers them all."""

from . import (
    bounds,
    definitions,
    effects,
    executors,
    mcp_calls,
    mcp_clients,
    mcp_endings,
    outcomes,
    processes,
    sinks,
    tasks,
    validation,
    words,
)
from .model import CHECKS, LEVEL, Check, CheckFailed, Checks, Violation

__all__ = [
    "CHECKS",
    "LEVEL",
    "Check",
    "CheckFailed",
    "Checks",
    "Violation",
    "bounds",
    "definitions",
    "effects",
    "executors",
    "mcp_calls",
    "mcp_clients",
    "mcp_endings",
    "outcomes",
    "processes",
    "sinks",
    "tasks",
    "validation",
    "words",
]
