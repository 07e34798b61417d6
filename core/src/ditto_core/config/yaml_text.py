"""YAML 1.2 as a configuration file: what means JSON, and nothing else.

The library gives events, and what they mean is decided here. So no tag builds an object, there are no anchors and no
merge keys, no key stands twice, and scalars are those of the core schema.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from ..contracts.json_values import JsonObject, JsonValue
from ..errors import ConfigError
from ..text import MAX_QUOTED, escape
from ..tools.shapes.shape import member
from .scalars import Unusable, plain
from .source import MAX_DEPTH, Source

_CORE: Final = "tag:yaml.org,2002:"
_TAGS: Final = {
    "ScalarEvent": frozenset(f"{_CORE}{kind}" for kind in ("str", "null", "bool", "int", "float")),
    "MappingStartEvent": frozenset({f"{_CORE}map"}),
    "SequenceStartEvent": frozenset({f"{_CORE}seq"}),
}
_TAGGED: Final[dict[str, frozenset[type[Any]]]] = {
    f"{_CORE}null": frozenset({type(None)}),
    f"{_CORE}bool": frozenset({bool}),
    f"{_CORE}int": frozenset({int}),
    f"{_CORE}float": frozenset({int, float}),
}
_KINDS: Final[dict[type[Any], str]] = {int: "an integer", float: "a number", bool: "true or false"}


def read_yaml(text: str, name: str) -> tuple[JsonValue, Source]:
    """Return what the text holds; raises :class:`ConfigError`, also when the library is not installed."""
    try:
        from ruamel.yaml import YAML
        from ruamel.yaml.error import YAMLError
    except ImportError:
        raise Source(name).at(
            None,
            "is YAML, and what reads it is not installed. Run: pip install 'ditto-core[yaml]'; "
            "or write the file as JSON, under a name that ends in .json",
        ) from None
    reader = _Reader(name, YAML(typ="safe", pure=True).parse(text))
    try:
        return reader.document(), reader.source
    except YAMLError as error:
        refusal = _invalid(error, Source(name), text)
    raise refusal  # out here, so that the error has no context: its text shows what the file holds


class _Reader:
    """Reads the events of one document; the lines of its source grow with what was read."""

    def __init__(self, name: str, events: Iterator[Any]) -> None:
        self.lines: dict[str, int] = {}
        self.source = Source(name, self.lines)
        self._events = events

    def document(self) -> JsonValue:
        next(self._events)  # the stream begins
        start = next(self._events)
        if _kind(start) != "DocumentStartEvent":
            raise self.source.at(None, "is empty; write {} to set nothing")
        if start.version not in (None, (1, 2)):
            raise self.source.at(1, "says that it is not YAML 1.2; leave the line with %YAML out")
        value = self._value(next(self._events), "", 0)
        next(self._events)  # the document ends
        more = next(self._events)
        if _kind(more) != "StreamEndEvent":
            raise self._at(more, "", "holds a second document; keep one")
        return value

    def _value(self, event: Any, path: str, depth: int) -> JsonValue:
        self.lines[path] = _line(event)
        self._check(event, path)
        if _kind(event) == "ScalarEvent":
            return self._scalar(event, path)
        if depth == MAX_DEPTH:
            raise self._at(event, "", f"is nested more than {MAX_DEPTH} deep; flatten it")
        if _kind(event) == "MappingStartEvent":
            return self._object(path, depth + 1)
        values: list[JsonValue] = []
        while _kind(item := next(self._events)) != "SequenceEndEvent":
            values.append(self._value(item, f"{path}[{len(values)}]", depth + 1))
        return values

    def _object(self, path: str, depth: int) -> JsonObject:
        values: JsonObject = {}
        while _kind(event := next(self._events)) != "MappingEndEvent":
            key = self._key(event, path)
            inner = f"{path}{member(key)}".removeprefix(".")
            if key in values:
                raise self._at(event, inner, "stands here a second time; keep one")
            values[key] = self._value(next(self._events), inner, depth)
            self.lines[inner] = _line(event)  # that of the key, where a reader looks
        return values

    def _key(self, event: Any, path: str) -> str:
        self._check(event, path)
        if _kind(event) != "ScalarEvent":
            raise self._at(event, path, "has a list or an object as a key; a key is a string")
        if event.value == "<<" and not event.style:
            raise self._at(event, path, "has a merge key (<<), which is not read; write out what it stands for")
        key = self._scalar(event, path)
        if type(key) is not str:
            kind = _KINDS.get(type(key), "null or nothing")
            raise self._at(event, path, f"has a key that is {kind}; write it in quotes")
        return key

    def _check(self, event: Any, path: str) -> None:
        """Refuse aliases, anchors, and tags that are none of the core schema."""
        if event.anchor is not None:  # an alias has one too
            raise self._at(event, path, "has an anchor (&) or an alias (*), which is not read; write the value twice")
        if event.tag not in (None, "!") and event.tag not in _TAGS[_kind(event)]:
            raise self._at(event, path, "has a tag (!) that is not read; leave it out")

    def _scalar(self, event: Any, path: str) -> JsonValue:
        tag = event.tag
        if tag in ("!", f"{_CORE}str") or (tag is None and event.style):
            return _joined(event.value)
        try:
            value = plain(event.value)
        except Unusable as error:
            raise self._at(event, path, str(error)) from None
        if tag is not None and type(value) not in _TAGGED[tag]:
            raise self._at(event, path, "has a tag (!) that does not fit its value; leave it out")
        return value

    def _at(self, event: Any, path: str, problem: str) -> ConfigError:
        return self.source.at(_line(event), f"{path} {problem}".lstrip())


def _kind(event: Any) -> str:
    return type(event).__name__


def _line(event: Any) -> int:
    line: int = event.start_mark.line
    return line + 1


def _joined(text: str) -> str:
    r"""Return the text with pairs of surrogates as one character: JSON, which is YAML, writes ``\ud83d\ude00``."""
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def _invalid(error: Any, source: Source, text: str) -> ConfigError:
    """Return what the library found, without the piece of the file that it shows."""
    mark = getattr(error, "problem_mark", None)
    problem = getattr(error, "problem", None)
    if mark is not None and type(problem) is str:
        return source.at(mark.line + 1, f"is no valid YAML: {escape(problem[:MAX_QUOTED])}")
    position, character = getattr(error, "position", None), getattr(error, "character", None)
    if type(position) is int and type(character) is int:
        line = text.count("\n", 0, position) + 1
        return source.at(line, f"holds U+{character:04X}, a character that YAML forbids; escape it in double quotes")
    return source.at(None, "is no valid YAML")
