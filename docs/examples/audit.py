"""A record of every call: who acted, with what, how it ended; never what was given or what came back."""

from __future__ import annotations

import asyncio
import io
import json
from pathlib import Path
from typing import ClassVar, TextIO

import attrs

from acme_pack import AcmePack
from ditto_core import (
    ACT_TOOL,
    CallFinished,
    PluginHost,
    Runtime,
    Sandbox,
    ToolCall,
    ToolInput,
    hookimpl,
    interaction_worker,
)


@attrs.frozen(eq=False)
class Audit:
    """Writes one line of JSON for each call that has ended. The stream is the application's, which closes it."""

    api_version: ClassVar[int] = 1

    stream: TextIO

    @hookimpl
    def ditto_call_finished(self, event: CallFinished) -> None:
        """Write the line. It is ASCII without line ends, whatever id a caller has chosen."""
        call = event.call
        line = {
            "time_ns": call.started_ns,
            "ms": event.duration_ns // 1_000_000,
            "node": call.node,
            "name": call.name,
            "id": call.call_id,
            "plugin": call.origin.plugin if call.origin else None,
            "graph": call.execution.graph if call.execution else None,
            "outcome": event.outcome,
            "error": event.error,
        }
        self.stream.write(json.dumps(line) + "\n")


async def main() -> None:
    """Make calls that end in different ways, and read the record; times are left out here."""
    record = io.StringIO()
    host = PluginHost()
    host.register(AcmePack())
    host.register(Audit(record))
    sandbox = Sandbox(Path(__file__).parent, tools=["*"], read=True)
    async with Runtime(workers=[interaction_worker(tools=host.tools)], sandbox=sandbox) as runtime:
        for id, name, path in (("c1", "read_text", "audit.py"), ("c\n2", "read_text", "no.py"), ("c3", "rm", ".")):
            call = ToolInput(call=ToolCall(id=id, name=name, arguments={"path": path}))
            await asyncio.gather(runtime.invoke(ACT_TOOL, call), return_exceptions=True)
    for line in record.getvalue().splitlines():
        print({key: value for key, value in json.loads(line).items() if key not in {"time_ns", "ms"}})


if __name__ == "__main__":
    asyncio.run(main())
