"""TP-028: what a backend says stays out of errors, metadata and references."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any, Final

import attrs

from ditto_core import CommandResult, CommandTimeout

from ..fakes import ScriptedExecutor, printed
from ..labs.telling import ANYWHERE, BESIDE_OUTPUT, IN_ERROR, told
from ..labs.tool_case import ToolCase
from .model import call_text, check, fail

SAID: Final = "kitsaid93b1f0"
"""Stands in what backends say and nowhere else; nothing about it looks like a secret."""
_WORDS: Final = (
    f"fatal: no record of {SAID}",
    f'Authorization: Bearer {SAID}\n  File "/home/ditto/{SAID}.py", line 1',
)
"""Harmless to every rule for messages, and what those rules refuse."""
_STATUSES: Final = (1, 2, 128)
_LINE_ENDS: Final = (("\n", ""), ("", ", without a line end"))
"""A rule for messages that refuses line ends would hide what is told; most programs end a line, and some do not."""


@attrs.frozen
class _Words:
    """What an executor does with a command, where its words may stand in no case, and how a reader calls it."""

    title: str
    answer: CommandResult | Exception
    closed: frozenset[str]


def _said(words: str) -> Iterator[_Words]:
    for failure in (OSError(5, words), RuntimeError(words)):
        yield _Words(f"it raised {type(failure).__name__}: {words}", failure, ANYWHERE)
    timeout = CommandTimeout("Command 'x' did not end within 5 s.", stdout=words, stderr=words)
    yield _Words(f"CommandTimeout, with the output {words}", timeout, BESIDE_OUTPUT)
    for status, (end, how) in product(_STATUSES, _LINE_ENDS):
        ended = f"it ended with status {status}, with"
        lines = f"{words}{end}"
        yield _Words(f"{ended} the errors {words}{how}", printed(stderr=lines, exit_code=status), BESIDE_OUTPUT)
        yield _Words(f"{ended} the output {words}{how}", printed(lines, exit_code=status), IN_ERROR)
    for end, how in _LINE_ENDS:
        yield _Words(f"it succeeded, with the errors {words}{how}", printed("one\n", f"{words}{end}"), BESIDE_OUTPUT)


@check(
    "TP-028",
    title="What a backend says in its failure goes nowhere but into the output",
    fix="write a fixed message for each failure; give what a command prints, its standard error too, as content or "
    "structured content, and str(error) of a backend nowhere; safe_message is no way around it, since it knows the "
    "look of some secrets and not what a text tells",
    each_tool=True,
    draws=True,
    share=0.5,
)
def failures_stay_secret(case: ToolCase, data: Any) -> None:
    """Backends speak of hosts, customers, keys and paths; errors and metadata are kept in logs and shown to anybody.

    The executor raises an exception of a library, whose words may come out nowhere. It ends with a status and words on
    its standard error, which may stand in content and structured content and not in the error, in metadata or in
    references. And it prints words and fails, which may not stand in the error. Two kinds of words are tried: harmless
    ones, which every rule for messages accepts, and some that look like a header and a path; what a command prints is
    tried with a line end and without one.
    """
    if "execute" not in case.effects:
        return
    case.once("TP-028", lambda: _keep_secret(case, case.samples))
    _keep_secret(case, [data.draw(case.usual, label=f"arguments for {case.name}")])


def _keep_secret(case: ToolCase, several: list[Any]) -> None:
    for given in several:
        for words in _WORDS:
            for said in _said(words):
                _keeps_secret(case, given, said)


def _keeps_secret(case: ToolCase, given: Any, said: _Words) -> None:
    ended = case.call(given, case.sandbox(executor=ScriptedExecutor(said.answer)))
    if ended.error is said.answer:
        return
    for where, text in told(ended, said.closed):
        if SAID in text.casefold():
            fail(
                f"{case.name!r} tells what its backend said",
                call=call_text(case.name, given),
                backend=said.title,
                where=where,
                told=text,
            )
