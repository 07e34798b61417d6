"""Where a tool, a sink or a search provider comes from."""

from __future__ import annotations

from ..text import escape, quote


class Origin:
    """The plugin that something comes from: its name in the host, its distribution and that one's version.

    ``distribution`` and ``version`` are None when the plugin belongs to no installed distribution. Unless they are
    given, they are looked up in the metadata of the plugin's ``module`` when somebody first asks, as messages do.
    """

    __slots__ = ("_found", "_module", "plugin")

    def __init__(
        self, plugin: str, distribution: str | None = None, version: str | None = None, *, module: str | None = None
    ) -> None:
        self.plugin = plugin
        self._module = module if distribution is None else None
        self._found = (distribution, version)

    @property
    def distribution(self) -> str | None:
        """The name of the distribution that the plugin was installed with, or None."""
        return self._looked_up()[0]

    @property
    def version(self) -> str | None:
        """The version of that distribution, or None."""
        return self._looked_up()[1]

    def _looked_up(self) -> tuple[str | None, str | None]:
        if self._module is not None:
            from .installed import provider_of

            self._found = provider_of(self._module) or (None, None)
            self._module = None
        return self._found

    def __str__(self) -> str:
        """Say ``plugin 'acme' (acme-pack 1.2)``, on one line."""
        distribution, version = self._looked_up()
        known = " ".join(escape(text) for text in (distribution, version) if text)
        return f"plugin {quote(self.plugin)} ({known})" if known else f"plugin {quote(self.plugin)}"

    def __repr__(self) -> str:
        return f"Origin({self.plugin!r}, {self.distribution!r}, {self.version!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Origin):
            return NotImplemented
        return (self.plugin, *self._looked_up()) == (other.plugin, *other._looked_up())

    def __hash__(self) -> int:
        return hash(self.plugin)
