"""Asking models: the node, the classes that go in and come out, and the worker that offers it for any provider."""

from .asking import (
    Action,
    Generation,
    McpTarget,
    ModelChoice,
    SampleInput,
    Target,
    ToolTarget,
)
from .messages import ModelContent, ModelMessage, Role, assistant_message, tool_message
from .node import SAMPLE
from .provider import FailureStatus, ModelProvider, SampleFailed
from .sample import FinishReason, Sample, SampleResult, SampleStatus, Usage
from .worker import infer_worker

__all__ = [
    "SAMPLE",
    "Action",
    "FailureStatus",
    "FinishReason",
    "Generation",
    "McpTarget",
    "ModelChoice",
    "ModelContent",
    "ModelMessage",
    "ModelProvider",
    "Role",
    "Sample",
    "SampleFailed",
    "SampleInput",
    "SampleResult",
    "SampleStatus",
    "Target",
    "ToolTarget",
    "Usage",
    "assistant_message",
    "infer_worker",
    "tool_message",
]
