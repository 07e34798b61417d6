"""A configuration file as a whole: the settings that the core owns, and the sections that belong to plugins."""

from __future__ import annotations

from typing import Annotated, Final

import attrs
from attrs.validators import max_len, min_len

from ..contracts.json_values import JsonObject
from .settings import RuntimeSettings

MAX_SECTION_NAME: Final = 64
"""How long the name of a plugin's section may be."""

ALIASES: Final = {"commands": "commands", "webSearch": "brave"}
"""By the key below ``workers.interaction``, the plugin whose section it is."""


@attrs.frozen(kw_only=True)
class InteractionSections:
    """Other names of two plugins' sections."""

    commands: Annotated[JsonObject, "another name of plugins.commands"] | None = None
    web_search: Annotated[JsonObject, "another name of plugins.brave"] | None = None


@attrs.frozen(kw_only=True)
class WorkerSections:
    """Sections by the worker that they are about."""

    interaction: InteractionSections = attrs.field(factory=InteractionSections)


@attrs.frozen(kw_only=True)
class Document:
    """The whole file."""

    runtime: RuntimeSettings = attrs.field(factory=RuntimeSettings)
    workers: WorkerSections = attrs.field(factory=WorkerSections)
    plugins: Annotated[
        dict[Annotated[str, min_len(1), max_len(MAX_SECTION_NAME)], JsonObject],
        "options of plugins, each under the name that the plugin is installed under",
    ] = attrs.field(factory=dict)
