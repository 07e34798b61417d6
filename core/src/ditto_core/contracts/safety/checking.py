r"""Which error text may travel to a model or a log: accepted as it is or refused as a whole, never edited.

:data:`RULES` is the whole rule. It stops accidents (a library's exception text with a header, a path or a
traceback in it), not somebody who hides a secret on purpose; whoever writes a message still decides what is in
it. Full-width and other compatibility forms are read like the plain ones, joiners and variation selectors are
looked through; letters of other scripts that merely look alike are not. Not recognised either: percent-encoded
paths, a password in running prose (``the password is swordfish``), and random text without a mark of its kind.

Every pattern walks a text once or within a fixed window, so a hostile text costs no more than a harmless one.
"""

from __future__ import annotations

import re
import unicodedata

from ...errors import InvalidValue
from .credentials import CREDENTIALS
from .frames import FRAMES
from .paths import PATHS
from .rule import Pattern, Rule

MAX_MESSAGE = 512
"""How many code points an error message has at the most."""

RULES: tuple[Rule, ...] = (
    Rule(
        name="length",
        what=f"is longer than {MAX_MESSAGE} characters",
        why=f"a message has at most {MAX_MESSAGE} code points",
        pattern=Pattern(rf"\A.{{{MAX_MESSAGE + 1}}}", re.DOTALL),
        refused=("x" * (MAX_MESSAGE + 1),),
        passed=("x" * MAX_MESSAGE, "é" * MAX_MESSAGE, "\U0001f600" * MAX_MESSAGE),
    ),
    Rule(
        name="blank",
        what="is empty",
        why="a message says something",
        pattern=Pattern(r"\A\s*+\Z"),
        refused=("", "   ", "\u00a0\u3000"),
        passed=("x", "?"),
    ),
    Rule(
        name="control",
        what="holds a control character",
        why="C0 (tab and line ends too), DEL, C1, U+2028 and U+2029: a message is one line",
        pattern=Pattern("[\x00-\x1f\x7f-\x9f\u2028\u2029]"),
        refused=("a\nb", "a\tb", "a\r", "\x00", "\x1b[31mred", "a\x7fb", "a\x85b", "a\x9fb", "a\u2028b", "a\u2029b"),
        passed=("naïve café, 你好", "non\u00a0breaking"),
    ),
    Rule(
        name="surrogate",
        what="holds a lone surrogate",
        why="half a pair, which UTF-8 cannot write",
        pattern=Pattern("[\ud800-\udfff]"),
        refused=("a\ud800", "\udfff"),
        passed=("smile \U0001f600",),
    ),
    Rule(
        name="invisible",
        what="holds an invisible character",
        why="zero-width spaces, soft hyphens, direction marks and overrides, tags; joiners inside words pass",
        pattern=Pattern(
            "[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
        ),
        refused=("pass\u200bword", "\ufeffabc", "a\u202egpj.exe", "a\u2066b", "soft\u00adhyphen", "a\U000e0041b"),
        passed=("می\u200cخواهم", "\U0001f468\u200d\U0001f469\u200d\U0001f467", "heart \u2764\ufe0f"),
    ),
    *CREDENTIALS,
    *PATHS,
    *FRAMES,
)
"""Every rule, in the order in which it is tried. The documented table is made from it."""

# The plain reading of a short text may have more code points than a message: length is a matter of the text itself.
_LENGTH, _AFTER_LENGTH = RULES[0], RULES[1:]
_CODE = re.compile(r"[A-Za-z0-9_.-]{1,64}")
# Accepted, since words and emoji need them, but never allowed to hide a match.
_JOINERS = re.compile("[\u034f\u200c\u200d\ufe00-\ufe0f\U000e0100-\U000e01ef]")


def unsafe_reason(text: str) -> str | None:
    """Return why `text` may not be an error message, or None when it may.

    The reason is the ``what`` of the first rule of :data:`RULES` that `text` breaks; it never quotes the text.
    """
    if len(text) > MAX_MESSAGE:
        return _LENGTH.what
    readings = (text,) if text.isascii() else (text, _plain(text))
    for rule in _AFTER_LENGTH:
        if any(rule.pattern.search(reading) for reading in readings):
            return rule.what
    return None


def safe_message(text: object, fallback: str) -> str:
    """Return `text` if it is a string that may be an error message, else `fallback`; neither is ever edited.

    Raise :class:`InvalidValue` when `fallback` itself may not be one: that is a mistake in the program, so it
    shows at the first call and not at the first bad text.
    """
    problem = unsafe_reason(fallback)
    if problem:
        raise InvalidValue("fallback", f"{problem}; write a fixed text that says what failed")
    return text if type(text) is str and unsafe_reason(text) is None else fallback


def is_error_code(text: object) -> bool:
    """Tell whether `text` is a string of 1 to 64 ASCII letters, digits, ``_``, ``.`` or ``-``, and nothing else."""
    return type(text) is str and _CODE.fullmatch(text) is not None


def _plain(text: str) -> str:
    """Return `text` without joiners and with compatibility forms (full-width letters, …) replaced by plain ones."""
    return unicodedata.normalize("NFKC", _JOINERS.sub("", text))
