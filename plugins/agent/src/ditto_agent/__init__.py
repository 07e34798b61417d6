"""The agent loop: a model asks, tools act, observations go back under their ids, and every ending is data."""

from .limits import AgentLimits
from .loop import run_agent
from .offering import mcp_actions, tool_actions
from .result import AgentResult, AgentStatus, StopReason
from .runner import GraphRunner
from .transcript import Transcript

__all__ = [
    "AgentLimits",
    "AgentResult",
    "AgentStatus",
    "GraphRunner",
    "StopReason",
    "Transcript",
    "mcp_actions",
    "run_agent",
    "tool_actions",
]
