"""The console sink of Ditto: answers as JSON lines for programs or as text for people, with a receipt for each."""

from .failures import FAILURES, Failure
from .sink import ConsoleSink

__all__ = ["FAILURES", "ConsoleSink", "Failure"]
