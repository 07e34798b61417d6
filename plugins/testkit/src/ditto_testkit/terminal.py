"""The contracts of an installed plugin from the command line: a table, or JSON, and an exit status for CI."""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import sys
from collections.abc import Mapping, Sequence
from typing import Any, TextIO

import attrs

from ditto_core import DittoError, load_plugin, quote

from .bench import DEFAULT_EXAMPLES, Plan
from .checks import CHECKS, LEVEL, Check
from .running import Outcome, outcomes
from .subjects import KINDS, Subject

PASSED, FAILED, UNUSABLE = 0, 1, 2
"""The exit statuses: nothing failed, something did, or nothing could be run."""


_TESTING = "docs/testing-a-pack.md#services-and-secrets"


class _Unusable(Exception):
    """Nothing can be run, for the reason that the text says."""


def main(words: Sequence[str]) -> int:
    """Run what the words of a command line ask for and return the exit status."""
    options = _parser().parse_args(words)
    try:
        if options.explain:
            sys.stdout.write(_known(options.explain).explanation() + "\n")
            return PASSED
        return _prove(options)
    except _Unusable as why:
        sys.stderr.write(f"ditto-testkit: {why}\n")
        return UNUSABLE


def _prove(options: argparse.Namespace) -> int:
    if not options.pack:
        raise _Unusable("Name an installed plugin, such as: python -m ditto_testkit acme")
    only = [_known(id).id for id in options.only]
    subjects = _subjects(options.pack, dict(options.option))
    plan = Plan(examples=options.examples, seed=options.seed, derandomize=options.seed is None)
    report = _Report(out=sys.stdout, progress=None if options.json else _progress())
    for name, subject in subjects:
        report.begin(name)
        try:
            # Sinks may write to standard output, which is the report's.
            with contextlib.redirect_stdout(io.StringIO()):
                for outcome in outcomes(subject, only=only, level=options.level, plan=plan):
                    report.add(outcome)
        except KeyboardInterrupt:
            last = f" after {report.found[-1].check.id}" if report.found else ""
            raise _Unusable(
                f"The {name} was interrupted{last}: from the keyboard, or it raised KeyboardInterrupt itself."
            ) from None
    if not report.found:
        raise _Unusable(f"None of the checks {', '.join(only)} is about {' or '.join(report.names)}.")
    return report.end(as_json=options.json)


def _known(id: str) -> Check:
    try:
        return CHECKS[id.upper()]
    except KeyError as error:
        raise _Unusable(error.args[0]) from None


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
        help="an option of the plugin: JSON, else text, or @VARIABLE of the environment; may be repeated",
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
    if value.startswith("@"):  # a secret has no place on a command line
        if value[1:] not in os.environ:
            raise argparse.ArgumentTypeError(f"is to be the variable {value[1:]}, which is not set")
        return name, os.environ[value[1:]]
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


def _progress() -> TextIO | None:
    return sys.stderr if sys.stderr.isatty() else None


def _subjects(name: str, options: Mapping[str, Any]) -> list[tuple[str, Subject]]:
    """Return what can be checked of an installed plugin, each with a title."""
    plugin = f"Plugin {quote(name)}"

    def load() -> Any:
        return load_plugin(name, options=options)

    try:
        found = [each for kind in KINDS.values() for each in kind.installed(name, load)]
    except DittoError as error:
        hint = "" if options else " Options are given with --option NAME=VALUE."
        raise _Unusable(f"{error}{hint}") from None
    except BaseException as error:  # SystemExit too: it would end this with the status that the plugin likes
        raise _Unusable(f"{plugin} cannot be asked what it offers: {type(error).__name__}: {error}") from None
    if not found:
        kinds = " or ".join(f"{kind.kind}s" for kind in KINDS.values())
        raise _Unusable(f"{plugin} offers nothing that can be proved from here, such as {kinds}.")
    return found


@attrs.define(eq=False)
class _Report:
    """A row for each check: how many of its tools passed; below the table what failed, and what was not looked at."""

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
            failed = sum(one.status not in ("passed", "skipped") for one in self.found)
            line = f"{len(self.found)} done, {failed} not passed: {outcome.check.id} {outcome.tool or ''}"
            self.progress.write(f"\r{line:<78.78}")
            self.progress.flush()

    def end(self, *, as_json: bool) -> int:
        """Write the report and return the exit status."""
        if self.progress is not None:
            self.progress.write(f"\r{'':<78}\r")
        skipped = [one for one in self.found if one.status == "skipped"]
        bad = [one for one in self.found if one.status not in ("passed", "skipped")]
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
            for why in dict.fromkeys(one.text for one in skipped):
                ids = dict.fromkeys(one.check.id for one in skipped if one.text == why)
                self.out.write(f"\nNot looked at: {', '.join(ids)}\n  {why}; see {_TESTING}\n")
            seconds = sum(one.seconds for one in self.found)
            passed = len(self.found) - len(bad) - len(skipped)
            unseen = f"{len(skipped)} not looked at, " if skipped else ""
            self.out.write(f"\n{', '.join(self.names)}: {passed} passed, {len(bad)} not, {unseen}{seconds:.1f} s\n")
        return FAILED if bad else PASSED

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
