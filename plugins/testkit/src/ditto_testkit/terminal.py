"""The contracts of an installed plugin from the command line: a table, or JSON, and an exit status for CI."""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, TextIO

import attrs

from ditto_core import DittoError, OutputSink, load_plugin

from .capabilities import Capabilities
from .checks import CHECKS, LEVEL
from .labs.packs import ToolPack
from .labs.providers import ProviderSubject
from .labs.sinks import Sink
from .running import DEFAULT_EXAMPLES, AnySubject, Outcome, Plan, outcomes

PASSED, FAILED, UNUSABLE = 0, 1, 2
"""The exit statuses: everything passed, something failed, or nothing could be run."""


def main(words: Sequence[str]) -> int:
    """Run what the words of a command line ask for and return the exit status."""
    options = _parser().parse_args(words)
    out = sys.stdout
    if options.explain:
        try:
            out.write(CHECKS[options.explain.upper()].explanation() + "\n")
        except KeyError as error:
            return _unusable(error.args[0])
        return PASSED
    if not options.pack:
        return _unusable("Name an installed plugin, such as: python -m ditto_testkit acme")
    try:
        subjects = list(_subjects(options.pack, dict(options.option)))
    except DittoError as error:
        return _unusable(str(error))
    if not subjects:
        return _unusable(
            f"Plugin {options.pack!r} offers neither tools nor sinks nor search providers, so no contract applies."
        )
    plan = Plan(examples=options.examples, seed=options.seed, derandomize=options.seed is None)
    report = _Report(out=out, progress=None if options.json else _progress())
    for name, subject in subjects:
        report.begin(name)
        # Sinks may write to standard output, which is the report's.
        with contextlib.redirect_stdout(io.StringIO()):
            for outcome in outcomes(subject, only=options.only, level=options.level, plan=plan):
                report.add(outcome)
    return report.end(as_json=options.json)


def _unusable(why: str) -> int:
    sys.stderr.write(f"ditto-testkit: {why}\n")
    return UNUSABLE


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m ditto_testkit",
        description="Prove an installed plugin: run the contract checks that apply, with the strictest capabilities.",
    )
    parser.add_argument("pack", nargs="?", metavar="PACK", help="the name under which the plugin is installed")
    parser.add_argument(
        "--examples", type=_positive, default=DEFAULT_EXAMPLES, metavar="N", help="examples of a check"
    )
    parser.add_argument("--level", type=int, choices=range(1, LEVEL + 1), default=LEVEL, help="contract level")
    parser.add_argument("--seed", type=int, metavar="N", help="seed of the examples; without it they stay the same")
    parser.add_argument("--only", action="append", default=[], metavar="ID", help="run this check; may be repeated")
    parser.add_argument(
        "--option",
        action="append",
        type=_option,
        default=[],
        metavar="NAME=VALUE",
        help="an option of the plugin, as JSON or else as text; may be repeated",
    )
    parser.add_argument("--json", action="store_true", help="one JSON object instead of the table")
    parser.add_argument("--explain", metavar="ID", help="say what a check is about, and end")
    return parser


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be 1 or more")
    return number


def _option(text: str) -> tuple[str, Any]:
    name, found, value = text.partition("=")
    if not name or not found:
        raise argparse.ArgumentTypeError("must be NAME=VALUE, such as folder=docs")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


def _progress() -> TextIO | None:
    return sys.stderr if sys.stderr.isatty() else None


def _subjects(name: str, options: dict[str, Any]) -> Iterator[tuple[str, AnySubject]]:
    """Give what can be checked of an installed plugin; raises what :func:`load_plugin` raises."""
    plugin = load_plugin(name, options=options)
    if hasattr(plugin, "ditto_tools"):
        yield f"tool pack {name!r}", ToolPack(make=lambda: load_plugin(name, options=options))
    if hasattr(plugin, "ditto_output_sinks"):
        why = "it is run from the command line"
        for sink in plugin.ditto_output_sinks():
            yield (
                f"output sink {sink!r}",
                Sink(
                    make=partial(_sink, name, options, sink),
                    capabilities=Capabilities(unobservable=why, unbreakable=why),
                ),
            )
    yield from ProviderSubject.installed(name, lambda: load_plugin(name, options=options))


def _sink(plugin: str, options: dict[str, Any], sink: str) -> OutputSink:
    made: OutputSink = load_plugin(plugin, options=options).ditto_output_sinks()[sink]
    return made


@attrs.define(eq=False)
class _Report:
    """A row for each check: how many of its tools passed, and the failures below the table."""

    out: TextIO
    progress: TextIO | None
    found: list[Outcome] = attrs.field(factory=list)
    names: list[str] = attrs.field(factory=list)

    def begin(self, name: str) -> None:
        """Begin another subject."""
        self.names.append(name)

    def add(self, outcome: Outcome) -> None:
        """Keep an outcome, and show on a terminal where the run is."""
        self.found.append(outcome)
        if self.progress is not None:
            failed = sum(one.status != "passed" for one in self.found)
            line = f"{len(self.found)} done, {failed} not passed: {outcome.check.id} {outcome.tool or ''}"
            self.progress.write(f"\r{line:<78.78}")
            self.progress.flush()

    def end(self, *, as_json: bool) -> int:
        """Write the report and return the exit status."""
        if self.progress is not None:
            self.progress.write(f"\r{'':<78}\r")
        bad = [one for one in self.found if one.status != "passed"]
        if as_json:
            self.out.write(json.dumps({"subjects": self.names, "checks": [_row(one) for one in self.found]}) + "\n")
        else:
            self._table()
            told = set()
            for one in bad:
                text = f"{one.tool + ': ' if one.tool and one.status != 'blocked' else ''}{one.text}"
                if text not in told:
                    self.out.write(f"\n{text}\n")
                told.add(text)
            seconds = sum(one.seconds for one in self.found)
            counted = f"{len(self.found) - len(bad)} passed, {len(bad)} not, {seconds:.1f} s"
            self.out.write(f"\n{', '.join(self.names)}: {counted}\n")
        return FAILED if bad or not self.found else PASSED

    def _table(self) -> None:
        rows: dict[str, list[Outcome]] = {}
        for one in self.found:
            rows.setdefault(one.check.id, []).append(one)
        for id, each in rows.items():
            passed = sum(one.status == "passed" for one in each)
            told = "passed" if passed == len(each) else ", ".join(sorted({one.status for one in each} - {"passed"}))
            count = f"{passed}/{len(each)}" if each[0].tool else ""
            seconds = sum(one.seconds for one in each)
            self.out.write(f"{id:<7} {told:<8} {count:>7} {seconds:6.1f} s  {each[0].check.title}\n")


def _row(one: Outcome) -> dict[str, Any]:
    return {
        "id": one.check.id,
        "title": one.check.title,
        "tool": one.tool,
        "status": one.status,
        "text": one.text,
        "seconds": round(one.seconds, 3),
    }
