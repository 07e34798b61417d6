"""What the pages say to type after ``ditto`` are options of that very command."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator

import pytest
from typer.main import get_command

from ditto_terminal.app import app
from tests.docs.command_help import commands, help_of
from tests.support.project import ROOT, files

SPOKEN = re.compile(r"`(ditto [^`]*|--?[a-z][^`]*)`")
TYPED = re.compile(r"^(?:\$ )?(?:\.venv/bin/)?(ditto .*)$", re.MULTILINE)
TYPED_BY_SHELLS = {"--install-completion", "--show-completion"}


def options() -> dict[tuple[str, ...], set[str]]:
    """Give the options of every command, by its words."""
    found = {}
    for words in commands():
        command = get_command(app)
        for word in words:
            command = command.commands[word]  # type: ignore[attr-defined]
        found[words] = {one for parameter in command.params for one in (*parameter.opts, *parameter.secondary_opts)}
        found[words] = {one for one in found[words] if one.startswith("-")} | {"--help"}
    return found


OPTIONS = options()
ALL = set[str]().union(*OPTIONS.values()) | TYPED_BY_SHELLS


def strange(line: str) -> Iterator[str]:
    """Give what a line has that looks like an option and is none of its command."""
    words = shlex.split(line.replace("…", " "))
    if not line.startswith("ditto "):
        yield from (word for word in words[:1] if word.partition("=")[0] not in ALL)
        return
    given = words[1:]
    known = set(OPTIONS[()]) | TYPED_BY_SHELLS
    command: tuple[str, ...] = ()
    for word in given:
        if (*command, word) in OPTIONS:
            command = (*command, word)
            known |= OPTIONS[command]
    yield from (word for word in given if re.match(r"--?[a-z]", word) and word.partition("=")[0] not in known)


@pytest.mark.promise("D-QUAL-07b")
def test_no_page_has_an_option_that_its_command_does_not_have() -> None:
    for path in files(".md", below=ROOT):
        text = path.read_text(encoding="utf-8")
        spoken = [line for line in SPOKEN.findall(text) if line.startswith("ditto ") or path.name == "cli.md"]
        assert {line: found for line in (*spoken, *TYPED.findall(text)) if (found := [*strange(line)])} == {}, path


@pytest.mark.promise("D-QUAL-07b")
def test_the_help_that_the_guide_shows_has_every_option() -> None:
    for words, known in OPTIONS.items():
        shown = set(re.findall(r"(?<![\w-])--?[a-z][a-z-]*", help_of(words)))
        assert known <= shown, words


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("ditto tools -p commands --json", []),
        ("ditto tools --yes", ["--yes"]),
        ("ditto mcp serve --port 5 -q", ["-q"]),
        ("ditto --debug call grep --allow=tools:grep", []),
        ("--allow tools:NAME", []),
        ("--alow tools:NAME", ["--alow"]),
    ],
)
def test_a_strange_option_is_found(line: str, found: list[str]) -> None:
    assert [*strange(line)] == found
