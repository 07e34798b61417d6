"""The workflow errors: a first attempt that fails for the moment, and one idempotent second attempt."""

from functools import partial

from .entry import run_mode

run = partial(run_mode, "errors")
