"""Plugins made anew, beside the one that serves the checks: what a call gives that nothing was called before."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ditto_core import PluginHost, ToolCall, ToolContext, ToolRegistry

from ..fakes.executors import ScriptedExecutor, echoed
from .likely import copied
from .loop import Ended
from .packs import tools_of
from .tool_case import ToolCase

_TEXTS = ("a.txt", "b.py", "sub")
_TRIED, _KEPT = 8, 3
"""How many arguments are tried to find some that a new plugin answers differently, and how many of them are kept."""


def anew(case: ToolCase, several: Sequence[Any]) -> list[Ended] | None:
    """Return how the calls end, one after the other, that one new plugin serves.

    None if there can be no second plugin beside the first: it may hold what only one can.
    """
    pack = case.lab.pack

    async def called(registry: ToolRegistry, given: Any) -> Ended:
        sandbox = case.sandbox(executor=ScriptedExecutor(echoed), workspace=case.lab.workspace)
        context = ToolContext(call_id="c1", sandbox=sandbox, config=pack.config, providers=pack.providers)
        try:
            return Ended(
                value=await registry.call(ToolCall(id="c1", name=case.name, arguments=copied(given)), context)
            )
        except Exception as error:
            return Ended(error=error)

    async def served() -> list[Ended]:
        plugin, host, registry = pack.make(), PluginHost(), ToolRegistry()
        host.register(plugin)
        registry.register_all(tools_of(plugin).values())
        async with host:
            return [await called(registry, given) for given in several]

    ended = case.lab.loop.ended(served())
    return None if ended.error is not None else ended.value


def different(case: ToolCase) -> list[tuple[Any, Ended]]:
    """Return some arguments to which a new plugin gives different answers, each with that answer."""
    found: dict[str, tuple[Any, Ended]] = {}
    tried = case.fruitful[:_KEPT]
    if len(tried) < 2:  # a plugin that gives its first answer to all has none but that one
        tried += [given for given, _, _ in case.with_texts(_TEXTS)][:_TRIED]
    for given in tried:
        ends = anew(case, [given])
        if ends is None:
            break
        if ends[0].value is not None and ends[0].value.status == "success":
            found.setdefault(repr(ends[0].value), (given, ends[0]))
    return list(found.values())[:_KEPT]
