"""``-p NAME[:KEY=VALUE]``: which plugins a command line names, and what it tells them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

import attrs
import typer

from ditto_core import InvalidValue, parse_json

_NAME: Final = re.compile(r"[^:=\s]+")
_KEY: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_SECRET: Final = re.compile(r"@([A-Za-z_][A-Za-z0-9_]*)")


@attrs.frozen(kw_only=True, repr=False)
class Given:
    """One plugin: ``options`` under the keys of a configuration file, ``secrets`` as keyword arguments."""

    name: str
    options: Mapping[str, Any]
    secrets: Mapping[str, str]


def given(words: Iterable[str], environment: Mapping[str, str] = os.environ) -> tuple[Given, ...]:
    """Return the plugins in the order in which they are named first; one named again gets more options.

    A value is JSON where it parses as JSON, and text otherwise; ``@NAME`` takes the text of a variable of the
    environment, so that no secret stands on a command line. ``base_url`` and ``baseUrl`` are the same key. Raises
    :class:`typer.BadParameter`.
    """
    options: dict[str, dict[str, Any]] = {}
    secrets: dict[str, dict[str, str]] = {}
    for word in words:
        name, colon, option = word.partition(":")
        if not _NAME.fullmatch(name):
            raise _bad(f"{word.partition('=')[0]!r} names no plugin; write -p NAME or -p NAME:KEY=VALUE")
        options.setdefault(name, {})
        secrets.setdefault(name, {})
        if not colon:
            continue
        key, equals, value = option.partition("=")
        if not equals or not _KEY.fullmatch(key):
            raise _bad(f"{name}: an option is KEY=VALUE, as in -p {name}:key=value")
        if key in secrets[name] or _camel(key) in options[name] or snake(key) in secrets[name]:
            raise _bad(f"{name}: the option {key} is given twice; keep one")
        secret = _SECRET.fullmatch(value)
        if secret is None:
            options[name][_camel(key)] = _value(value)
        elif secret[1] in environment:
            secrets[name][snake(key)] = environment[secret[1]]
        else:
            raise _bad(f"{name}: {key} is to be the variable {secret[1]}, which is not set; export it")
    return tuple(Given(name=name, options=options[name], secrets=secrets[name]) for name in options)


def _value(text: str) -> Any:
    try:
        return parse_json(text)
    except InvalidValue:
        return text


def _camel(key: str) -> str:
    return re.sub(r"(?<=[a-z0-9])_([a-z0-9])", lambda found: found[1].upper(), key)


def snake(key: str) -> str:
    """Return the keyword argument of a key: ``api_key`` of ``apiKey``."""
    return re.sub(r"(?<=[a-z0-9])([A-Z])", lambda found: f"_{found[1].lower()}", key)


def _bad(problem: str) -> typer.BadParameter:
    return typer.BadParameter(problem, param_hint="-p")
