"""Contract tests for plugins of Ditto: properties that the author of a plugin runs on it, in a few lines.

Derive :class:`ToolPackContract`, :class:`OutputSinkContract`, :class:`ExecutorContract`,
:class:`WebSearchProviderContract` or :class:`McpClientContract` in a test module and run pytest; or call
:func:`run_checks` with a plugin; or ``python -m ditto_testkit NAME`` for an installed one.
"""

from . import fakes, strategies
from .bench import DEFAULT_EXAMPLES, Plan
from .capabilities import Capabilities
from .checks import CHECKS, LEVEL, Check, CheckFailed
from .labs.blocked import Blocked
from .labs.executors import ExecutorSubject
from .labs.mcp_clients import McpClientSubject
from .labs.packs import ToolPack
from .labs.providers import ProviderSubject
from .labs.sinks import Sink
from .running import Outcome, run_checks
from .suite.contract import ContractWarning
from .suite.contracts import ExecutorContract, OutputSinkContract, ToolPackContract
from .suite.mcp_clients import McpClientContract
from .suite.providers import WebSearchProviderContract

__all__ = [
    "CHECKS",
    "DEFAULT_EXAMPLES",
    "LEVEL",
    "Blocked",
    "Capabilities",
    "Check",
    "CheckFailed",
    "ContractWarning",
    "ExecutorContract",
    "ExecutorSubject",
    "McpClientContract",
    "McpClientSubject",
    "Outcome",
    "OutputSinkContract",
    "Plan",
    "ProviderSubject",
    "Sink",
    "ToolPack",
    "ToolPackContract",
    "WebSearchProviderContract",
    "fakes",
    "run_checks",
    "strategies",
]
