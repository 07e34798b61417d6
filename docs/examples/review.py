"""Review a folder with the tools of a pack: ``python review.py [FOLDER] [--json]``.

The pack ``acme`` lists, searches and reads the files, this program never does; the console sink delivers the report.
Exit status: 0 when the report was delivered, whatever it says; 1 when it was not; 2 when the folder cannot be listed.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections.abc import Iterable

from reviewing.workspace import TASKS, Review, UnusableFolder

from acme_pack import AcmePack
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

MAX_FILES = 5_000
MAX_BYTES = 1_048_576


async def review(folder: str, *, as_json: bool) -> int:
    """Review the folder, deliver the report, and return the exit status."""
    host = PluginHost()
    # A file of that many bytes has no more lines, so none is cut.
    host.register(AcmePack(max_files=MAX_FILES, max_file_bytes=MAX_BYTES, max_lines=MAX_BYTES, max_entries=1_000_000))
    host.register(ConsoleSink(format="json" if as_json else "text"))
    worker = interaction_worker(tools=host.tools, output=host.sink("console"), concurrency=TASKS)
    sandbox = Sandbox(folder, tools=["list_files", "read_text", "search_text", "count_lines"], read=True)

    async with Runtime(workers=[worker], sandbox=sandbox) as runtime:
        report = await Review(runtime, shown(folder)).run()
        contents: Iterable[MessageContent] = report.records() if as_json else [report.text()]
        for number, content in enumerate(contents, start=1):
            message = Message(role="assistant", content=content)
            receipt = await runtime.invoke(OUTPUT, OutputRequest(delivery_id=f"report-{number}", message=message))
            if receipt.error:
                print(f"review: the report was not delivered: {receipt.error.message}", file=sys.stderr)
                return 1
    return 0


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
