"""Loads a configuration of JSON, and one of YAML, which cannot be read here."""

import tempfile
from pathlib import Path

from ditto_core import ConfigError, load_config

with tempfile.TemporaryDirectory() as folder:
    path = Path(folder, "ditto.json")
    path.write_text('{"runtime": {"maxTurns": 5}}', encoding="utf-8")
    print(path.name, load_config(path).runtime.max_turns)
    path = Path(folder, "ditto.yaml")
    path.write_text("runtime: {maxTurns: 5}", encoding="utf-8")
    try:
        load_config(path)
    except ConfigError as error:
        print(error)
