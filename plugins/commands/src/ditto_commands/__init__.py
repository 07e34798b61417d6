"""Ditto's read-only commands: 14 tools that look at the files of a workspace through the programs everybody knows."""

from .plugin import CommandTools

__all__ = ["CommandTools"]
