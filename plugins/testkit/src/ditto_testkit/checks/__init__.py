"""The checks, by id. Each is a plain function in a module of its family; importing this registers those of all."""

from importlib import import_module
from pkgutil import iter_modules

from .model import CHECKS, LEVEL, Check, CheckFailed, Checks, Violation

for _module in sorted(found.name for found in iter_modules(__path__)):
    import_module(f".{_module}", __name__)

__all__ = ["CHECKS", "LEVEL", "Check", "CheckFailed", "Checks", "Violation"]
