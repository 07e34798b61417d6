"""Stand-ins for whoever tests a plugin: executors, sinks, a clock, and workspaces full of traps."""

from .clock import FakeClock
from .executors import Answer, RecordingExecutor, ScriptedExecutor, printed
from .sinks import RecordingSink, Reply, ScriptedSink, receipt
from .workspaces import INSIDE, SECRET, awkward_workspace, differences, snapshot

__all__ = [
    "INSIDE",
    "SECRET",
    "Answer",
    "FakeClock",
    "RecordingExecutor",
    "RecordingSink",
    "Reply",
    "ScriptedExecutor",
    "ScriptedSink",
    "awkward_workspace",
    "differences",
    "printed",
    "receipt",
    "snapshot",
]
