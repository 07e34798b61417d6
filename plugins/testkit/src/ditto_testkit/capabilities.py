"""What a plugin says of itself beyond its definitions: the strictest by default, every exception with its reason."""

from __future__ import annotations

from collections.abc import Mapping

import attrs
from attrs.validators import and_, deep_iterable, deep_mapping, ge, instance_of, min_len

_reason = and_(instance_of(str), min_len(1))
_reasons = deep_mapping(instance_of(str), _reason)


@attrs.frozen(kw_only=True)
class Capabilities:
    """Declares what the checks of one plugin may not take for granted. Nothing has to be declared.

    Raises ``ValueError`` or ``TypeError`` for a reason that is empty and a limit that is none.
    """

    max_result_bytes: int = attrs.field(default=1_048_576, validator=[instance_of(int), ge(1)])
    """Tool packs: the most bytes of UTF-8 that all texts of one result have together. 1 MiB."""

    call_timeout: float = attrs.field(default=30.0, validator=instance_of((int, float)))
    """Seconds after which a call is taken to hang. It bounds the wait; no verdict comes from being slow."""

    narrower_than_schema: Mapping[str, str] = attrs.field(factory=dict, validator=_reasons)
    """Tool packs: by tool, why ``validate`` refuses arguments that its schema allows. A tool made with
    ``@tool(narrower=…)`` has said it already."""

    not_repeatable: Mapping[str, str] = attrs.field(factory=dict, validator=_reasons)
    """Tool packs: by tool, why the same call may give another answer although it only reads."""

    option_values: frozenset[str] = attrs.field(
        default=frozenset(), converter=frozenset, validator=deep_iterable(instance_of(str))
    )
    """Tool packs: options of programs behind which the next word is their value, so that it may begin with ``-``:
    ``{"-e"}`` for ``grep -e PATTERN``. An option that comes and goes with its value need not be named."""

    unobservable: str = attrs.field(default="", validator=instance_of(str))
    """Output sinks: why the contract cannot say what has arrived (``delivered`` is then not asked)."""

    unprobed: Mapping[str, str] = attrs.field(factory=dict, validator=_reasons)
    """MCP clients: why the contract leaves out ``echo``, ``failing``, ``endless``, ``hidden`` or ``reached``."""

    unbreakable: str = attrs.field(default="", validator=instance_of(str))
    """Output sinks: why there is no receiving end that fails (``broken_sink`` is then not asked)."""
