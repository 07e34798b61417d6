"""The five tools of a task, as a plugin: three that call the service, one that commits, one that publishes."""

from .plugin import ARTIFACT, ResultTools
from .tasks import Event, Task, TaskStore

__all__ = ["ARTIFACT", "Event", "ResultTools", "Task", "TaskStore"]
