"""Checks that wait for others."""

from __future__ import annotations


class Blocked(Exception):
    """A check could not be made, because the plugin breaks an earlier one, whose id this names."""

    def __init__(self, id: str, reason: str) -> None:
        super().__init__(f"It waits for {id}: {reason}")
        self.id = id
