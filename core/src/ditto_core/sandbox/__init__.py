"""Permissions, the workspace's files, and the port for commands."""

from __future__ import annotations

from .commands import Command, CommandExecutor, CommandResult
from .sandbox import Sandbox

__all__ = ["Command", "CommandExecutor", "CommandResult", "Sandbox"]
