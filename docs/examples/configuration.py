"""A configuration: a file and the environment, and what the application makes of them."""

from __future__ import annotations

from pathlib import Path

from ditto_commands import CommandTools
from ditto_core import ConfigError, PluginHost, load_config, load_plugin
from ditto_local import LocalExecutor

FILE = Path(__file__).with_name("ditto.yaml")
ENVIRONMENT = {  # an application gives os.environ
    "DITTO_RUNTIME_ENV": "test",
    "DITTO_SHARED_SANDBOX_ALLOW_TOOLS": "cat, grep",
    "DITTO_SHARED_SANDBOX_ALLOW_EXECUTE": "true",
}


def main() -> None:
    """Load, make what was configured, and see what a misspelt name says."""
    config = load_config(FILE, ENVIRONMENT)
    print(config)
    print(config.runtime.graph_concurrency, config.runtime.max_turns)

    host = PluginHost()
    host.register(config.plugin("commands", CommandTools))
    host.register(load_plugin("console", config=config, format="json"))
    print([origin.plugin for origin in host.plugins])

    executor = LocalExecutor(["cat", "grep"], timeout=config.runtime.sandbox.timeout or 5.0)
    sandbox = config.sandbox(executor=executor)
    print(executor, sandbox, [tool.name for tool in host.tools.list(sandbox)])

    try:
        load_config(FILE, {"DITTO_SHARED_SANDBOX_ALLOW_TOOL": "cat"})
    except ConfigError as error:
        print(error)


if __name__ == "__main__":
    main()
