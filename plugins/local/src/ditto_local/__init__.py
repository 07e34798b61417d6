"""Ditto's local executor: commands of a sandbox as processes of this machine."""

from .executor import LocalExecutor

__all__ = ["LocalExecutor"]
