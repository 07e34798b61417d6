"""Imports every module of the core and says their names."""

import importlib
import pkgutil

import ditto_core

for module in pkgutil.walk_packages(ditto_core.__path__, "ditto_core."):
    importlib.import_module(module.name)
    print(module.name)
