"""Whether a configuration file is right: the core's keys, the variables, and the sections by their plugins."""

from __future__ import annotations

import importlib
import os
from operator import attrgetter
from pathlib import Path
from typing import Any

from ditto_core import Config, ConfigError, InstalledPlugin, guess, installed_plugins, load_config

from .exits import Exit
from .printing import shown_on_one_line, write


def check_file(file: Path) -> Exit:
    """Write what each part of a configuration is, and return the exit status; no plugin is made.

    Only plugins that have a section are imported. Raises :class:`ConfigError` for the first thing that is wrong
    elsewhere.
    """
    config = load_config(file, os.environ)
    write(f"{file.name} and the variables: right")
    verdicts = {name: _verdict(config, name) for name in config.plugins}
    for name, verdict in verdicts.items():
        write(f"{shown_on_one_line(name)}: {shown_on_one_line(verdict or 'right')}")
    return Exit.FAILED if any(verdicts.values()) else Exit.SUCCESS


def _verdict(config: Config, name: str) -> str | None:
    """Return what is wrong with the section of a plugin; None if nothing is."""
    installed = installed_plugins()
    offers = [plugin for plugin in installed if plugin.name == name]
    if len(offers) != 1:
        near = guess(name, [plugin.name for plugin in installed])
        return f"cannot be checked: {len(offers) or 'no'} plugins of that name are installed.{near}"
    try:
        factory = _imported(offers[0])
    except Exception as error:
        return f"cannot be checked: {offers[0].value} could not be imported ({type(error).__name__})"
    try:
        config.section(name).arguments(factory)
    except ConfigError as error:
        return str(error)
    return None


def _imported(plugin: InstalledPlugin) -> Any:
    module = importlib.import_module(plugin.module)
    return attrgetter(plugin.attribute)(module) if plugin.attribute else module
