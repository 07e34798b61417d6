"""Wrappers: a new tool around a tool, which changes how it is called or what comes back.

A wrapper keeps name (but for a prefix), schemas, effects and `validate`. The outermost acts first on the way in and
last on the way out.
"""

from .approval import with_approval
from .output_limit import with_output_limit
from .prefix import with_prefix
from .running import outcome_of
from .timeout import with_timeout

__all__ = ["outcome_of", "with_approval", "with_output_limit", "with_prefix", "with_timeout"]
