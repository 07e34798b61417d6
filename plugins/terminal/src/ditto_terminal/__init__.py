"""The command ``ditto``. Only what a command needs is imported, and no plugin that was not named."""

from .app import main

__all__ = ["main"]
