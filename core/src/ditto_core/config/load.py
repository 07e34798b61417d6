"""Loading: one file and the variables that are given. Nothing else is read, and nothing is built."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath

from ..contracts.json_values import JsonObject
from .config import Config


def load_config(
    path: str | PurePath | None = "ditto.yaml",
    env: Mapping[str, str] | None = None,
    *,
    plugins: Mapping[str, JsonObject] | None = None,
) -> Config:
    """Read a configuration file and Ditto's variables in ``env``.

    ``path`` names a file of YAML 1.2 (``.yaml``, ``.yml``; needs the extra ``ditto-core[yaml]``) or of JSON
    (``.json``), relative to the current folder; None stands for no file. ``env`` is what you give, such as
    ``os.environ``; left out, it is empty. ``plugins`` are keys of plugins' sections that you give yourself, such as
    ``{"commands": {"maxEntries": 100}}``, in place of what the file says to the same key. Nothing else is read,
    nothing is built and nothing is permitted.

    Raises :class:`ConfigError` for the first thing that is wrong, with the file, the line if it is known, and the
    dotted path of the key, or with the name of the variable; a value is never shown. Raises :class:`InvalidValue`
    for wrong arguments of this function.
    """
    # Read once, if at all, so whoever only imports the package does not pay for it.
    from .environment import read_environment
    from .file import read_file
    from .reading import overlaid, read_document, sections_of
    from .source import Source

    environment = read_environment(env)
    value, source = ({}, Source()) if path is None else read_file(path)
    document = read_document(value, source)
    return Config(
        runtime=document.runtime,
        environment=environment.runs_as,
        workspace=environment.workspace,
        permissions=environment.permissions,
        sections=sections_of(document, source)
        if plugins is None
        else overlaid(sections_of(document, source), plugins),
        source=source,
    )
