"""Plugins by name: what is installed is listed without importing it, and loaded only when it is named."""

from __future__ import annotations

from ditto_core import PluginError, PluginHost, Sandbox, installed_plugins, load_plugin


def main() -> None:
    """List, load with options, register under a prefix, and see what a wrong name or option says."""
    for plugin in installed_plugins():
        if plugin.distribution in ("acme-pack", "ditto-console"):
            print(plugin.name, plugin.distribution, plugin.value)

    host = PluginHost()
    pack = load_plugin("acme", max_matches=50)
    host.register(pack, name="files", prefix="files_", exclude={"count_lines"})
    print([definition.name for definition in host.tools.list(Sandbox(tools=["*"]))])

    for name, options in (("acne", {}), ("acme", {"max_match": 50}), ("acme", {"max_matches": 0})):
        try:
            load_plugin(name, options=options)
        except PluginError as error:
            print(type(error).__name__, "-", str(error).partition(" Installed:")[0])


if __name__ == "__main__":
    main()
