"""Checks that wait for others, and checks that cannot be made from here."""

from __future__ import annotations

from typing import Final, NoReturn

WITH_FAKES: Final = (
    "a contract test looks at it, with a fake of the service in pack(), or with the kit as the service of pack_at()"
)
"""Who can see what a runner cannot that only knows a plugin's name."""


class Blocked(Exception):
    """A check could not be made, because the plugin breaks an earlier one, whose id this names."""

    def __init__(self, id: str, reason: str) -> None:
        super().__init__(f"It waits for {id}: {reason}")
        self.id = id


class NotLookedAt(Exception):
    """A check could not be made, because the runner knows too little of the plugin; the text says why, and who can."""


class Unseen:
    """Base of a lab that cannot show everything; ``not_looked_at`` says so of the check that runs."""

    not_looked_at: NotLookedAt | None = None

    def leave(self, why: str) -> NoReturn:
        """Note that what the check is about cannot be seen from here, and raise :class:`NotLookedAt`."""
        self.not_looked_at = NotLookedAt(why)
        raise self.not_looked_at
