"""Plugins by the name under which an installed distribution offers them. Nothing is loaded that is not named."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Mapping
from typing import Any, Final

from ..errors import InvalidValue, PluginAmbiguous, PluginLoadFailed, PluginNotFound
from ..text import describe, escape, quote
from .installed import GROUP, InstalledPlugin, canonical, installed_plugins
from .wording import guess, listed, reason, shortened

_MISSING: Final = object()


def load_plugin(
    name: str, /, *, distribution: str | None = None, options: Mapping[str, Any] | None = None, **kwargs: Any
) -> Any:
    """Import the one installed plugin of that name, call its class or factory, and return the plugin.

    Registers nothing. ``distribution`` chooses when several distributions offer the name. ``options``, then keyword
    arguments (the later wins) become the keyword arguments of the class; one that is called ``distribution`` or
    ``options`` can only be given in ``options``.

    Raises :class:`PluginNotFound`, :class:`PluginAmbiguous`, :class:`InvalidValue` for wrong arguments of this
    function, and :class:`PluginLoadFailed` when the plugin cannot be imported, does not know an option, needs one that
    is not given, or raises; that exception is then its cause. An interrupt from the keyboard passes.
    """
    installed = _find(name, distribution)
    who = f"Plugin {_shown(installed)}"
    factory = _imported(installed, who)
    arguments = {**_checked(options), **kwargs}
    _check_options(factory, arguments, who)
    failed = f"{who}: {quote(installed.value)} raised"
    plugin = _run(lambda: factory(**arguments), failed, "Check its options", arguments)
    if inspect.iscoroutine(plugin):
        plugin.close()
        raise PluginLoadFailed(f"{who}: {quote(installed.value)} is an async function. A factory is a plain one.")
    return plugin


def _run(foreign: Callable[[], Any], failed: str, remedy: str, options: Mapping[str, Any] | None = None) -> Any:
    """Run foreign code; what it raises becomes the cause of :class:`PluginLoadFailed`, so that it ends nothing.

    An option may be a password, so a text that repeats the value of one of the `options` is not shown.
    """
    try:
        return foreign()
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        told = reason(error)
        repeated = [name for name, value in (options or {}).items() if _repeats(told, value)]
        if repeated:
            told = f"{escape(type(error).__name__)}, with a text that repeats the value of {listed(repeated)}"
        raise PluginLoadFailed(f"{failed} {told}. {remedy}.") from error


def _repeats(text: str, value: Any) -> bool:
    """Tell whether a text holds the string `value`, as it is or in a repr; three characters are nobody's secret."""
    return type(value) is str and len(value) > 3 and (value in text or repr(value)[1:-1] in text)


def _find(name: object, distribution: object) -> InstalledPlugin:
    if type(name) is not str:
        raise InvalidValue("name", f"must be the name of a plugin, not {describe(name)}; register objects as they are")
    if distribution is not None and type(distribution) is not str:
        raise InvalidValue("distribution", f"must be the name of a distribution, not {describe(distribution)}")
    known = installed_plugins()
    named = [plugin for plugin in known if plugin.name == name]
    matches = named
    if distribution is not None:
        matches = [plugin for plugin in named if canonical(plugin.distribution) == canonical(distribution)]
    if len(matches) == 1:
        return matches[0]
    if not matches:
        where = f" by the distribution {quote(distribution)}" if distribution is not None else ""
        near = "" if named else guess(name, {plugin.name for plugin in known})
        raise PluginNotFound(
            f"Plugin {quote(name)} (entry-point group {GROUP!r}) is not installed{where}.{near} "
            f"Installed: {shortened([_shown(plugin) for plugin in known])}. Install the distribution that offers it."
        )
    owners = {canonical(plugin.distribution): plugin.distribution for plugin in matches}
    if len(owners) > 1:
        remedy = f"Pass distribution={quote(matches[0].distribution)}, or uninstall all but one"
    else:
        remedy = "The distribution has to offer each plugin under a name of its own"
    offers = shortened([_shown(plugin) for plugin in matches])
    raise PluginAmbiguous(f"Plugin {quote(name)} is offered more than once: {offers}. {remedy}.")


def _shown(plugin: InstalledPlugin) -> str:
    return f"{quote(plugin.name)} ({escape(plugin.distribution)} {escape(plugin.version)})"


def _imported(plugin: InstalledPlugin, who: str) -> Callable[..., Any]:
    """Return what the entry point names, an attribute of a module; only that module is imported."""
    remedy = f"Repair or reinstall {escape(plugin.distribution)}"
    failed = f"{who}: the module {quote(plugin.module)} could not be imported:"
    found: Any = _run(lambda: importlib.import_module(plugin.module), failed, remedy)
    for name in plugin.attribute.split(".") if plugin.attribute else ():
        found = _run(lambda: getattr(found, name, _MISSING), failed, remedy)  # noqa: B023 - called at once
        if found is _MISSING:
            raise PluginLoadFailed(
                f"{who}: {quote(plugin.value)} names {quote(name)}, which does not exist. {remedy}."
            )
    if not callable(found):
        raise PluginLoadFailed(
            f"{who}: {quote(plugin.value)} is {describe(found)}. An entry point has to name a class or a factory."
        )
    return found  # type: ignore[no-any-return]


def _checked(options: object) -> dict[str, Any]:
    if options is None:
        return {}
    if not isinstance(options, Mapping):
        raise InvalidValue("options", f"must be a mapping of names to values, not {describe(options)}")
    for name in options:
        if type(name) is not str:
            raise InvalidValue("options", f"must have names as keys, not {describe(name)}")
    return dict(options)


def _check_options(factory: Callable[..., Any], arguments: Mapping[str, Any], who: str) -> None:
    """Refuse options that the factory does not know, and the lack of those that it needs."""
    try:
        parameters = inspect.signature(factory).parameters.values()
    except (ValueError, TypeError):
        return  # written in C and without a signature: the call itself will tell
    by_name = {p.name: p for p in parameters if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)}
    offered = f"Its options are {listed(by_name)}"
    unknown = sorted(arguments.keys() - by_name.keys())
    if unknown and not any(p.kind is p.VAR_KEYWORD for p in parameters):
        raise PluginLoadFailed(f"{who}: does not know {listed(unknown)}.{guess(unknown[0], by_name)} {offered}.")
    missing = [name for name, p in by_name.items() if p.default is p.empty and name not in arguments]
    if missing:
        raise PluginLoadFailed(f"{who}: needs {listed(missing)}, which is not given. {offered}.")
