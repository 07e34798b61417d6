"""The loop itself."""

from __future__ import annotations

import asyncio

import attrs

from ditto_core import (
    UNSET,
    ExternalResult,
    InteractionError,
    InvalidArguments,
    InvalidInput,
    PermissionDenied,
    RefusedCall,
    Sandbox,
    ToolCall,
    Unset,
    describe,
    safe_message,
)
from ditto_infer import Action, Generation, SampleInput, SampleResult

from .arguments import Schemas
from .limits import AgentLimits
from .result import AgentResult, StopReason
from .runner import GraphRunner, Graphs
from .transcript import Transcript


async def run_agent(
    runner: GraphRunner,
    input: SampleInput,
    *,
    limits: AgentLimits | None = None,
    name: str = "react",
    sandbox: Sandbox | None = None,
    into: Transcript | None = None,
) -> AgentResult:
    """Ask the model until it answers; in between, run what it asks for and show it what was observed.

    `runner` is a runtime, or the context of a call. `input` is the first request; its ``actions`` are all that the
    model may ask for, and where each leads is said there and nowhere else. `name` is the name of the graphs, as
    observers see it. `sandbox` may permit less than the runtime's. `into` is filled while the run goes on.

    Requests run one after another, each at most once, in the order of the model's turn; before the first of a turn
    runs, all have been checked: the name, the id, and the arguments against the schema of the action.

    Raises for an input that cannot be run: :class:`~ditto_core.InvalidInput`, and :class:`~ditto_core.InvalidSchema`
    for an action whose schema is none. After that every ending is a result, but for the cancellation of the caller's
    task, which goes through to the work at hand and is raised.
    """
    if type(input) is not SampleInput:
        raise InvalidInput(f"run_agent: the input must be a SampleInput, not {describe(input)}.")
    bounds = AgentLimits() if limits is None else limits
    transcript = Transcript() if into is None else into
    if transcript.messages:
        raise InvalidInput("run_agent: into must be an empty Transcript; each run has one of its own.")
    run = _Run(Graphs(runner, name, sandbox), input, Schemas(input.actions), bounds, transcript)
    try:
        async with asyncio.timeout(bounds.timeout):
            return await run.to_its_end()
    except TimeoutError:  # the run's own: what goes on inside of it has become an ending already
        words = f"The run was not done within {bounds.timeout:g} seconds."
        return transcript.ended("timeout", InteractionError(code="TIMEOUT", message=words, retryable=False))


class _Ended(Exception):
    """The run is over, for this reason."""

    def __init__(self, reason: StopReason, error: InteractionError | Unset = UNSET) -> None:
        super().__init__(reason)
        self.reason: StopReason = reason
        self.error = error

    @classmethod
    def by(cls, reason: StopReason, *, code: str, message: str) -> _Ended:
        """Return an ending with an error of the loop's own."""
        return cls(reason, InteractionError(code=code, message=message, retryable=False))


@attrs.frozen(eq=False)
class _Run:
    graphs: Graphs
    input: SampleInput
    schemas: Schemas
    limits: AgentLimits
    transcript: Transcript

    async def to_its_end(self) -> AgentResult:
        self.transcript.messages.extend(self.input.messages)
        actions = {action.name: action for action in self.input.actions}
        try:
            while True:
                await self._sample()
                requests = tuple(self.transcript.action_requests)
                if not requests:
                    return self.transcript.ended("completed")
                self._check(requests, actions)
                problems = {request.id: self.schemas.problem(request.name, request.arguments) for request in requests}
                for request in requests:
                    await self._answer(request, actions[request.name], problems[request.id])
        except _Ended as ended:
            return self.transcript.ended(ended.reason, ended.error)

    async def _sample(self) -> None:
        """Ask the model and take note of what it said."""
        transcript = self.transcript
        request = attrs.evolve(self.input, messages=tuple(transcript.messages), generation=self._generation())
        transcript.steps += 1
        try:
            result = await self.graphs.sample(request)
        except Exception as error:
            raise self._of(error, "error", code="EXECUTION_FAILED", what="The model could not be asked") from None
        if not isinstance(result, SampleResult):
            raise _Ended.by("error", code="INVALID_MODEL_OUTPUT", message="The worker's answer is no SampleResult.")
        sample = result.output
        if result.status != "success" or sample is UNSET:
            reasons: dict[str, StopReason] = {"timeout": "timeout", "cancelled": "cancelled"}
            raise _Ended(reasons.get(result.status, "error"), result.error)
        transcript.sampled(sample)
        if sample.finish_reason == "length":
            raise _Ended("max_tokens")

    def _generation(self) -> Generation | Unset:
        """Return how the model is to write: no more than there are tokens left."""
        given = self.input.generation
        left = self._tokens_left()
        if left is None:
            return given
        most = given.max_tokens if given else UNSET
        return attrs.evolve(given or Generation(), max_tokens=left if most is UNSET else min(left, most))

    def _tokens_left(self) -> int | None:
        """Return how many tokens the model may still take; None if that has no limit."""
        if self.limits.max_total_tokens is None:
            return None
        if not self.transcript.samples:
            return self.limits.max_total_tokens
        used = self.transcript.usage.total_tokens
        if used is UNSET:
            raise _Ended.by("error", code="USAGE_UNAVAILABLE", message="The tokens are limited, and were not counted.")
        return self.limits.max_total_tokens - used

    def _check(self, requests: tuple[ToolCall, ...], actions: dict[str, Action]) -> None:
        """End the run unless all of a turn's requests may run and the model can be shown what comes of them."""
        if any(request.name not in actions for request in requests):
            raise _Ended.by(
                "error", code="UNDECLARED_ACTION", message="The model asked for an action that it was not offered."
            )
        if self.transcript.repeats(requests):
            raise _Ended.by("error", code="INVALID_MODEL_OUTPUT", message="The model used an id again.")
        left = self._tokens_left()
        if left is not None and left < 1:
            raise _Ended("max_tokens")
        if self.transcript.steps >= self.limits.max_steps:
            raise _Ended("max_steps")
        if self.transcript.action_calls + len(requests) > self.limits.max_action_calls:
            raise _Ended("max_action_calls")

    async def _answer(self, request: ToolCall, action: Action, problem: str | None) -> None:
        """Answer one request: with what was observed, or with what is wrong with it."""
        transcript = self.transcript
        transcript.action_calls += 1
        if problem is not None:
            await self._refuse(request, problem)
            return
        transcript.in_doubt = request.id
        failed: StopReason = "dependency_failed"
        try:
            observation = await self.graphs.act(action, request)
        except InvalidArguments as refusal:
            await self._refuse(request, safe_message(str(refusal), "The tool refused the arguments."))
            return
        except PermissionDenied as refusal:
            raise self._of(refusal, failed, code="PERMISSION_DENIED", what="The action was not permitted") from None
        except RefusedCall as refusal:
            raise self._of(refusal, failed, code="ACTION_REFUSED", what="The action was refused") from None
        except Exception as error:
            raise self._of(error, failed, code="ACTION_FAILED", what="The action raised an exception") from None
        if observation.call_id != request.id:
            raise _Ended.by(
                "dependency_failed", code="DEPENDENCY_FAILED", message="The result is that of another call."
            )
        in_doubt = observation.status in ("timeout", "unknown", "cancelled")
        transcript.answered(request, observation)
        if in_doubt:
            raise _Ended("dependency_failed", observation.error)

    async def _refuse(self, request: ToolCall, problem: str) -> None:
        """Tell the model that a request was not run, and why."""
        error = InteractionError(code="INVALID_ARGUMENTS", message=problem, retryable=False)
        result = ExternalResult(call_id=request.id, source=request.name, status="failed", error=error)
        try:
            observation = await self.graphs.observe(result)
        except Exception as raised:
            what = "What was refused could not be observed"
            raise self._of(raised, "dependency_failed", code="ACTION_FAILED", what=what) from None
        self.transcript.answered(request, observation)

    def _of(self, error: Exception, reason: StopReason, *, code: str, what: str) -> _Ended:
        """Return the ending that an exception is; its own text may hold anything and is not told."""
        self.transcript.raised = error
        return _Ended.by(reason, code=code, message=safe_message(f"{what} ({type(error).__name__}).", f"{what}."))
