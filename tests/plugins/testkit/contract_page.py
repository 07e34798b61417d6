"""The generated part of ``docs/contract.md``: ``python -m tests.plugins.testkit.contract_page`` writes it anew."""

from __future__ import annotations

from collections.abc import Iterator

from ditto_testkit import CHECKS, Check
from tests.support.project import ROOT

PAGE = ROOT / "docs/contract.md"
BEGIN, END = "<!-- checks -->\n", "<!-- end of checks -->\n"
HEADINGS = {
    "tool pack": "Tool packs",
    "output sink": "Output sinks",
    "executor": "Executors",
    "MCP client": "MCP clients",
}


def generated() -> str:
    """Give the sections of all checks, each under a heading that is its id."""
    return "\n".join(line for kind in HEADINGS for line in _kind(kind))


def _kind(kind: str) -> Iterator[str]:
    checks = [check for check in CHECKS.all() if check.subject == kind]
    yield f"## {HEADINGS[kind]}\n"
    yield "| check | what it holds |\n|---|---|"
    for check in checks:
        yield f"| [{check.id}](#{check.id.lower()}) | {_marked(check.title)} |"
    yield ""
    for check in checks:
        yield _section(check)


def _section(check: Check) -> str:
    why = " ".join((check.function.__doc__ or "").split())
    each = "each tool" if check.each_tool else f"the {check.subject}"
    tried = "with examples" if check.draws else "once"
    parts = [
        f"### {check.id}",
        f"{_marked(check.title)}. {why}",
        f"*Fix*: {_marked(check.fix)}.",
        f"*Looks at* {each}, {tried}; since level {check.since}.",
    ]
    return "\n\n".join(parts) + "\n"


def _marked(text: str) -> str:
    """Keep Markdown from reading signs of the text."""
    return "".join(f"\\{sign}" if sign in "*_[]{}<>" else sign for sign in text)


def written(page: str) -> str:
    """Give the page with its generated part as it has to be."""
    head, _, rest = page.partition(BEGIN)
    return f"{head}{BEGIN}\n{generated()}\n{END}{rest.partition(END)[2]}"


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
