"""The checks, by id. Each is a plain function in the module of its family; importing this registers them all."""

from . import (
    backends,
    bounds,
    definitions,
    effects,
    executors,
    outcomes,
    processes,
    providers,
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
    "backends",
    "bounds",
    "definitions",
    "effects",
    "executors",
    "outcomes",
    "processes",
    "providers",
    "sinks",
    "tasks",
    "validation",
    "words",
]
