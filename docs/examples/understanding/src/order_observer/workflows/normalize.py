"""The workflow normalize: an order's result as raw CSV, which the model reads and the evidence checks."""

from functools import partial

from .entry import run_mode

run = partial(run_mode, "normalize")
