"""What a rule about error text is; the rules themselves are in the modules beside this one."""

from __future__ import annotations

import re

import attrs


@attrs.frozen(kw_only=True)
class Rule:
    """One kind of text that is refused.

    ``name`` identifies the rule, ``what`` is the reason :func:`unsafe_reason` gives, ``why`` says in one line what
    is recognised. Every text in ``refused`` breaks this rule, every text in ``passed`` breaks none.
    """

    name: str
    what: str
    why: str
    pattern: re.Pattern[str]
    refused: tuple[str, ...]
    passed: tuple[str, ...]


# No ASCII letter or digit before: "disk-full" holds no "sk-" key and "https:/" no drive.
EDGE = r"(?<![A-Za-z0-9])"
