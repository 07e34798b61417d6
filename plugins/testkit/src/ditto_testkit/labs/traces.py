"""What each tool has left behind until now: one check may find what the calls of another have left."""

from __future__ import annotations

import attrs

from .leftovers import Child, child_ids, identified
from .process_state import ProcessState, process_state


@attrs.define(eq=False)
class Traces:
    """Notes, between the begin and the end of each check, what has come; the state of the process is put back then.

    What has come belongs to the tool that the check is about, which is empty for one about the whole plugin.
    """

    children: dict[Child, str] = attrs.field(factory=dict)
    """By child process, the tool that has started it."""
    changes: dict[str, list[str]] = attrs.field(factory=dict)
    """By tool, what it has changed in the state of the process, in words."""
    _before: ProcessState = attrs.field(factory=process_state)
    _known: set[int] = attrs.field(factory=set)

    def begin(self) -> None:
        """Begin a check."""
        self._before = process_state()
        self._known = child_ids()

    def end(self, tool: str) -> None:
        """End a check about `tool`."""
        after = process_state()
        if found := self._before.changes(after):
            self.changes.setdefault(tool, []).extend(found)
            self._before.restore()
        for child in identified(child_ids() - self._known):
            self.children.setdefault(child, tool)
