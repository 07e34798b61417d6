"""The MEMORY worker: records that outlive the process, written in atomic batches under keys that allow a repeat."""

from .backend import MemoryBackend, MemoryFailed
from .contracts import MemoryGet, MemoryItem, MemoryResult, MemoryWrite, NewMemory
from .sqlite import SqliteMemory
from .worker import MEMORY_GET, MEMORY_WRITE, memory_worker

__all__ = [
    "MEMORY_GET",
    "MEMORY_WRITE",
    "MemoryBackend",
    "MemoryFailed",
    "MemoryGet",
    "MemoryItem",
    "MemoryResult",
    "MemoryWrite",
    "NewMemory",
    "SqliteMemory",
    "memory_worker",
]
