"""Distributions that some commands need and that not every user wants."""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import Self


class MissingDistribution(Exception):
    """A command needs a distribution that is not installed; the message names it and how to install it."""

    @classmethod
    def named(cls, distribution: str, purpose: str) -> Self:
        """Return the error of one distribution; `purpose` says what for, as in ``"to run programs"``."""
        return cls(f"{distribution} is needed {purpose}, and is not installed. Install it: pip install {distribution}")


def needed(module: str, purpose: str) -> ModuleType:
    """Import a module that a distribution of the same name brings; raises :class:`MissingDistribution`."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name != module:  # it is there, and something that it needs is not
            raise
    raise MissingDistribution.named(module.replace("_", "-"), purpose)
