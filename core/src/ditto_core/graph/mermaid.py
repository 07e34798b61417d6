"""Graphs as pictures, in the language of Mermaid's flowcharts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from .step import Step

_ENTITY = re.compile(r"""["#&<>`\\]""")


def flowchart(steps: Sequence[Step[Any]]) -> str:
    """Return the text of a flowchart: a box for each step, an arrow from each step to those that wait for it."""
    names = {step: f"n{index}" for index, step in enumerate(steps)}
    lines = ["flowchart TD"]
    for step, name in names.items():
        called = step.node if isinstance(step.node, str) else step.node.type
        lines.append(f'    {name}["{_escaped(step.id)}<br/>{_escaped(called)}"]')
    for step, name in names.items():
        lines += [f"    {names[one]} --> {name}" for one in dict.fromkeys(step.after)]
    return "\n".join(lines) + "\n"


def _escaped(text: str) -> str:
    """Write what Mermaid or HTML would read as more than text by its number."""
    return _ENTITY.sub(lambda found: f"#{ord(found.group())};", text)
