"""The host: which plugins an application has chosen, and what these offer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import TracebackType
from typing import Literal, Self, TypeAlias

import attrs

from ..errors import DuplicateName, InvalidPlugin, InvalidSchema, InvalidTool, InvalidValue
from ..ports import OutputSink, WebSearchProvider
from ..text import describe, quote
from ..tools.registry import ToolRegistry
from .contributions import Contributions, contributions
from .hookspecs import new_manager
from .inspection import hooks_of, origin_of
from .observing import PluginObserver
from .origin import Origin
from .resources import Resources, holds_resources
from .selection import Selection, Wrap
from .shelf import Shelf
from .wording import title

Kind: TypeAlias = Literal["tool", "sink", "search_provider"]


@attrs.frozen(kw_only=True, eq=False, repr=False)
class _Registered:
    """A plugin in the host, with what it takes to remove it."""

    plugin: object
    origin: Origin
    parts: Contributions
    observer: PluginObserver | None
    remove_tools: Callable[[], bool]


class PluginHost:
    """Holds the plugins that the application registers, in its order; a new one is empty, whatever is installed.

    As an async context manager it opens and closes the resources of plugins that are async context managers
    themselves: ``async with host:`` enters these in the order of registration and leaves them in reverse.

    Register and unregister from one thread only, the application's; calls in progress are not disturbed by it.
    """

    def __init__(self) -> None:
        self._manager = new_manager()
        self._plugins: dict[str, _Registered] = {}
        self._tools = ToolRegistry()
        self._sinks: Shelf[OutputSink] = Shelf("sink")
        self._providers: Shelf[WebSearchProvider] = Shelf("search provider")
        self._resources = Resources()

    @property
    def plugins(self) -> tuple[Origin, ...]:
        """The registered plugins, in the order of registration."""
        return tuple(registered.origin for registered in self._plugins.values())

    @property
    def tools(self) -> ToolRegistry:
        """The tools of all plugins: one registry, always the same, that registering and unregistering change."""
        return self._tools

    @property
    def sinks(self) -> Mapping[str, OutputSink]:
        """The sinks of all plugins by name; read-only, and changes with the host."""
        return self._sinks.view

    @property
    def search_providers(self) -> Mapping[str, WebSearchProvider]:
        """The web-search providers of all plugins by name; read-only, and changes with the host."""
        return self._providers.view

    def sink(self, name: str) -> OutputSink:
        """Return the sink of that name; raises :class:`NotOffered`, which lists the names there are."""
        return self._sinks.get(name)

    def search_provider(self, name: str) -> WebSearchProvider:
        """Return the web-search provider of that name; raises :class:`NotOffered`, which lists the names there are."""
        return self._providers.get(name)

    def origin_of(self, kind: Kind, name: str) -> Origin | None:
        """Return the plugin that a tool, sink or search provider comes from; None when there is none of that name.

        Raises :class:`InvalidValue` for another kind.
        """
        if kind == "tool":
            return self._tools.origin_of(name)
        if kind == "sink":
            return self._sinks.origin(name)
        if kind == "search_provider":
            return self._providers.origin(name)
        raise InvalidValue("kind", f"must be 'tool', 'sink' or 'search_provider', not {quote(kind)}")

    def register(
        self,
        plugin: object,
        *,
        name: str | None = None,
        prefix: str = "",
        include: Iterable[str] | None = None,
        exclude: Iterable[str] = (),
        wrap: Wrap | None = None,
    ) -> Callable[[], bool]:
        """Register everything that a plugin offers, or nothing, and return the undo: True once, then False.

        - ``name``: what the plugin is called here, 1-64 characters on one line; else its own ``name``, if that is a
          string, or one made of its class's or module's.
        - ``include``, ``exclude``: the names of the tools, sinks and search providers to take and to leave out, as
          the plugin calls them; ``exclude`` wins.
        - ``wrap``: a function from a tool to a tool of the same name, such as one of the ``with_…`` wrappers; each
          tool that was chosen goes through it, and its origin stays.
        - ``prefix``: put before the names of its tools, and of nothing else.

        The undo removes names only: calls in progress go on, and an entered plugin is left with the host.

        Raises :class:`InvalidPlugin` for what is no plugin and for hooks that break their specification,
        :class:`PluginApiMismatch`, :class:`DuplicateName`, :class:`InvalidName`, :class:`NotOffered` for a choice
        that matches nothing, :class:`InvalidValue` for a wrong argument, :class:`InvalidTool` and
        :class:`InvalidSchema`, and what ``wrap`` raises; the host is then as it was before.
        """
        origin = origin_of(plugin, name)
        selection = Selection.of(prefix, include, exclude, wrap)
        hooks = hooks_of(plugin, origin)
        self._check_new(plugin, origin)
        parts = selection.apply(contributions(plugin, hooks, origin), origin)
        self._check_new(plugin, origin)  # once more, because a hook may have registered something itself
        self._sinks.check_free(parts.sinks, origin)
        self._providers.check_free(parts.providers, origin)
        registered = _Registered(
            plugin=plugin,
            origin=origin,
            parts=parts,
            observer=PluginObserver.of(hooks, origin),
            remove_tools=self._add_tools(parts, origin),
        )
        self._commit(registered)
        return lambda: self._unregister(registered)

    def _check_new(self, plugin: object, origin: Origin) -> None:
        known = self._plugins.get(origin.plugin)
        if known is not None and known.plugin is not plugin:
            raise DuplicateName(
                f"{title(origin)}: the name is taken by {known.origin}, {describe(known.plugin)}; this one is "
                f"{describe(plugin)}. Register one of them with name='…'."
            )
        for other in self._plugins.values():
            if other.plugin is plugin:
                raise DuplicateName(
                    f"{title(origin)}: the same object is registered as {quote(other.origin.plugin)} already. "
                    "Make another object, or unregister it first."
                )
        if self._resources.open and holds_resources(plugin):
            raise InvalidPlugin(
                f"{title(origin)}: it has resources to open, and the host is entered already. "
                "Register it before 'async with host'."
            )

    def _add_tools(self, parts: Contributions, origin: Origin) -> Callable[[], bool]:
        try:
            return self._tools.register_all(parts.tools.values(), origin=origin)
        except (InvalidTool, InvalidSchema) as error:
            raise type(error)(f"{title(origin)}: {error}") from None

    def _commit(self, registered: _Registered) -> None:
        """Register what has been checked.

        pluggy looks at the plugin once more, the only thing here that can fail: when the plugin has changed since.
        """
        origin = registered.origin
        try:
            self._manager.register(registered.plugin, origin.plugin)
        except Exception as error:
            registered.remove_tools()
            raise InvalidPlugin(
                f"{title(origin)}: it changed while it was registered. Let its hooks return parts and change nothing."
            ) from error
        self._plugins[origin.plugin] = registered
        self._sinks.add(registered.parts.sinks, origin)
        self._providers.add(registered.parts.providers, origin)
        if registered.observer is not None:
            self._tools.observers = (*self._tools.observers, registered.observer)
        from ..log import LOG

        LOG.info("plugin_registered", plugin=origin.plugin)

    def _unregister(self, registered: _Registered) -> bool:
        origin = registered.origin
        if self._plugins.get(origin.plugin) is not registered:
            return False
        del self._plugins[origin.plugin]
        self._manager.unregister(name=origin.plugin)
        self._sinks.remove(registered.parts.sinks)
        self._providers.remove(registered.parts.providers)
        self._tools.observers = tuple(o for o in self._tools.observers if o is not registered.observer)
        registered.remove_tools()
        from ..log import LOG

        LOG.info("plugin_unregistered", plugin=origin.plugin)
        return True

    async def __aenter__(self) -> Self:
        """Open the plugins' resources; raises :class:`PluginLoadFailed`, and those opened so far are closed."""
        await self._resources.enter(
            [(known.origin, known.plugin) for known in self._plugins.values() if holds_resources(known.plugin)]
        )
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close what was opened, all of it; what that raises comes out as one ``ExceptionGroup``."""
        await self._resources.leave(kind, error, trace)
