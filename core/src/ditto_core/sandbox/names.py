r"""File names as text: each name on disk has exactly one form, and UTF-8 can write it.

A name on disk is bytes, and they need not be UTF-8. Where they are not, the text has ``\xNN`` in their place; where
a name really holds such a sequence, its backslash is written ``\x5c``. So a listed name is always valid JSON, no two
names look alike, and each one opens its own file.
"""

from __future__ import annotations

import os
import re

_LIKE_AN_ESCAPE = re.compile(rb"\\(?=x(?:5c|[89a-f][0-9a-f]))")
_ESCAPE = re.compile(rb"\\x(5c|[89a-f][0-9a-f])")


def shown(raw: str) -> str:
    """Return the text form of a name as the ``os`` module gives it (with surrogates for bytes that are not UTF-8)."""
    return _LIKE_AN_ESCAPE.sub(rb"\\x5c", os.fsencode(raw)).decode("utf-8", "backslashreplace")


def on_disk(name: str) -> str:
    """Return the name that `name` is the text form of, as the ``os`` module takes it.

    Raises ``UnicodeEncodeError`` for a lone surrogate.
    """
    return os.fsdecode(_ESCAPE.sub(lambda escape: bytes.fromhex(escape[1].decode()), name.encode()))
