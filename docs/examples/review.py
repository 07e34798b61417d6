"""Review a folder with the read-only commands: ``python review.py [FOLDER] [--json]``.

The commands list, search, read and count the files, this program never does; the console sink delivers the report.
Exit status: 0 when the report was delivered, whatever it says; 1 when it was not; 2 when the folder cannot be listed.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections.abc import Iterable

from ditto_commands import CommandTools
from ditto_console import ConsoleSink
from ditto_core import (
    OUTPUT,
    DittoError,
    Message,
    MessageContent,
    OutputRequest,
    PluginHost,
    Runtime,
    Sandbox,
    interaction_worker,
)
from ditto_local import LocalExecutor
from reviewing.commands import TASKS, Commands
from reviewing.listing import Listing, UnusableFolder
from reviewing.progress import tell
from reviewing.reading import Reading
from reviewing.report import Report
from reviewing.searching import Searching

PROGRAMS = ["find", "cat", "grep", "wc", "tail"]


async def review(folder: str, *, as_json: bool) -> int:
    """Review the folder, deliver the report, and return the exit status."""
    host = PluginHost()
    host.register(CommandTools(max_entries=10_000, max_output_bytes=1_048_576))
    host.register(ConsoleSink(format="json" if as_json else "text"))
    worker = interaction_worker(tools=host.tools, output=host.sink("console"), concurrency=TASKS)
    sandbox = Sandbox(folder, tools=PROGRAMS, execute=True, executor=LocalExecutor(PROGRAMS, timeout=20))

    async with Runtime(workers=[worker], sandbox=sandbox) as runtime:
        report = await look_at(Commands(runtime), shown(folder))
        contents: Iterable[MessageContent] = report.records() if as_json else [report.text()]
        for number, content in enumerate(contents, start=1):
            message = Message(role="assistant", content=content)
            receipt = await runtime.invoke(OUTPUT, OutputRequest(delivery_id=f"report-{number}", message=message))
            if receipt.error:
                print(f"review: the report was not delivered: {receipt.error.message}", file=sys.stderr)
                return 1
    return 0


async def look_at(commands: Commands, folder: str) -> Report:
    """Return the report on the workspace: what there is, what is in it, and what is found in the text files."""
    report = Report(folder=folder)
    try:
        files = await Listing(commands, report).run()
        texts = await Reading(commands, report).run(files)
        await Searching(commands, report).run(texts)
    finally:
        tell("")
    return report


def shown(folder: str) -> str:
    """Return the folder's name as text that can be written anywhere."""
    return os.fsencode(folder).decode("utf-8", "backslashreplace")


def main() -> int:
    """Read the command line and return the exit status."""
    parser = argparse.ArgumentParser(description="Review the text files of a folder.")
    parser.add_argument("folder", nargs="?", default=".", help="the folder to review (default: this one)")
    parser.add_argument("--json", action="store_true", help="write the report as JSON lines")
    arguments = parser.parse_args()
    try:
        return asyncio.run(review(arguments.folder, as_json=arguments.json))
    except (UnusableFolder, DittoError) as error:
        print(f"review: {shown(arguments.folder)!r} cannot be reviewed: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
