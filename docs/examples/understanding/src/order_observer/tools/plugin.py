"""The plugin: which tools a task has, with what they check before they act."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, ClassVar, Final, Self

import attrs
from attrs.validators import ge, gt, in_, instance_of, le

from ditto_core import (
    ExternalResult,
    InvalidValue,
    JsonObject,
    Tool,
    ToolContext,
    ToolOutcome,
    from_wire,
    hookimpl,
    in_thread,
    quote,
    tool,
)

from ..decision import validate_decision
from ..errors import PublicationRefused, WrongEvidence
from ..json_text import fingerprint, written
from ..report import Report
from ..request import Request
from ..states import TERMINAL, state_for
from .publishing import publish
from .remote import DEADLINE, LARGEST_BODY_BYTES, MAX_BODY_BYTES, MAX_DEADLINE, Remote
from .tasks import BUSY_TIMEOUT, TaskStore

ARTIFACT: Final = "artifacts/result.json"
"""Where a report is published, in the folder of its task."""


@attrs.frozen(kw_only=True, eq=False)
class ResultTools:
    """The tools ``result_read result_retry result_status result_commit result_publish`` of one task.

    - ``directory`` is the folder of the task: ``tasks.sqlite`` and the artifact lie there.
    - ``deadline`` (seconds, at most 60) bounds one request to the service, its body included.
    - ``max_body_bytes`` (at most 1 MiB) bounds the body of an answer.
    - ``busy_timeout`` (seconds, at most 60) bounds the wait for a lock of the task's database.

    A caller chooses neither address nor order: both are the request's. The three that call the service need the
    request's origin in the sandbox's ``network``, and ``result_publish`` its ``write``. Enter the host that they are
    registered with: that makes the database.
    """

    api_version: ClassVar[int] = 1

    directory: Path
    request: Request
    deadline: float = attrs.field(default=DEADLINE, validator=[instance_of((int, float)), gt(0), le(MAX_DEADLINE)])
    max_body_bytes: int = attrs.field(
        default=MAX_BODY_BYTES, validator=[instance_of(int), ge(1), le(LARGEST_BODY_BYTES)]
    )

    busy_timeout: float = attrs.field(default=BUSY_TIMEOUT, validator=[instance_of((int, float)), ge(0), le(60)])

    @property
    def store(self) -> TaskStore:
        """The task's database."""
        return TaskStore(self.directory / "tasks.sqlite", self.request.id, self.busy_timeout)

    async def __aenter__(self) -> Self:
        """See that the task's database is there."""
        await in_thread(self.store.prepare)
        return self

    async def __aexit__(self, *_: object) -> None:
        """Leave the database as it is: nothing of it is open."""

    @hookimpl
    def ditto_tools(self) -> Iterable[Tool[Any]]:
        """Offer the tools."""
        remote = Remote(request=self.request, deadline=self.deadline, max_body_bytes=self.max_body_bytes)
        yield from _asking(remote, self.store)
        yield _committing(self.request, self.store)
        yield _publishing(self.request, self.store, self.directory / ARTIFACT)


def _asking(remote: Remote, store: TaskStore) -> Iterable[Tool[Any]]:
    origin = remote.request.origin

    @tool(effects={"network", "read"})
    async def result_read(round: Annotated[int, in_((0,))], context: ToolContext) -> ToolOutcome:
        """Read the result of the order: the first round."""
        context.sandbox.require("network", origin)
        return await remote.get("/result")

    @tool(effects={"network", "write"})
    async def result_retry(round: Annotated[int, in_((1,))], context: ToolContext) -> ToolOutcome:
        """Attempt the order a second time, if the task waits for that."""
        context.sandbox.require("network", origin)
        await in_thread(store.admit, "result_retry", context.call_id)
        return await remote.retry()

    @tool(effects={"network", "read"})
    async def result_status(round: Annotated[int, in_((1,))], context: ToolContext) -> ToolOutcome:
        """Find out what became of the order, if that is uncertain."""
        context.sandbox.require("network", origin)
        await in_thread(store.admit, "result_status", context.call_id)
        return await remote.get("/status")

    return result_read, result_retry, result_status


def _committing(request: Request, store: TaskStore) -> Tool[Any]:
    @tool(effects={"write"})
    def result_commit(decision: JsonObject, result: JsonObject, round: Annotated[int, in_((0, 1))]) -> ToolOutcome:
        """Take the task to the state that the decision on a result leads to, if the result bears it out."""
        try:
            proof = from_wire(ExternalResult, result)
        except InvalidValue as error:
            raise WrongEvidence(f"What is to be committed is no result: {error}.") from error
        expected = f"{request.id}:round-{round}"
        if proof.call_id != expected:
            raise WrongEvidence(f"The result is that of {quote(proof.call_id)}, and not of {quote(expected)}.")
        decided = validate_decision(decision, proof, request, round)
        state = state_for(decided.next_action)
        store.commit(
            round,
            tool=proof.source,
            evidence=evidence_of(proof, written(decided)),
            decision=written(decided),
            state=state,
        )
        return ToolOutcome(structured_content={"state": state, "version": round + 1})

    return result_commit


def _publishing(request: Request, store: TaskStore, path: Path) -> Tool[Any]:
    @tool(effects={"write"})
    def result_publish(report: JsonObject, context: ToolContext) -> ToolOutcome:
        """Publish the report of the task, once, if it is the one that its committed rounds stand for."""
        context.sandbox.require("write")
        try:
            given = from_wire(Report, report)
        except InvalidValue as error:
            raise PublicationRefused(f"What is to be published is no report: {error}.") from error
        task, events = store.task(), store.events()
        if given.task_id != request.id or given.mode != request.mode:
            raise PublicationRefused("The report is that of another task.")
        if given.state != task.state or given.state not in TERMINAL:
            raise PublicationRefused(f"The report says {given.state}, and the task is {task.state}.")
        rounds = [fingerprint(evidence_of(one.result, written(one.decision))) for one in given.rounds]
        if rounds != [event.fingerprint for event in events]:
            raise PublicationRefused("The rounds of the report are not those that were committed.")
        # Sorted, for the order of keys is not kept on every way, and the file of each run must be the same.
        publish(path, json.dumps(given.to_json(), indent=2, sort_keys=True, ensure_ascii=False) + "\n")
        return ToolOutcome(structured_content={"file": ARTIFACT, "state": given.state})

    return result_publish


def evidence_of(result: ExternalResult, decision: JsonObject) -> JsonObject:
    """Return what the fingerprint of a committed round is made of."""
    return {"decision": decision, "result": written(result)}
