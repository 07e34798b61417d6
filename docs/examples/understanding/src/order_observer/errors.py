"""What can go wrong, one class for each: nothing here is told apart by its words."""

from __future__ import annotations


class ObserverError(Exception):
    """Anything that this application refuses or cannot do."""


class InvalidRequest(ObserverError):
    """A request has a field that is missing or not allowed; ``field`` names it."""

    def __init__(self, field: str, fact: str) -> None:
        super().__init__(f"Request.{field} {fact}.")
        self.field = field


class WrongMode(ObserverError):
    """A request was given to the entry of another mode."""


class NotConfigured(ObserverError):
    """No model, no endpoint or no Redis is named; nothing was begun."""


class TaskBusy(ObserverError):
    """Another process works on the task of this folder."""


class RequestChanged(ObserverError):
    """What is kept under the task's id belongs to another request; a changed request needs an id of its own."""


class CheckpointConflict(ObserverError):
    """What is kept of a task cannot have been written by a run of this request."""


class MemoryUnavailable(ObserverError):
    """The memory could not be read or written; nothing goes on without it."""


class ObservationChanged(ObserverError):
    """An observation does not say what its result says; ``field`` is what got lost."""

    def __init__(self, field: str) -> None:
        super().__init__(f"The observation lost the result's {field}.")
        self.field = field


class NotInterpreted(ObserverError):
    """The model gave no whole answer; ``code`` is why. Nothing was kept of the round."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"The result was not interpreted: {code}: {message}")
        self.code = code


class DecisionRejected(ObserverError):
    """A decision breaks the contract or contradicts the evidence; ``field`` says where."""

    def __init__(self, field: str, fact: str) -> None:
        super().__init__(f"The decision is rejected: {field} {fact}.")
        self.field = field


class NotAdmitted(ObserverError):
    """A follow-up was asked for that the state of the task does not allow; nothing was sent."""


class StaleTask(ObserverError):
    """A commit came too late or too early: the task is in another state or version."""


class ConflictingCommit(ObserverError):
    """The round has been committed already, with other evidence or another decision."""


class WrongEvidence(ObserverError):
    """A result is not that of the call which this round had to make."""


class TaskStoreUnavailable(ObserverError):
    """The task's database could not be read or written; the transaction has not happened."""


class PublicationRefused(ObserverError):
    """A report is not the one that the task's state and events stand for."""


class PublicationFailed(ObserverError):
    """The report could not be written, or something else stands in its place."""


class BudgetExhausted(ObserverError):
    """There is a follow-up to be done, and no round left for it."""
