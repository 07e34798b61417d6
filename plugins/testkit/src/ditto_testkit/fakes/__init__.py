"""Stand-ins for whoever tests a plugin: executors, sinks, a clock, an HTTP server, and workspaces full of traps."""

from .clock import FakeClock
from .executors import Answer, RecordingExecutor, ScriptedExecutor, printed
from .http import DeafServer, Drip, Flood, HttpReply, HttpRequest, ScriptedHttpServer, Step
from .http_replies import hostile_replies, http_reply
from .sinks import RecordingSink, Reply, ScriptedSink, receipt
from .workspaces import INSIDE, SECRET, awkward_workspace, differences, snapshot

__all__ = [
    "INSIDE",
    "SECRET",
    "Answer",
    "DeafServer",
    "Drip",
    "FakeClock",
    "Flood",
    "HttpReply",
    "HttpRequest",
    "RecordingExecutor",
    "RecordingSink",
    "Reply",
    "ScriptedExecutor",
    "ScriptedHttpServer",
    "ScriptedSink",
    "Step",
    "awkward_workspace",
    "differences",
    "hostile_replies",
    "http_reply",
    "printed",
    "receipt",
    "snapshot",
]
