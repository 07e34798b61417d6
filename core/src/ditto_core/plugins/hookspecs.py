"""The whole plugin interface on one page: what a plugin may offer and what it may observe.

A plugin is an object (or a module) with ``api_version = 1`` and some of these hooks as plain functions, each marked
with :data:`hookimpl`::

    @attrs.frozen(eq=False)
    class AcmePack:
        api_version: ClassVar[int] = 1
        url: str

        @hookimpl
        def ditto_tools(self) -> Iterable[Tool[Any]]:
            yield lookup_tool(self.url)

Hooks hand out objects; what is asynchronous lives on these. A hook may leave out arguments that it does not need.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from typing import Any, Final, Protocol

import pluggy

from ..events import CallFinished, CallStarted
from ..ports import OutputSink, WebSearchProvider
from ..tools.tool import Tool

PROJECT: Final = "ditto"
API_VERSION: Final = 1
"""The version of this interface. A plugin says as ``api_version`` for which one it was written."""

hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)
"""Marks a plugin's function as the implementation of the hook of that name; used as ``@hookimpl``, without options."""


class HookSpecifications(Protocol):
    """The hooks. The first three are called once, when the plugin is registered; they do no input or output."""

    @hookspec
    def ditto_tools(self) -> Iterable[Tool[Any]]:
        """Give the plugin's tools: a list, or a generator, which is drained at once; at most 100,000."""

    @hookspec
    def ditto_output_sinks(self) -> Mapping[str, OutputSink]:
        """Give the plugin's sinks under the names by which the application chooses one; names are as tools' names."""

    @hookspec
    def ditto_web_search_providers(self) -> Mapping[str, WebSearchProvider]:
        """Give the plugin's search providers under the names by which the application chooses one."""

    @hookspec
    def ditto_call_started(self, event: CallStarted) -> None:
        """Learn that a call has begun: called in the caller's task, so it has to be quick.

        What it raises is logged with the plugin's name and changes nothing.
        """

    @hookspec
    def ditto_call_finished(self, event: CallFinished) -> None:
        """Learn that a call has ended, exactly once for each that has begun, however it ended."""


OBSERVERS: Final = frozenset({"ditto_call_started", "ditto_call_finished"})
"""The hooks that are called for each call and give nothing."""

HOOKS: Final[dict[str, tuple[str, ...]]] = {
    name: tuple(inspect.signature(function).parameters)[1:]
    for name, function in vars(HookSpecifications).items()
    if name.startswith("ditto_")
}
"""Each hook with the names of its arguments."""


def new_manager() -> pluggy.PluginManager:
    """Return a plugin manager that knows the hooks and holds no plugin."""
    manager = pluggy.PluginManager(PROJECT)
    manager.add_hookspecs(HookSpecifications)
    return manager
