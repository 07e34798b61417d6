"""Loading configurations, and option classes that are as small as they can be."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal, TypeAlias

import attrs
from attrs.validators import ge, le, matches_re

from ditto_core import Config, InvalidValue, JsonObject, duration

Load: TypeAlias = Callable[..., Config]
"""Writes a file with the text that it is given, and loads it."""


@attrs.frozen(kw_only=True)
class Window:
    """A class inside of another's options."""

    first_line: Annotated[int, ge(1)]
    last_line: int | None = None


@attrs.frozen(kw_only=True, eq=False)
class Orbit:
    """Has an option of each kind, all of them with defaults."""

    stream: Any = None
    mode: Literal["fast", "safe"] = "safe"
    max_rows: Annotated[int, ge(1), le(10)] = 5
    most: int | None = 100
    ratio: float = attrs.field(default=0.5, validator=[ge(0), le(1)])
    names: tuple[str, ...] = ()
    window: Window = attrs.field(factory=lambda: Window(first_line=1))
    extra: JsonObject = attrs.field(factory=dict)
    timeout: float = attrs.field(default=10.0, metadata=duration())
    pause: float | None = attrs.field(default=None, metadata=duration(0, 5_000))
    token: Annotated[str, matches_re("[a-z-]*")] = attrs.field(default="", repr=False)
    _hidden: bool = False

    def __attrs_post_init__(self) -> None:
        if self.token.startswith("hunter"):
            raise InvalidValue("Orbit.token", f"must not be {self.token!r}")
        for field, texts in (("names", self.names), ("extra", self.extra.values())):
            if any(str(text).startswith("hunter") for text in texts):
                raise InvalidValue(f"Orbit.{field}", f"must not hold {', '.join(map(str, texts))}")
        if self.ratio == 0.25:
            raise InvalidValue("Orbit.ratio", "must not be a quarter")
        if self.max_rows == 7:
            raise RuntimeError("seven rows are too many")


@attrs.frozen(kw_only=True)
class Brave:
    """The options that web search has in a file, and the key that it has not."""

    api_key: str
    timeout: float = attrs.field(default=30.0, metadata=duration())
    max_response_bytes: Annotated[int, ge(1), le(16_777_216)] = 1_048_576
