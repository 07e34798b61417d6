"""Search over text documents of one's own, offline and without a key: a provider for Ditto's ``web_search``."""

from .documents import Document, IndexReport, SkipReason
from .plugin import LocalSearch

__all__ = ["Document", "IndexReport", "LocalSearch", "SkipReason"]
