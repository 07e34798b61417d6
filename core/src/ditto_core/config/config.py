"""What was loaded: settings, permissions, and the sections of plugins, none of which has been used yet."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import attrs

from ..errors import InvalidValue
from ..sandbox import CommandExecutor, Sandbox
from ..text import describe

if TYPE_CHECKING:
    from .section import Section
    from .settings import Permissions, RunsAs, RuntimeSettings
    from .source import Source

C = TypeVar("C")


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Config:
    """A configuration that :func:`load_config` has read. It never changes, and what it hands out is a copy.

    - ``runtime``: the settings of the group ``runtime``, under names in snake case and with durations in seconds, such
      as ``runtime.timeout`` and ``runtime.react.max_action_calls``; None where the file says nothing.
    - ``environment``: ``development``, ``test`` or ``production``.
    - ``workspace``: the folder that the environment names, or the current one, as an absolute path.
    - ``permissions``: what the environment says that a sandbox may allow: ``tools``, ``mcp`` and ``network``, which
      are frozen sets of names, and the flags ``read``, ``write`` and ``execute``.

    It has made nothing and permits nothing: a sandbox exists once :meth:`sandbox` is called, a plugin once
    :meth:`plugin` or :func:`load_plugin` is.
    """

    runtime: RuntimeSettings
    environment: RunsAs
    workspace: Path
    permissions: Permissions
    _sections: Mapping[str, Section]
    _source: Source

    def __repr__(self) -> str:
        """Show no path of the host and no value of a section, which may be a secret."""
        return f"Config(environment={self.environment!r}, plugins={self.plugins!r})"

    @property
    def plugins(self) -> tuple[str, ...]:
        """The plugins that have a section, in the order of the file."""
        return tuple(self._sections)

    def sandbox(self, *, executor: CommandExecutor | None = None) -> Sandbox:
        """Return a sandbox that allows what the environment permits, in the workspace, with that executor."""
        return Sandbox(self.workspace, **attrs.asdict(self.permissions, recurse=False), executor=executor)

    def plugin(self, name: str, cls: Callable[..., C]) -> C:
        """Make an object of the class out of the plugin's section: its options, each checked by its type and rules.

        A key is the option's name in camel case (``maxEntries`` for ``max_entries``), or, for a :func:`duration`, with
        ``Ms`` at its end. An option without a key has its default, and a plugin without a section all of them. Null is
        no value of an option whose default is None. A function with annotated parameters will do instead of a class.

        Raises :class:`ConfigError` with the dotted path for an unknown key, a wrong type, a value out of range, for
        what the class refuses itself, and for an option that is missing or that only code can give.
        """
        return self.section(name).make(cls)  # type: ignore[no-any-return]

    def section(self, name: str) -> Section:
        """Return what the file says to a plugin, an empty section if it says nothing; `load_plugin` asks for it."""
        from .section import Section, section_path

        if type(name) is not str:
            raise InvalidValue("name", f"must be the name of a plugin, not {describe(name)}")
        known = self._sections.get(name)
        return Section(path=section_path(name), values={}, source=self._source) if known is None else known
