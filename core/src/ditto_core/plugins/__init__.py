"""Plugins: what they may offer, how they are found, checked and registered."""

from .hookspecs import API_VERSION, HookSpecifications, hookimpl
from .host import PluginHost
from .installed import InstalledPlugin, installed_plugins
from .loading import load_plugin
from .origin import Origin

__all__ = [
    "API_VERSION",
    "HookSpecifications",
    "InstalledPlugin",
    "Origin",
    "PluginHost",
    "hookimpl",
    "installed_plugins",
    "load_plugin",
]
