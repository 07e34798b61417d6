"""What a rule about error text is; the rules themselves are in the modules beside this one."""

from __future__ import annotations

import re
from functools import cached_property

import attrs


class Pattern:
    """A regular expression that is compiled when it is first searched for: most programs never see an error text."""

    def __init__(self, text: str, flags: re.RegexFlag = re.NOFLAG) -> None:
        self.text = text
        self._flags = flags

    @cached_property
    def _compiled(self) -> re.Pattern[str]:
        return re.compile(self.text, self._flags)

    def search(self, text: str) -> bool:
        """Tell whether `text` holds what is looked for."""
        return self._compiled.search(text) is not None


@attrs.frozen(kw_only=True)
class Rule:
    """One kind of text that is refused.

    ``name`` identifies the rule, ``what`` is the reason :func:`unsafe_reason` gives, ``why`` says in one line what
    is recognised. Every text in ``refused`` breaks this rule, every text in ``passed`` breaks none.
    """

    name: str
    what: str
    why: str
    pattern: Pattern
    refused: tuple[str, ...]
    passed: tuple[str, ...]


# No ASCII letter or digit before: "disk-full" holds no "sk-" key and "https:/" no drive.
EDGE = r"(?<![A-Za-z0-9])"
