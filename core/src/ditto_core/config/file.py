"""The one file that a configuration is read from."""

from __future__ import annotations

import os
import stat
from pathlib import Path, PurePath
from typing import Final

from ..contracts.json_values import JsonValue, check_json
from ..errors import InvalidValue
from ..text import describe
from .json_text import read_json
from .source import MAX_DEPTH, Source
from .yaml_text import read_yaml

MAX_BYTES: Final = 1_048_576
"""How large a configuration file may be."""

_READERS: Final = {".yaml": read_yaml, ".yml": read_yaml, ".json": read_json}


def read_file(path: str | PurePath) -> tuple[JsonValue, Source]:
    """Return what a file of YAML or JSON holds, and how messages name it; raises :class:`ConfigError`."""
    if not isinstance(path, str | PurePath):
        raise InvalidValue("path", f"must be the path of a file or None, not {describe(path)}")
    name = PurePath(path).name or "the file"
    reader = _READERS.get(PurePath(path).suffix.lower())
    if reader is None:
        raise Source(name).at(None, "is not named like a configuration; its name has to end in .yaml, .yml or .json")
    try:
        text = _read(path, name).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        refusal = Source(name).at(line, "is not UTF-8; save it as UTF-8")
    else:
        value, source = reader(text, name)
        try:
            check_json(value, max_depth=MAX_DEPTH)
        except InvalidValue as error:
            raise source.error(error.field, error.problem) from None
        return value, source
    raise refusal  # out here, so that the error has no context, which holds the file


def _read(path: str | PurePath, name: str) -> bytes:
    """Return the bytes of a regular file, which a pipe or a device would not end."""
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
    try:
        with open(os.open(Path(path), flags), "rb") as file:  # noqa: PTH123 - a descriptor is no path
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise Source(name).at(None, "is not a regular file; give the path of one")
            data = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        refusal = "does not exist; create it, or pass None to do without a file"
    except ValueError:
        refusal = "has a path that no file can have; give another"
    except OSError as error:
        refusal = f"could not be read: {os.strerror(error.errno) if error.errno else 'the system refused it'}"
    else:
        if len(data) <= MAX_BYTES:
            return data
        refusal = f"is larger than {MAX_BYTES:,} bytes; make it smaller"
    raise Source(name).at(None, refusal)
