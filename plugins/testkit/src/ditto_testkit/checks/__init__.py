"""The checks, by id. Each is a plain function in a module of its family; importing this registers those of all."""

from importlib import import_module
from pkgutil import iter_modules

from .. import labs
from .model import CHECKS, LEVEL, Check, CheckFailed, Checks, Violation

# The labs first: a check is registered for a kind of plugin, and the kinds stand beside their labs.
for _package in (labs.__name__, __name__):
    for _module in sorted(found.name for found in iter_modules(import_module(_package).__path__)):
        import_module(f"{_package}.{_module}")

__all__ = ["CHECKS", "LEVEL", "Check", "CheckFailed", "Checks", "Violation"]
