"""What a plugin says of itself beyond its definitions: the strictest by default, every exception with its reason."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

import attrs

from ditto_core import InvalidValue, describe, quote

MAX_TIMEOUT: Final = 86_400.0
"""The longest time, in seconds, after which a call is taken to hang: a day."""


def _field(attribute: attrs.Attribute[Any]) -> str:
    return f"Capabilities.{attribute.name}"


def _bytes(_: Capabilities, attribute: attrs.Attribute[Any], value: object) -> None:
    if type(value) is not int or value < 1:
        raise InvalidValue(_field(attribute), f"must be a number of bytes from 1 up, not {_shown(value)}")


def _seconds(_: Capabilities, attribute: attrs.Attribute[Any], value: object) -> None:
    if type(value) not in (int, float) or not 0 < value <= MAX_TIMEOUT:  # type: ignore[operator] # seen before
        problem = f"must be a number of seconds above 0, {MAX_TIMEOUT:g} at the most, not {_shown(value)}"
        raise InvalidValue(_field(attribute), problem)


def _reason(_: Capabilities, attribute: attrs.Attribute[Any], value: object) -> None:
    if type(value) is not str or (value and not value.strip()):
        raise InvalidValue(_field(attribute), f"must say why, in words, not {_shown(value)}")


def _reasons(_: Capabilities, attribute: attrs.Attribute[Any], value: object) -> None:
    if not isinstance(value, Mapping):
        problem = f"must give a reason for each tool, such as {{'lookup': 'why'}}, not {_shown(value)}"
        raise InvalidValue(_field(attribute), problem)
    for name, reason in value.items():
        if type(name) is not str:
            raise InvalidValue(_field(attribute), f"must have names of tools as keys, not {_shown(name)}")
        if type(reason) is not str or not reason.strip():
            raise InvalidValue(_field(attribute), f"needs a reason for {quote(name)}, in words, not {_shown(reason)}")


def _options(value: Any) -> Any:
    """Make a set of names, but of nothing that is a name itself."""
    if isinstance(value, str | Mapping) or not isinstance(value, Iterable):
        return value
    return frozenset(value)


def _are_options(_: Capabilities, attribute: attrs.Attribute[Any], value: object) -> None:
    if type(value) is not frozenset:
        raise InvalidValue(_field(attribute), f"must be a set of options such as {{'-e'}}, not {_shown(value)}")
    for option in value:
        if type(option) is not str or not option.startswith("-"):
            problem = f"must hold options, which begin with '-', and not {_shown(option)}"
            raise InvalidValue(_field(attribute), problem)


def _shown(value: object) -> str:
    return (
        repr(value) if type(value) in (bool, int, float) else quote(value) if type(value) is str else describe(value)
    )


@attrs.frozen(kw_only=True)
class Capabilities:
    """Declares what the checks of one plugin may not take for granted. Nothing has to be declared.

    Raises :class:`ditto_core.InvalidValue`, which names the field, for a reason that is empty, a limit that is none,
    and a value of another type.
    """

    max_result_bytes: int = attrs.field(default=1_048_576, validator=_bytes)
    """Tool packs: the most bytes of UTF-8 that all texts of one result have together. 1 MiB."""

    call_timeout: float = attrs.field(default=30.0, validator=_seconds)
    """Seconds after which a call is taken to hang. It bounds the wait; no verdict comes from being slow."""

    narrower_than_schema: Mapping[str, str] = attrs.field(factory=dict, validator=_reasons)
    """Tool packs: by tool, why ``validate`` refuses arguments that its schema allows. A tool made with
    ``@tool(narrower=…)`` has said it already."""

    not_repeatable: Mapping[str, str] = attrs.field(factory=dict, validator=_reasons)
    """Tool packs: by tool, why the same call may give another answer although it only reads. Search providers: under
    ``search``."""

    option_values: frozenset[str] = attrs.field(default=frozenset(), converter=_options, validator=_are_options)
    """Tool packs: options of programs behind which the next word is their value, so that it may begin with ``-``:
    ``{"-e"}`` for ``grep -e PATTERN``. An option that comes and goes with its value need not be named."""

    unobservable: str = attrs.field(default="", validator=_reason)
    """Output sinks: why the contract cannot say what has arrived (``delivered`` is then not asked)."""

    unprobed: Mapping[str, str] = attrs.field(factory=dict, validator=_reasons)
    """MCP clients: why the contract leaves out ``echo``, ``failing``, ``endless``, ``hidden`` or ``reached``."""

    unbreakable: str = attrs.field(default="", validator=_reason)
    """Output sinks: why there is no receiving end that fails (``broken_sink`` is then not asked)."""

    no_backend: str = attrs.field(default="", validator=_reason)
    """Search providers: why there is no HTTP backend that the kit could play (``provider_at`` is then not asked). A
    provider with an origin is then not searched at all. Tool packs with the effect ``network``: why there is none for
    ``pack_at``."""

    accepted_replies: Mapping[str, str] = attrs.field(factory=dict, validator=_reasons)
    """Search providers: by name of a reply of :func:`~ditto_testkit.fakes.hostile_replies`, why it is an answer."""

    max_search_bytes: int = attrs.field(default=8_388_608, validator=_bytes)
    """Search providers: by how many bytes the memory of Python may grow while a hostile reply is read. 8 MiB."""
