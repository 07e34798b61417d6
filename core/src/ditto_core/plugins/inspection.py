"""What is checked of a plugin object before any of its hooks is called."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from types import ModuleType
from typing import Any, Final

import attrs
import pluggy

from ..callables import read
from ..errors import InvalidName, InvalidPlugin, PluginApiMismatch
from ..text import describe, escape, guess, quote
from .hookspecs import API_VERSION, HOOKS, OBSERVERS, PROJECT
from .origin import Origin
from .wording import listed, reason, title

_MAX_NAME: Final = 64


@attrs.frozen(eq=False, repr=False)
class Hook:
    """A plugin's implementation of one hook; `takes_event` says whether an observer wants to see the event."""

    function: Callable[..., Any]
    takes_event: bool


def origin_of(plugin: object, name: str | None) -> Origin:
    """Return who the plugin is: under the name given, or its own ``name``, or one made of its class or module.

    Raises :class:`InvalidPlugin` for None and for a class, :class:`InvalidName` for a name that is no line of 1-64
    characters.
    """
    if plugin is None:
        raise InvalidPlugin("PluginHost.register: needs a plugin, not None. Does a factory forget to return it?")
    if isinstance(plugin, type):
        kind = escape(plugin.__name__)
        raise InvalidPlugin(f"PluginHost.register: {kind} is a class. Register an object of it: {kind}(…).")
    if name is None:
        own = read(plugin, "name")
        name = own if type(own) is str else _derived(plugin)
    if type(name) is not str or not 1 <= len(name) <= _MAX_NAME or name != name.strip() or name != escape(name):
        raise InvalidName(
            f"Plugin name {quote(name)}: must be 1-{_MAX_NAME} characters on one line, with no blank at either end. "
            "Give another with register(…, name='…')."
        )
    module = plugin.__name__ if isinstance(plugin, ModuleType) else type(plugin).__module__
    return Origin(name, module=module)


def _derived(plugin: object) -> str:
    """``CommandTools`` gives ``command-tools``, the module ``acme_pack`` gives ``acme-pack``."""
    name = plugin.__name__ if isinstance(plugin, ModuleType) else type(plugin).__name__
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "-", name)
    return words.replace("_", "-").strip("-").lower()


def hooks_of(plugin: object, origin: Origin) -> dict[str, Hook]:
    """Return the plugin's hooks by name; raises :class:`InvalidPlugin` or :class:`PluginApiMismatch`."""
    marked, alike = _looked_into(plugin, origin)
    version = read(plugin, "api_version")
    if version is None and not marked and not alike:
        raise InvalidPlugin(
            f"{title(origin)}: {describe(plugin)} without a single hook is no plugin. "
            f"Mark at least one function with @hookimpl: {listed(HOOKS)}."
        )
    _check_version(version, origin)
    for name in alike:
        if name not in HOOKS:
            raise _unknown(name, origin)
        raise InvalidPlugin(
            f"{title(origin)}: {name} is not marked, so it would never be called. "
            "Make it a plain function with @hookimpl directly above its def."
        )
    if not marked:
        raise InvalidPlugin(f"{title(origin)}: has no hook. Mark at least one with @hookimpl: {listed(HOOKS)}.")
    hooks = {name: _hook(plugin, name, options, origin) for name, options in marked.items()}
    kind = type(plugin)
    if kind.__eq__ is not object.__eq__ or kind.__hash__ is not object.__hash__:
        raise InvalidPlugin(
            f"{title(origin)}: objects of its class are compared by value, and a plugin has to be itself only. "
            "Decorate the class with @attrs.frozen(eq=False), or remove its __eq__ and __hash__."
        )
    if hasattr(kind, "__aenter__") != hasattr(kind, "__aexit__"):
        raise InvalidPlugin(f"{title(origin)}: has only one of __aenter__ and __aexit__. Define both or neither.")
    return hooks


def _looked_into(plugin: object, origin: Origin) -> tuple[dict[str, dict[str, Any]], list[str]]:
    """Return the options of each marked function, and the names of what looks like a hook and is not marked."""
    finder = pluggy.PluginManager(PROJECT)
    marked: dict[str, dict[str, Any]] = {}
    alike: list[str] = []
    try:
        for name in dir(plugin):
            options = finder.parse_hookimpl_opts(plugin, name)
            if options is not None:
                marked[name] = dict(options)
            elif name in HOOKS or (name.startswith(f"{PROJECT}_") and _is_function(plugin, name)):
                alike.append(name)
    except Exception as error:
        raise InvalidPlugin(
            f"{title(origin)}: {describe(plugin)} cannot be looked into: {reason(error)}. Register a plain object."
        ) from error
    return marked, alike


def _is_function(plugin: object, name: str) -> bool:
    """Tell a function from other values: a module may well hold the module ``ditto_core``."""
    value = inspect.getattr_static(plugin, name, None)
    return callable(value) or isinstance(value, (staticmethod, classmethod))


def _unknown(name: str, origin: Origin) -> InvalidPlugin:
    return InvalidPlugin(
        f"{title(origin)}: there is no hook {quote(name)}.{guess(name, HOOKS)} "
        f"The hooks are {listed(HOOKS)}; other names may not begin with 'ditto_' or be marked with @hookimpl."
    )


def _check_version(version: object, origin: Origin) -> None:
    if type(version) is int and version == API_VERSION:
        return
    who = escape(origin.distribution or "the plugin")
    if version is None:
        fact = "does not say for which version of the plugin interface it was written"
        remedy = f"Its author has to write api_version: ClassVar[int] = {API_VERSION} into it"
    elif type(version) is not int:
        fact = f"has {describe(version)} as api_version, which has to be an int"
        remedy = f"Its author has to write api_version: ClassVar[int] = {API_VERSION} into it"
    else:
        fact = f"was written for version {version} of the plugin interface; this ditto-core supports {API_VERSION}"
        newer, older = ("ditto-core", who) if version > API_VERSION else (who, "ditto-core")
        remedy = f"Upgrade {newer}, or use an older release of {older}"
    raise PluginApiMismatch(f"{title(origin)}: {fact}. {remedy}.")


def _hook(plugin: object, name: str, options: dict[str, Any], origin: Origin) -> Hook:
    if name not in HOOKS:
        raise _unknown(name, origin)
    function: Any = read(plugin, name)
    problem = _problem(name, function, sorted(option for option, value in options.items() if value))
    if problem:
        raise InvalidPlugin(f"{title(origin)}: hook {name}{problem}")
    return Hook(function, takes_event=bool(inspect.signature(function).parameters))


def _problem(name: str, function: object, options: list[str]) -> str:
    """Return what is wrong with a hook and how to mend it, or nothing."""
    if options:
        return f" is marked with {', '.join(options)}. Hooks have no options: use @hookimpl alone."
    if not callable(function):
        return f" cannot be read: it is {describe(function)}. Make it a plain function."
    if inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function):
        return " is an async function. Make it a plain one: it hands out objects, and what is async lives on these."
    if name in OBSERVERS and inspect.isgeneratorfunction(function):
        return " is a generator, so its body would never run. Make it a plain function."
    try:
        parameters = inspect.signature(function).parameters.values()
    except ValueError:
        return " has no readable signature. A method's first argument is self."
    allowed = f"The hook may have {listed(HOOKS[name])}." if HOOKS[name] else "The hook has no arguments."
    for parameter in parameters:
        if parameter.kind not in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD):
            return f": {quote(parameter.name)} is no ordinary argument. {allowed}"
        if parameter.name not in HOOKS[name]:
            return f": there is no argument {quote(parameter.name)}. {allowed}"
    return ""
