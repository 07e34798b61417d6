"""Puts each fault into a copy of its distribution and runs the contract on it: ``python run.py [NAME…]``.

Prints each fault that the contract did not catch by the check that is named, and the score. A fault is data: a table
in one of the TOML files beside this, named like the contract test of the distribution.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import attrs

HERE = Path(__file__).parent
ROOT = Path(__file__).parents[4]
SOURCES = {
    "commands": ROOT / "plugins/commands/src/ditto_commands",
    "local": ROOT / "plugins/local/src/ditto_local",
    "console": ROOT / "plugins/console/src/ditto_console",
    "local_search": ROOT / "plugins/local_search/src/ditto_local_search",
    "brave": ROOT / "plugins/brave/src/ditto_brave",
    "http": ROOT / "plugins/http/src/ditto_http",
    "acme": ROOT / "docs/examples/acme_pack/src/acme_pack",
}


@attrs.frozen(kw_only=True)
class Mutant:
    """One fault: in `file` of the package the one `old` is replaced by `new`; `check` has to fail.

    ``within`` is the distribution that holds the file, if it is one that the target is made of. ``also`` is a second
    text with its replacement, for a fault that needs two.
    """

    name: str
    target: str
    file: str
    old: str
    new: str
    check: str
    within: str = ""
    also: list[str] = attrs.field(factory=list)

    @property
    def source(self) -> Path:
        """The package that is copied and changed."""
        return SOURCES[self.within or self.target]

    def changed(self) -> str:
        """Return the text of the file with the fault; raises ``ValueError`` when a text is not there exactly once."""
        text = (self.source / self.file).read_text(encoding="utf-8")
        for old, new in ((self.old, self.new), *([tuple(self.also)] if self.also else [])):
            if text.count(old) != 1:
                raise ValueError(f"{self}: {self.file} holds the text {text.count(old)} times: {old}")
            text = text.replace(old, new)
        return text

    def __str__(self) -> str:
        return f"{self.target}/{self.name}"


def mutants() -> Iterator[Mutant]:
    """Give every fault."""
    for path in sorted(HERE.glob("*.toml")):
        for name, table in tomllib.loads(path.read_text(encoding="utf-8")).items():
            yield Mutant(name=name, target=path.stem, **table)


def survived(mutant: Mutant) -> str:
    """Return what the contract said instead of failing by the right check, or nothing."""
    source = mutant.source
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, source.name)
        shutil.copytree(source, copy, ignore=shutil.ignore_patterns("__pycache__"))
        (copy / mutant.file).write_text(mutant.changed(), encoding="utf-8")
        env = {**os.environ, "PYTHONPATH": folder, "PYTHONDONTWRITEBYTECODE": "1", "DITTO_HYPOTHESIS_PROFILE": "ci"}
        env.pop("COVERAGE_PROCESS_CONFIG", None)  # what runs in the copy says nothing about the sources
        test = ROOT / f"tests/contract/test_{mutant.target}.py"
        chosen = mutant.check.replace("-", "_")
        words = ["-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-W", "default", str(test), "-k", chosen]
        found = subprocess.run(
            [sys.executable, *words], cwd=ROOT, env=env, capture_output=True, text=True, timeout=300, check=False
        )
    caught = found.returncode == 1 and f"[{mutant.check}] " in found.stdout
    return "" if caught else found.stdout[-800:] + found.stderr[-800:]


def main(names: list[str]) -> int:
    """Run the faults, all or those whose names are given, and return how many got away."""
    chosen = [mutant for mutant in mutants() if not names or mutant.name in names or mutant.target in names]
    with ThreadPoolExecutor(max_workers=os.cpu_count() or 1) as pool:
        ends = list(pool.map(survived, chosen))
    alive = [(mutant, told) for mutant, told in zip(chosen, ends, strict=True) if told]
    for mutant, told in alive:
        print(f"{mutant} was not caught by {mutant.check}:\n{told}\n")
    print(f"{len(chosen) - len(alive)} of {len(chosen)} seeded faults caught")
    return len(alive)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
