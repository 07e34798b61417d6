"""The CONTEXT worker: what a model is shown next, passed along or kept under a scope, in the process or on Redis."""

from .contracts import Context, ContextItem, ContextScope, Ingress
from .errors import ContextCode, ContextError
from .in_process import InProcessContextStore
from .ingress import ingress_of
from .inputs import ContextLoad, ContextUpdate
from .on_redis import RedisClient, RedisContextStore
from .policy import ContextPolicy
from .store import ContextStore, StoredState
from .worker import CONTEXT_LOAD, CONTEXT_UPDATE, context_worker

__all__ = [
    "CONTEXT_LOAD",
    "CONTEXT_UPDATE",
    "Context",
    "ContextCode",
    "ContextError",
    "ContextItem",
    "ContextLoad",
    "ContextPolicy",
    "ContextScope",
    "ContextStore",
    "ContextUpdate",
    "InProcessContextStore",
    "Ingress",
    "RedisClient",
    "RedisContextStore",
    "StoredState",
    "context_worker",
    "ingress_of",
]
