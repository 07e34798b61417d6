"""``python -m tests.spec`` counts what is built and planned; with ``--tests`` it lists each id with its tests."""

from __future__ import annotations

import argparse

from tests.spec.report import counts, listing


def main() -> None:
    """Print the table or the list."""
    parser = argparse.ArgumentParser(prog="python -m tests.spec", description="What the specification promises.")
    parser.add_argument("--tests", action="store_true", help="list each id with the tests that show it")
    chosen = parser.parse_args()
    print("\n".join(listing() if chosen.tests else counts()).rstrip())


if __name__ == "__main__":
    main()
