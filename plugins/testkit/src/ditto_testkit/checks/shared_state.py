"""TP-044: what belongs to the whole process is left as it was."""

from __future__ import annotations

from typing import Any

from ..audit import recording
from ..fakes import ScriptedExecutor, printed
from ..labs.process_state import StateWatch, process_state
from ..labs.tool_case import ToolCase
from .model import call_text, check, fail


@check(
    "TP-044",
    title="A call changes nothing that the whole process shares",
    fix="work with paths of the sandbox instead of os.chdir, give variables to a command (env NAME=VALUE) instead of "
    "setting os.environ, and leave umask, locale, signals, sys.path, streams and the root logger to the application",
    each_tool=True,
)
def process_stays_as_it_was(case: ToolCase, data: Any) -> None:
    """Other calls run meanwhile, in the same process, and the application after them; nobody told them.

    Looked at are the working directory, the environment, umask, locale, handlers of signals, sys.path, the recursion
    limit, the default timeout of sockets, the root logger and the standard streams. A directory or a variable that is
    put back before the call ends has been another for all others meanwhile, and counts.
    """
    failures = (OSError(5, "Input/output error"), printed(exit_code=1)) if "execute" in case.effects else ()
    for given in case.samples:
        for answer in (printed("one\n"), *failures):
            _leaves_it(case, given, answer)
    earlier = case.lab.traces.changes.get(case.name)
    if earlier:
        fail(f"{case.name!r} changes what the whole process shares", changed=earlier, call="one of an earlier check")


def _leaves_it(case: ToolCase, given: Any, answer: Any) -> None:
    sandbox = case.sandbox(executor=ScriptedExecutor(answer))
    before, watch = process_state(), StateWatch()
    with recording(watch):
        case.call(given, sandbox)
    after = process_state()
    found = list(dict.fromkeys([*before.changes(after), *watch.changed]))
    if found:
        before.restore()
        fail(f"{case.name!r} changes what the whole process shares", changed=found, call=call_text(case.name, given))
