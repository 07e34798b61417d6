"""How text that somebody else chose is shown: always on one line, always short, never as an object's repr."""

from __future__ import annotations

import re
from collections.abc import Iterable

MAX_QUOTED = 100
"""How many code points of a foreign text a message quotes at the most."""

# C0, DEL, C1, the two Unicode line ends, and lone surrogates, which no stream can encode.
_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def escape(text: str) -> str:
    r"""Return `text` on one physical line: controls, line ends and lone surrogates become ``\n``, ``\x1b``, etc."""
    return _UNPRINTABLE.sub(_escaped, text)


def is_one_line(text: str) -> bool:
    """Tell whether `text` holds nothing that :func:`escape` would have to replace."""
    return text.isprintable() or _UNPRINTABLE.search(text) is None


def _escaped(found: re.Match[str]) -> str:
    character = found.group()
    code = ord(character)
    return _SHORT.get(character) or (f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}")


def quote(value: object) -> str:
    """Return a string in quotes, escaped and cut; of anything else only its kind, never its repr."""
    if type(value) is not str:
        return describe(value)
    return f"'{escape(value[:MAX_QUOTED])}{'…' if len(value) > MAX_QUOTED else ''}'"


def describe(value: object) -> str:
    """Return what kind of thing `value` is, without any of its content: ``"None"``, ``"a list"``, ``"an int"``."""
    if value is None:
        return "None"
    kind = escape(type(value).__name__)[:MAX_QUOTED]
    return f"{'an' if kind[:1].lower() in 'aeiou' else 'a'} {kind}"


def guess(name: str, names: Iterable[str]) -> str:
    """Return `` Did you mean 'x'?``, with the blank before it, when one of the names is like `name`; else nothing."""
    from difflib import get_close_matches

    near = get_close_matches(name[:100], list(names), n=1)
    return f" Did you mean {quote(near[0])}?" if near else ""
