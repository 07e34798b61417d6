"""Whether what an author declares beside a plugin can mean anything: types, and names of tools that there are."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from difflib import get_close_matches
from typing import Final

from hypothesis.strategies import SearchStrategy

from ditto_core import describe, quote

from .capabilities import Capabilities
from .subjects import Subject

MIN_SECRET: Final = 8
"""How many characters a secret has at the least: a shorter one may stand somewhere by chance."""

_BY_NAME: Final[dict[str, tuple[Callable[[object], bool], str]]] = {
    "arguments": (lambda value: isinstance(value, SearchStrategy), "strategies, such as st.fixed_dictionaries({…})"),
    "files": (lambda value: isinstance(value, str | bytes), "texts or bytes"),
    "providers": (lambda value: callable(getattr(value, "search", None)), "search providers, with a method search"),
}
"""The fields of subjects that are mappings from names: what their values have to be."""


def problems(subject: Subject, tools: Collection[str]) -> Iterator[str]:
    """Say what is wrong with the fields of a subject, each in one line that begins with the field."""
    for name, rule in _BY_NAME.items():
        if hasattr(subject, name):
            yield from _mapping_problems(name, getattr(subject, name), *rule)
    yield from _secret_problems(getattr(subject, "secrets", ()))
    if type(subject.capabilities) is not Capabilities:
        yield f"capabilities: must be Capabilities(…), not {describe(subject.capabilities)}"
        return
    if hasattr(subject, "program") and type(subject.program) is not str:
        yield f"program: must be the name or path of a Python, not {describe(subject.program)}"
    if tools or type(subject).tools is Subject.tools:  # a pack without tools is found by its first check
        yield from _name_problems(subject, tools)


def _secret_problems(secrets: object) -> Iterator[str]:
    if not isinstance(secrets, tuple | list):
        yield f"secrets: must be a list or a tuple of texts, not {describe(secrets)}"
        return
    for secret in secrets:
        if type(secret) is not str or len(secret) < MIN_SECRET:
            yield f"secrets: must be made-up texts of at least {MIN_SECRET} characters, which stand nowhere else"
            return


def _mapping_problems(field: str, value: object, fits: Callable[[object], bool], what: str) -> Iterator[str]:
    if not isinstance(value, Mapping):
        yield f"{field}: must be a mapping from names to {what}, not {describe(value)}"
        return
    for key, each in value.items():
        if type(key) is not str:
            yield f"{field}: must have names as keys, not {describe(key)}"
        elif not fits(each):
            yield f"{field}: must have {what} as values, but for {quote(key)} there is {describe(each)}"


def _name_problems(subject: Subject, tools: Collection[str]) -> Iterator[str]:
    """Say which names are those of no tool."""
    declared = subject.capabilities
    fields = {
        "arguments": getattr(subject, "arguments", {}),
        "capabilities: not_repeatable": declared.not_repeatable,
        "capabilities: narrower_than_schema": declared.narrower_than_schema,
    }
    for field, names in fields.items():
        for name in names if isinstance(names, Mapping) else ():
            if type(name) is str and name not in tools:
                yield f"{field}: there is no tool {quote(name)}; {nearest(name, tools)}"


def nearest(name: str, names: Iterable[str]) -> str:
    """Return what there is instead of `name`: names that are like it, or some of all."""
    known = sorted(names)
    near = get_close_matches(name, known, n=3)
    if near:
        return f"there is {' or '.join(near)}"
    few = ", ".join(known[:8]) + (", …" if len(known) > 8 else "")
    return f"there is {few or 'none at all'}"
