"""Plugins by the name under which an installed distribution offers them. Nothing is loaded that is not named."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from ..errors import InvalidValue, PluginAmbiguous, PluginLoadFailed, PluginNotFound
from ..text import describe, escape, guess, quote
from .installed import GROUP, InstalledPlugin, canonical, installed_plugins
from .wording import listed, reason, repeats, shortened

if TYPE_CHECKING:
    from ..config.config import Config
    from ..config.section import Section

_MISSING: Final = object()


def load_plugin(
    name: str,
    /,
    *,
    distribution: str | None = None,
    options: Mapping[str, Any] | None = None,
    config: Config | None = None,
    **kwargs: Any,
) -> Any:
    """Import the one installed plugin of that name, call its class or factory, and return the plugin.

    Registers nothing. ``distribution`` chooses when several distributions offer the name. The plugin's section of
    ``config``, then ``options``, then keyword arguments (the later wins) become the keyword arguments of the class;
    one that is called ``distribution``, ``options`` or ``config`` can only be given in ``options`` or the section.

    Raises :class:`PluginNotFound`, :class:`PluginAmbiguous`, :class:`InvalidValue` for wrong arguments of this
    function, :class:`ConfigError` with the dotted path for what is wrong in the section, and
    :class:`PluginLoadFailed` when the plugin cannot be imported, does not know an option, needs one that is not given,
    or raises; that exception is then its cause. An interrupt from the keyboard passes.
    """
    section = None if config is None else _section(config, name)
    installed = _find(name, distribution)
    who = f"Plugin {_shown(installed)}"
    factory = _imported(installed, who)
    by_code = {**_checked(options), **kwargs}
    by_file = {} if section is None else section.arguments(factory)
    arguments = {**by_file, **by_code}
    _check_options(factory, arguments, who)
    try:
        plugin = factory(**arguments)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        refusal = None if section is None else section.refusal(factory, error, arguments, by_code)
        if refusal is not None:
            raise refusal from None
        places = "its options" if section is None or not by_file else f"its options and {section.path}"
        raise _failure(error, f"{who}: {quote(installed.value)} raised", f"Check {places}", arguments) from error
    if inspect.iscoroutine(plugin):
        plugin.close()
        raise PluginLoadFailed(f"{who}: {quote(installed.value)} is an async function. A factory is a plain one.")
    return plugin


def _section(config: object, name: str) -> Section:
    from ..config.config import Config  # which needs this package

    if not isinstance(config, Config):
        raise InvalidValue(
            "config",
            f"must be what load_config returned, not {describe(config)}; give an option of that name in options",
        )
    return config.section(name)


def _run(foreign: Callable[[], Any], failed: str, remedy: str) -> Any:
    """Run foreign code; what it raises becomes the cause of :class:`PluginLoadFailed`, so that it ends nothing."""
    try:
        return foreign()
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise _failure(error, failed, remedy, {}) from error


def _failure(error: BaseException, failed: str, remedy: str, options: Mapping[str, Any]) -> PluginLoadFailed:
    """Return what is said of an exception.

    An option may be a password, so a text that repeats the value of one of the `options` is not shown.
    """
    told = reason(error)
    repeated = [name for name, value in options.items() if repeats(told, value)]
    if repeated:
        told = f"{escape(type(error).__name__)}, with a text that repeats the value of {listed(repeated)}"
    return PluginLoadFailed(f"{failed} {told}. {remedy}.")


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
