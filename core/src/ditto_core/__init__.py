"""Ditto: external actions for agents, made safe to compose.

An application registers plugins by hand, calls tools through one worker, turns every result into an observation
that keeps its identity and its failure, and delivers answers through sinks that give receipts.
"""

from .config.config import Config
from .config.durations import duration
from .config.load import load_config
from .config.schema import config_schema
from .contracts.content import JsonPart, Message, MessageContent, Part, Reference, ReferencePart, TextPart
from .contracts.decoded import replace_surrogates
from .contracts.delivery import Artifact, OutputReceipt, OutputRequest, ReceiptStatus
from .contracts.inputs import ObserveInput, ToolInput
from .contracts.interaction_error import InteractionError
from .contracts.json_text import parse_json
from .contracts.json_values import JsonObject, JsonValue
from .contracts.mcp import (
    McpCapability,
    McpDiscover,
    McpDiscovered,
    McpInput,
    McpInvoke,
    McpInvoked,
    McpOutput,
)
from .contracts.mcp_answers import McpPage, McpTool, McpToolError, McpToolResult
from .contracts.results import ExternalResult, Observation, Status, ToolCall, ToolOutcome
from .contracts.safety import safe_message
from .contracts.unset import UNSET, Unset
from .contracts.wire import from_wire, to_wire
from .errors import (
    CallTimeout,
    CloseInsideCall,
    CommandTimeout,
    CommandUnavailable,
    ConfigError,
    ContextClosed,
    DiscoveryError,
    DittoError,
    DuplicateName,
    FileMissing,
    FileReason,
    FileRefused,
    GraphError,
    InvalidArguments,
    InvalidClient,
    InvalidInput,
    InvalidName,
    InvalidPlugin,
    InvalidReceipt,
    InvalidResult,
    InvalidSchema,
    InvalidTool,
    InvalidValue,
    LoopExhausted,
    NodeUnavailable,
    NotOffered,
    PermissionDenied,
    PluginAmbiguous,
    PluginApiMismatch,
    PluginError,
    PluginLoadFailed,
    PluginNotFound,
    RefusedCall,
    RegistrationError,
    RuntimeClosed,
    UnknownServer,
    UnknownTool,
    WorkerBusy,
    WrongEventLoop,
)
from .events import CallFinished, CallStarted, EventEmitted, Outcome
from .graph.graph import Graph
from .graph.loop import Loop
from .graph.outputs import Outputs
from .graph.step import Step
from .log import Log
from .mcp.registry import McpRegistry
from .mcp.tools import mcp_tools
from .observe import observe
from .plugins.hookspecs import hookimpl
from .plugins.host import PluginHost
from .plugins.installed import InstalledPlugin, installed_plugins
from .plugins.loading import load_plugin
from .plugins.origin import Origin
from .ports import McpClient, OutputSink, SearchFailed, SearchHit, WebSearchProvider
from .runtime.registration import Registration
from .runtime.runtime import Runtime
from .sandbox import Command, CommandExecutor, CommandResult, Sandbox
from .text import describe, escape, guess, quote
from .threads import in_thread
from .tools.context import ToolContext
from .tools.decorator import tool
from .tools.registry import ToolRegistry
from .tools.scope import Execution, Services, WorkerAddress
from .tools.tool import Effect, Tool, ToolDefinition, ToolFailed
from .tools.wrappers import outcome_of, with_approval, with_output_limit, with_prefix, with_timeout
from .web_search import plain_text, web_search_tool
from .worker.handlers import mcp_handler, output_handler, tool_handler
from .worker.interaction import interaction_nodes, interaction_worker
from .worker.node import ACT_MCP, ACT_TOOL, OBSERVE, OUTPUT, Handler, Node, NodeDefinition
from .worker.worker import Worker

__all__ = [
    "ACT_MCP",
    "ACT_TOOL",
    "OBSERVE",
    "OUTPUT",
    "UNSET",
    "Artifact",
    "CallFinished",
    "CallStarted",
    "CallTimeout",
    "CloseInsideCall",
    "Command",
    "CommandExecutor",
    "CommandResult",
    "CommandTimeout",
    "CommandUnavailable",
    "Config",
    "ConfigError",
    "ContextClosed",
    "DiscoveryError",
    "DittoError",
    "DuplicateName",
    "Effect",
    "EventEmitted",
    "Execution",
    "ExternalResult",
    "FileMissing",
    "FileReason",
    "FileRefused",
    "Graph",
    "GraphError",
    "Handler",
    "InstalledPlugin",
    "InteractionError",
    "InvalidArguments",
    "InvalidClient",
    "InvalidInput",
    "InvalidName",
    "InvalidPlugin",
    "InvalidReceipt",
    "InvalidResult",
    "InvalidSchema",
    "InvalidTool",
    "InvalidValue",
    "JsonObject",
    "JsonPart",
    "JsonValue",
    "Log",
    "Loop",
    "LoopExhausted",
    "McpCapability",
    "McpClient",
    "McpDiscover",
    "McpDiscovered",
    "McpInput",
    "McpInvoke",
    "McpInvoked",
    "McpOutput",
    "McpPage",
    "McpRegistry",
    "McpTool",
    "McpToolError",
    "McpToolResult",
    "Message",
    "MessageContent",
    "Node",
    "NodeDefinition",
    "NodeUnavailable",
    "NotOffered",
    "Observation",
    "ObserveInput",
    "Origin",
    "Outcome",
    "OutputReceipt",
    "OutputRequest",
    "OutputSink",
    "Outputs",
    "Part",
    "PermissionDenied",
    "PluginAmbiguous",
    "PluginApiMismatch",
    "PluginError",
    "PluginHost",
    "PluginLoadFailed",
    "PluginNotFound",
    "ReceiptStatus",
    "Reference",
    "ReferencePart",
    "RefusedCall",
    "Registration",
    "RegistrationError",
    "Runtime",
    "RuntimeClosed",
    "Sandbox",
    "SearchFailed",
    "SearchHit",
    "Services",
    "Status",
    "Step",
    "TextPart",
    "Tool",
    "ToolCall",
    "ToolContext",
    "ToolDefinition",
    "ToolFailed",
    "ToolInput",
    "ToolOutcome",
    "ToolRegistry",
    "UnknownServer",
    "UnknownTool",
    "Unset",
    "WebSearchProvider",
    "Worker",
    "WorkerAddress",
    "WorkerBusy",
    "WrongEventLoop",
    "config_schema",
    "describe",
    "duration",
    "escape",
    "from_wire",
    "guess",
    "hookimpl",
    "in_thread",
    "installed_plugins",
    "interaction_nodes",
    "interaction_worker",
    "load_config",
    "load_plugin",
    "mcp_handler",
    "mcp_tools",
    "observe",
    "outcome_of",
    "output_handler",
    "parse_json",
    "plain_text",
    "quote",
    "replace_surrogates",
    "safe_message",
    "to_wire",
    "tool",
    "tool_handler",
    "web_search_tool",
    "with_approval",
    "with_output_limit",
    "with_prefix",
    "with_timeout",
]
