"""The command ``order-observer``: make a task or go on with one, and print what came of it."""

from __future__ import annotations

import argparse
import asyncio
import json
import signal
import sys
import tempfile
from collections.abc import Awaitable, Sequence
from pathlib import Path
from typing import Final, TypeVar, get_args

from ditto_core import DittoError, JsonObject, to_wire

from .application import Settings, open_runtime
from .controller import Options
from .errors import ObserverError
from .fixture import Fixture, create_fixture, open_fixture
from .request import Mode, Scenario
from .workflows.entry import run_mode

R = TypeVar("R")

INTERRUPTED: Final = 130
"""The exit status of a run that a signal has cancelled."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status: 0, 1 for a refusal or a failure, 130 after a signal."""
    chosen = _parser().parse_args(arguments)
    try:
        print(json.dumps(asyncio.run(_until_signal(_run(chosen))), indent=2))
    except (ObserverError, DittoError, OSError) as error:
        print(f"order-observer: {type(error).__name__}: {error}", file=sys.stderr)
        return 1
    except asyncio.CancelledError:
        print("order-observer: cancelled; the same folder goes on from here", file=sys.stderr)
        return INTERRUPTED
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="order-observer", description="Find out what became of an order.")
    parser.add_argument("mode", choices=get_args(Mode), help="which workflow")
    parser.add_argument("--scenario", choices=get_args(Scenario), help="what the service does; each mode has its own")
    parser.add_argument("--directory", type=Path, help="go on with the task of this folder")
    parser.add_argument("--checkpoint", action="store_true", help="stop when the first result is interpreted")
    return parser


async def _run(chosen: argparse.Namespace) -> JsonObject:
    settings = Settings.of_environment()  # before anything is made
    directory, fixture = _fixture(chosen)
    try:
        async with open_runtime(directory, fixture.request, settings) as runtime:
            options = Options(stop_after="decision" if chosen.checkpoint else None, under_schema=settings.under_schema)
            print(f"order-observer: works in {directory}", file=sys.stderr, flush=True)
            result = await run_mode(
                chosen.mode, runtime, request=fixture.request, model=settings.choice, options=options
            )
    finally:
        fixture.service.close()
    return {"directory": str(directory), "result": to_wire(result)}


def _fixture(chosen: argparse.Namespace) -> tuple[Path, Fixture]:
    if chosen.directory is not None:
        directory = chosen.directory.resolve()
        return directory, open_fixture(directory)
    directory = Path(tempfile.mkdtemp(prefix="order-observer-"))
    return directory, create_fixture(directory, chosen.mode, chosen.scenario)


async def _until_signal(work: Awaitable[R]) -> R:
    """Return what the work gives; SIGINT and SIGTERM cancel it, and reach whatever it waits for."""
    task = asyncio.ensure_future(work)
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, task.cancel)
    return await task
