"""Which error text is safe to show: the rules, one kind a file, and the functions that ask them."""

from .checking import MAX_MESSAGE, RULES, is_error_code, safe_message, unsafe_reason
from .rule import Rule

__all__ = ["MAX_MESSAGE", "RULES", "Rule", "is_error_code", "safe_message", "unsafe_reason"]
