"""A section: what a file says to one plugin, and how what is wrong with it is told."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

import attrs

from ..contracts.json_values import JsonObject, copy_json_object
from ..errors import ConfigError
from ..tools.shapes.shape import Misfit, member
from .options import Options
from .source import Source
from .wording import told


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Section:
    """``path`` is where the section stands in the file, or would stand; ``values`` is empty if there is none."""

    path: str
    values: JsonObject
    source: Source

    def make(self, factory: Callable[..., Any]) -> Any:
        """Call a class or factory with the section alone; raises :class:`ConfigError`."""
        try:
            options = Options(factory)
            return options.make(options.read(copy_json_object(self.values)))
        except Misfit as misfit:
            refusal, cause = self.source.misfit(misfit, self.path), misfit.__cause__
        raise refusal from cause

    def arguments(self, factory: Callable[..., Any]) -> dict[str, Any]:
        """Return the keyword arguments that the section gives; raises :class:`ConfigError`."""
        if not self.values:
            return {}
        try:
            return Options(factory).read(copy_json_object(self.values))
        except Misfit as misfit:
            refusal = self.source.misfit(misfit, self.path)
        raise refusal

    def refusal(
        self, factory: Callable[..., Any], error: BaseException, given: Mapping[str, Any], by_code: Collection[str]
    ) -> ConfigError | None:
        """Return the error of a class's own check, if it is about an option that the section gave and nobody else."""
        if not self.values or not isinstance(error, Exception):
            return None
        options = Options(factory)
        option = options.named_by(error)
        if option is None or option.key not in self.values or option.argument in by_code:
            return None
        return self.source.misfit(options.refusal(error, told(error, given.values())), self.path)


def section_path(name: str) -> str:
    """Return where the section of a plugin of that name stands in a file."""
    return f"plugins{member(name)}"
