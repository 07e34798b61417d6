"""The workflow read: an order's result as JSON."""

from functools import partial

from .entry import run_mode

run = partial(run_mode, "read")
