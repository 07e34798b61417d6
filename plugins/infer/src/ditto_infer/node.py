"""The node under which models are asked."""

from __future__ import annotations

from typing import Final

from ditto_core import Node

from .asking import SampleInput
from .sample import SampleResult

INFER: Final = "INFER"
"""The type of the worker that asks models."""

SAMPLE: Node[SampleInput, SampleResult] = Node("INFER.REASONING.SAMPLE", SampleInput, SampleResult)
"""Ask a model once. It runs no action; it says which ones the model asks for."""
