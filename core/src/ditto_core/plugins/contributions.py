"""What a plugin's hooks give: asked on a manager of its own, drained and checked before anything is registered."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any, Final, TypeAlias

import attrs
import pluggy

from ..callables import read
from ..errors import DuplicateName, InvalidName, InvalidPlugin
from ..ports import OutputSink, WebSearchProvider
from ..text import describe, quote
from ..tools.tool import Tool, check_tool_name
from .hookspecs import new_manager
from .inspection import Hook
from .origin import Origin
from .wording import reason, title

MAX_GIVEN: Final = 100_000
"""How much one hook may give; a generator without an end is refused by it."""

_Pairs: TypeAlias = list[tuple[Any, Any]]


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Contributions:
    """The tools, sinks and search providers of one plugin, by name."""

    tools: dict[str, Tool[Any]]
    sinks: dict[str, OutputSink]
    providers: dict[str, WebSearchProvider]


def contributions(plugin: object, hooks: Mapping[str, Hook], origin: Origin) -> Contributions:
    """Call the plugin's hooks and return what they gave.

    Raises :class:`InvalidPlugin`, :class:`InvalidName` and :class:`DuplicateName`.
    """
    manager = new_manager()
    try:
        manager.register(plugin, origin.plugin)
    except pluggy.PluginValidationError as error:  # a rule of pluggy's that is not among ours
        raise InvalidPlugin(f"{title(origin)}: pluggy refuses it: {reason(error)}. Look at its hooks.") from error

    def given(hook: str) -> list[Any]:
        return _given(manager, _Asked(origin, hook)) if hook in hooks else []

    return Contributions(
        tools=_tools(given("ditto_tools"), _Asked(origin, "ditto_tools")),
        sinks=_sinks(given("ditto_output_sinks"), _Asked(origin, "ditto_output_sinks")),
        providers=_providers(given("ditto_web_search_providers"), _Asked(origin, "ditto_web_search_providers")),
    )


@attrs.frozen(eq=False, repr=False)
class _Asked:
    """Whose hook is asked; only a message makes text of it, because that looks up the distribution."""

    origin: Origin
    hook: str

    def __str__(self) -> str:
        return f"{title(self.origin)}: hook {self.hook}"


def _given(manager: pluggy.PluginManager, who: _Asked) -> list[Any]:
    """Call one hook and return all that it gives: tools, or pairs of a name and an object."""
    found: list[Any] | None = None
    answer: object = None
    gives_tools = who.hook == "ditto_tools"
    try:
        for answer in getattr(manager.hook, who.hook)():  # one answer, or none when it is None
            items = _items(answer, mapping=not gives_tools)
            found = None if items is None else list(islice(items, MAX_GIVEN + 1))
    except (Exception, SystemExit) as error:
        raise InvalidPlugin(f"{who} raised {reason(error)}. Nothing of the plugin is registered.") from error
    if found is None:
        wanted = "an iterable of tools, [] for none" if gives_tools else "a mapping by name, {} for none"
        raise InvalidPlugin(f"{who} must give {wanted}, not {_discarded(answer)}.")
    if len(found) > MAX_GIVEN:
        raise InvalidPlugin(f"{who} gives more than {MAX_GIVEN:,}. Offer fewer; does a generator have no end?")
    return found


def _items(answer: object, *, mapping: bool) -> Iterable[Any] | None:
    if mapping:
        return answer.items() if isinstance(answer, Mapping) else None
    return answer if isinstance(answer, Iterable) and not isinstance(answer, (str, bytes, Mapping)) else None


def _discarded(value: object) -> str:
    """Return what kind of thing a refused value is; a coroutine is closed, since nobody will await it."""
    if inspect.iscoroutine(value):
        value.close()
    return describe(value)


def _tools(given: list[Any], who: _Asked) -> dict[str, Tool[Any]]:
    tools: dict[str, Tool[Any]] = {}
    for number, tool in enumerate(given, start=1):
        if not isinstance(tool, Tool):
            raise InvalidPlugin(f"{who}: item {number} is {_discarded(tool)}, no Tool. Make it with Tool(…) or @tool.")
        if tool.name in tools:
            raise DuplicateName(f"{who} gives two tools named {quote(tool.name)}. Rename one of the two.")
        tools[tool.name] = tool
    return tools


def _sinks(given: _Pairs, who: _Asked) -> dict[str, OutputSink]:
    for name, sink in given:
        _check_name(name, who)
        _check_port(sink, "deliver", who, f"sink {name!r}")
    return dict(given)


def _providers(given: _Pairs, who: _Asked) -> dict[str, WebSearchProvider]:
    for name, provider in given:
        _check_name(name, who)
        what = f"search provider {name!r}"
        _check_port(provider, "search", who, what)
        origin = read(provider, "origin", ...)
        if origin is not None and (type(origin) is not str or not origin):
            raise InvalidPlugin(
                f"{who}: {what}: its origin must be a string such as 'https://api.example.com', or None when it opens "
                f"no connection, not {'absent' if origin is ... else quote(origin)}."
            )
    return dict(given)


def _check_name(name: object, who: _Asked) -> None:
    """Sinks and providers are named as tools are."""
    try:
        check_tool_name(name)
    except InvalidName:
        raise InvalidName(f"{who}: the name {quote(name)} must be 1-64 ASCII letters, digits, '_' or '-'.") from None


def _check_port(value: object, method: str, who: _Asked, what: str) -> None:
    if isinstance(value, type):
        raise InvalidPlugin(f"{who}: {what} is a class. Give an object of it.")
    function = read(value, method, None)
    if not inspect.iscoroutinefunction(function):
        fact = f"has no method {method}" if function is None else f"has a {method} that is no async function"
        raise InvalidPlugin(f"{who}: {what}, {_discarded(value)}, {fact}. Define it with async def {method}(…).")
