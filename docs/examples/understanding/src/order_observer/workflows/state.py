"""The workflow state: task, events, context and memory that agree on what has happened."""

from functools import partial

from .entry import run_mode

run = partial(run_mode, "state")
