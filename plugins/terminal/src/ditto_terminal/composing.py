"""The plugins of a command line, loaded one by one and registered in a host."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final

import attrs

from ditto_core import Config, DittoError, PluginHost, Tool, load_config, load_plugin

from .given import Given, snake

_NO_FILE: Final = "can be given in code only, since no file can hold it"
"""How the core refuses the value of an option that a variable can still give."""


@attrs.frozen(kw_only=True)
class Composed:
    """A host with the plugins that could be had, and the names of those that could not."""

    host: PluginHost
    config: Config
    broken: tuple[str, ...]


def composed(
    plugins: Iterable[Given], file: Path | None, *, wrap: Callable[[Tool[Any]], Tool[Any]] | None = None
) -> Composed:
    """Load and register the plugins in their order. A broken one is told of on standard error, and the others work.

    Raises :class:`ConfigError` for a configuration file that cannot be read.
    """
    plugins = tuple(plugins)
    config = load_config(file, os.environ, plugins={one.name: dict(one.options) for one in plugins})
    host = PluginHost()
    broken = []
    for one in plugins:
        try:
            host.register(load_plugin(one.name, config=config, options=one.secrets), name=one.name, wrap=wrap)
        except DittoError as error:
            broken.append(one.name)
            sys.stderr.write(f"ditto: {type(error).__name__}: {_told(error, one)}\n")
    return Composed(host=host, config=config, broken=tuple(broken))


def _told(error: DittoError, one: Given) -> str:
    """Return what the error says, or, of an option of the command line that no file can hold, how it is given."""
    for key in one.options:
        if f".{key} {_NO_FILE}" in str(error):  # behind the plugin's name, which may stand in brackets
            option = f"{one.name}:{snake(key)}"
            return f"{option} cannot stand on a command line; name a variable that holds it: -p {option}=@VARIABLE"
    return str(error)
