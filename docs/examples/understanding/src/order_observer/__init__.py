"""Finds out what became of an order: raw results observed, read by a model, checked against the evidence, and kept."""

from .controller import Options, run_observation
from .decision import Decision, validate_decision
from .errors import (
    BudgetExhausted,
    CheckpointConflict,
    ConflictingCommit,
    DecisionRejected,
    InvalidRequest,
    MemoryUnavailable,
    NotAdmitted,
    NotConfigured,
    NotInterpreted,
    ObservationChanged,
    ObserverError,
    PublicationFailed,
    PublicationRefused,
    RequestChanged,
    StaleTask,
    TaskBusy,
    TaskStoreUnavailable,
    WrongEvidence,
    WrongMode,
)
from .evidence import Facts, facts
from .observing import verify_observation
from .report import Checkpoint, Report, Round
from .request import Mode, Request, Scenario
from .tools import ResultTools

__all__ = [
    "BudgetExhausted",
    "Checkpoint",
    "CheckpointConflict",
    "ConflictingCommit",
    "Decision",
    "DecisionRejected",
    "Facts",
    "InvalidRequest",
    "MemoryUnavailable",
    "Mode",
    "NotAdmitted",
    "NotConfigured",
    "NotInterpreted",
    "ObservationChanged",
    "ObserverError",
    "Options",
    "PublicationFailed",
    "PublicationRefused",
    "Report",
    "Request",
    "RequestChanged",
    "ResultTools",
    "Round",
    "Scenario",
    "StaleTask",
    "TaskBusy",
    "TaskStoreUnavailable",
    "WrongEvidence",
    "WrongMode",
    "facts",
    "run_observation",
    "validate_decision",
    "verify_observation",
]
