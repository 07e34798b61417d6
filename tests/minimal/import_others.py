"""Says which of these packages cannot be imported."""

import importlib
from contextlib import suppress

refused = ["click", "httpx", "hypothesis", "jsonschema", "mcp", "pydantic", "pytest", "rich", "ruamel.yaml", "yaml"]
for name in tuple(refused):
    with suppress(ModuleNotFoundError):
        importlib.import_module(name)
        refused.remove(name)
print("refused:", *refused)
