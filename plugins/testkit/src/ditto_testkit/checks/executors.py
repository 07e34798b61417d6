"""EX-001 to EX-008, EX-013: what a command gets and what comes back."""

from __future__ import annotations

import inspect
import json
import os
from pathlib import Path
from typing import Any, Final

from hypothesis import strategies as st

from ditto_core import Command, CommandResult, CommandTimeout, CommandUnavailable, PermissionDenied

from ..labs.executors import ExecutorLab, ExecutorSubject
from ..labs.loop import Ended
from ..labs.surroundings import copied_from, memory, standard_input, variables
from ..strategies.outputs import output_bytes
from ..strategies.texts import NASTY, nasty_texts
from .model import check, fail

PRINT: Final = (
    "import os, sys\n"
    "for stream, text in ((1, sys.argv[1]), (2, sys.argv[2])):\n"
    "    data = bytes.fromhex(text)\n"
    "    while data: data = data[os.write(stream, data):]\n"
    "os._exit(int(sys.argv[3]))"
)
"""Prints two outputs that are given in hexadecimal, and exits with a status."""

MOST_KEPT: Final = 33_554_432
"""How many bytes of memory a command that prints without end may take here: 32 MiB."""

CANARY: Final = "ditto-testkit-canary"
NAMES: Final = ("DITTO_TESTKIT", "API_TOKEN", "GITHUB_TOKEN", "LANG", "MAIL", "PYTHONPATH", "USER", "VIRTUAL_ENV")
"""The variables that hold the canary: some that nobody passes on, and some that are often thought harmless."""


def result_of(ended: Ended, command: Command) -> CommandResult:
    """Return the result of a command that had to give one."""
    if type(ended.value) is not CommandResult:
        got = type(ended.value).__name__ if ended.error is None else f"{type(ended.error).__name__}: {ended.error}"
        fail("a command gives no CommandResult", command=[command.program, *command.args], got=got)
    return ended.value


@check(
    "EX-001",
    title="The executor has 'local' and an async method run",
    fix="give it local: bool and async def run(self, command, *, workspace) -> CommandResult",
)
def shaped_like_one(subject: ExecutorSubject, data: Any) -> None:
    """A sandbox refuses other objects."""
    try:
        executor = subject.make(subject.capabilities.call_timeout)
    except Exception as error:
        fail("the executor could not be made", raised=f"{type(error).__name__}: {error}")
    if type(getattr(executor, "local", None)) is not bool:
        fail("the executor has no bool 'local'", local=getattr(executor, "local", None))
    if not inspect.iscoroutinefunction(getattr(executor, "run", None)):
        fail("the executor has no async method run", run=getattr(executor, "run", None))


@check(
    "EX-002",
    title="Outputs, sizes and exit status come back as they are",
    fix="decode UTF-8 with errors='replace'; count bytes before decoding; a status other than 0 is a "
    "result, no exception",
    draws=True,
    share=0.4,
)
def outputs_come_back(lab: ExecutorLab, data: Any) -> None:
    """A tool decides by the exit status and shows the output."""
    out, err = (data.draw(output_bytes(max_bytes=2_000), label=name) for name in ("stdout", "stderr"))
    status = data.draw(st.sampled_from([0, 1, 2, 127, 255]), label="exit status")
    command = lab.python(PRINT, out.hex(), err.hex(), str(status))
    found = result_of(lab.run(command), command)
    expected = CommandResult(
        stdout=out.decode(errors="replace"),
        stderr=err.decode(errors="replace"),
        exit_code=status,
        stdout_bytes=len(out),
        stderr_bytes=len(err),
        truncated=False,
        stopped=False,
    )
    if found != expected:
        fail("the result is not what the command did", expected=expected, got=found)


@check(
    "EX-003",
    title="Arguments reach the program as they are",
    fix="start the program without a shell and hand on the list of arguments unchanged",
    draws=True,
    share=0.4,
)
def arguments_arrive(lab: ExecutorLab, data: Any) -> None:
    """A shell would run `$(…)` that a model or a file wrote."""
    drawn = data.draw(st.lists(nasty_texts().filter(lambda text: "\0" not in text), max_size=20), label="arguments")
    # All known traps each time: whether a fault is found is no matter of which of them are drawn.
    words = ["", *(text for text in NASTY if "\0" not in text), *drawn]
    command = lab.python("import sys; print([a.encode().hex() for a in sys.argv[1:]])", *words)
    found = result_of(lab.run(command), command).stdout.strip()
    if found != str([word.encode().hex() for word in words]):
        lost = [word for word in words if repr(word.encode().hex()) not in found]
        fail("the program gets other arguments", given=lost or words, got=found)


@check(
    "EX-004",
    title="Standard input is empty",
    fix="give the null device as standard input",
)
def standard_input_is_empty(lab: ExecutorLab, data: Any) -> None:
    """A program that waits for input would wait for ever, or read what the application should."""
    command = lab.python("import os; print(len(os.read(0, 100)))")
    with standard_input():
        ended = lab.run(command)
    if isinstance(ended.error, CommandTimeout):
        fail("the program waits for its standard input", got=str(ended.error))
    found = result_of(ended, command)
    if found.stdout.strip() != "0":
        fail("the standard input of a program is not an empty one", bytes=found.stdout.strip(), stderr=found.stderr)


@st.composite
def _cuts(draw: st.DrawFn) -> tuple[bytes, int, int | None]:
    """Give an output with limits of bytes and lines: of any kind, and cut in each of the ways there are."""
    kind = draw(st.sampled_from(["any", "inside of a character", "after a line", "after a byte"]))
    count = draw(st.integers(2, 60))
    if kind == "inside of a character":
        return "😀".encode() * count, 4 * count - 1, None
    if kind == "after a line":
        return b"ab\n" * count, 3 * count, draw(st.integers(1, count - 1))
    if kind == "after a byte":
        return b"a" * count, draw(st.integers(1, count - 1)), None
    out = draw(output_bytes(max_bytes=3_000))
    lines = draw(st.none() | st.integers(1, out.count(b"\n") + 1))
    return out, draw(st.integers(1, len(out) + 5)), lines


@check(
    "EX-005",
    title="Outputs are cut to the command's limits, and a cut is said",
    fix="keep the first max_stdout and max_stderr bytes and max_lines lines, cut at a character; "
    "truncated exactly then",
    draws=True,
)
def outputs_are_bounded(lab: ExecutorLab, data: Any) -> None:
    """The tool that asks knows what its caller can bear."""
    err = data.draw(output_bytes(max_bytes=3_000), label="stderr")
    least = data.draw(st.integers(1, len(err) + 5), label="max_stderr")
    out, most, lines = data.draw(_cuts(), label="stdout, max_stdout, max_lines")
    command = lab.python(PRINT, out.hex(), err.hex(), "0", max_stdout=most, max_stderr=least, max_lines=lines)
    found = result_of(lab.run(command), command)
    facts = {"stdout": out, "stderr": err, "max_stdout": most, "max_stderr": least, "max_lines": lines, "got": found}
    whole, errors = out.decode(errors="replace"), err.decode(errors="replace")
    if len(found.stdout.encode()) > most or len(found.stderr.encode()) > least:
        fail("more bytes are kept than the command allows", **facts)
    if lines is not None and len(found.stdout.split("\n")) - found.stdout.endswith("\n") > lines:
        fail("more lines are kept than the command allows", **facts)
    if not (whole.startswith(found.stdout) and errors.startswith(found.stderr)):
        fail("what is kept is not the beginning of the output", **facts)
    if found.truncated != ((found.stdout, found.stderr) != (whole, errors)):
        fail("truncated is not true exactly when something is missing", **facts)
    if whole.isascii() and lines is None and len(found.stdout) != min(len(whole), most):
        fail("less is kept than the command allows", **facts)
    if (found.stdout_bytes, found.stderr_bytes) != (len(out), len(err)):
        fail("the sizes are not those of the outputs", **facts)
    missing = {
        name for name, kept, all in (("stdout", found.stdout, whole), ("stderr", found.stderr, errors)) if kept != all
    }
    if found.cut and found.cut != missing:
        fail("cut does not name the outputs of which something is missing", missing=missing, **facts)


@check(
    "EX-006",
    title="A command that prints without end is stopped",
    fix="read both outputs as they come, keep no more than the limits, and end the program some way after the cut",
)
def endless_output_is_stopped(lab: ExecutorLab, data: Any) -> None:
    """`yes` must neither fill the memory nor run until the deadline."""
    for stream in (1, 2):
        command = lab.python(f"import os\nwhile True: os.write({stream}, b'y\\n' * 4096)", max_stdout=1_000)
        with memory() as used:
            found = result_of(lab.run(command), command)
        if not (found.stopped and found.truncated and found.exit_code is None):
            fail("a command that prints without end is not said to be stopped", stream=stream, got=found)
        if used[0] > MOST_KEPT:
            fail("the output is kept in memory", stream=stream, limit=MOST_KEPT, kept=used[0])


@check(
    "EX-007",
    title="Nothing of the application's environment is inherited",
    fix="pass an environment of your own: env={'PATH': …}",
)
def environment_is_its_own(lab: ExecutorLab, data: Any) -> None:
    """Keys and tokens live in the application's environment; commands print it gladly."""
    with variables(dict.fromkeys(NAMES, CANARY)):
        command = lab.python("import json, os; print(json.dumps(dict(os.environ)))")
        found = result_of(lab.run(command), command).stdout
    try:
        given = json.loads(found)
    except ValueError:
        given = {}
    inherited = sorted(name for name, value in given.items() if CANARY in value) or copied_from(given, os.environ)
    if inherited:
        fail("the command inherits the application's environment", variables=inherited)


@check(
    "EX-008",
    title="Only the chosen programs run, and a refusal tells nothing of the host",
    fix="raise PermissionDenied for a program that is not in the list, CommandUnavailable for one that "
    "cannot be started",
)
def other_programs_are_refused(lab: ExecutorLab, data: Any) -> None:
    """The list of programs is the application's decision."""
    namesake = Path(lab.workspace, Path(lab.subject.program).name)
    namesake.write_text("#!/bin/sh\n", encoding="utf-8")
    namesake.chmod(0o755)
    for program in ("ditto-testkit-no-such-program", "/bin/sh", "sh", str(namesake), f"./{namesake.name}"):
        ended = lab.run(Command(program, ("-c", "true")))
        if not isinstance(ended.error, PermissionDenied | CommandUnavailable):
            got = ended.value if ended.error is None else f"{type(ended.error).__name__}: {ended.error}"
            fail("a program that nobody chose is not refused", program=program, got=got)
        if str(lab.workspace) in str(ended.error) and str(lab.workspace) not in program:
            fail("a refusal tells where the workspace is", refused=str(ended.error))


@check(
    "EX-013",
    title="The command runs in the workspace",
    fix="start it with cwd=workspace",
)
def runs_in_the_workspace(lab: ExecutorLab, data: Any) -> None:
    """Relative paths mean files of the workspace."""
    Path(lab.workspace, "here").write_text("", encoding="utf-8")
    if not lab.executor().local:
        return
    command = lab.python("import os; print(os.path.exists('here'))")
    found = result_of(lab.run(command), command).stdout.strip()
    if found != "True":
        fail("the command runs somewhere else", workspace="has a file 'here'", found=found)
