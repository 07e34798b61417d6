"""The one controller of all five workflows: which step comes next, and what has to be kept before it."""

from __future__ import annotations

from typing import Literal

import attrs

from ditto_core import UNSET, ToolCall, Unset, quote, to_wire
from ditto_infer import Generation, ModelChoice

from .cache import Cache
from .checkpoints import Checkpoints, Evidence
from .decision import Decision, validate_decision
from .errors import BudgetExhausted, CheckpointConflict, ObserverError, WrongEvidence
from .interpreting import answer_of
from .json_text import same
from .observing import verify_observation
from .prompt import Question, goal_item, observation_item, state_item
from .report import Checkpoint, Report, Round
from .request import Request
from .states import ROUNDS, TERMINAL, admitted_tool, state_for
from .steps import Runner, Steps


@attrs.frozen(kw_only=True)
class Options:
    """How a run may differ from the usual one.

    - ``stop_after``: ``observed`` ends it when the first result is kept and in the context, ``decision`` when it is
      interpreted and kept too, before the state of the task changes.
    - ``under_schema``: whether the model's server is asked to hold it to the schema of a decision.
    - ``generation``: how the model is to write, where that is not left to its server.
    """

    stop_after: Literal["observed", "decision"] | None = None
    under_schema: bool = True
    generation: Generation | Unset = UNSET


async def run_observation(
    runner: Runner, *, request: Request, model: ModelChoice, options: Options | None = None
) -> Report | Checkpoint:
    """Find out what became of the request's order, and return the report, or where the run was told to stop.

    `runner` is a runtime with the nodes of CONTEXT, MEMORY, INFER and INTERACTION, and the tools of this task. A run
    that was ended, by whatever, is continued by the same call: what is kept is checked again and not done again.

    Raises an :class:`ObserverError` for what this application refuses, and what a node raises, unchanged.
    Cancelling the caller's task reaches the step at work.
    """
    return await _Task(runner, request, model, options or Options()).to_its_end()


class _Task:
    def __init__(self, runner: Runner, request: Request, model: ModelChoice, options: Options) -> None:
        self.steps = Steps(runner)
        self.request = request
        self.model = model
        self.options = options
        self.checkpoints = Checkpoints(self.steps, request)
        self.cache = Cache(self.steps, request)

    async def to_its_end(self) -> Report | Checkpoint:
        await self.checkpoints.begin()
        observed = [(round, self.checkpoints.evidence(round)) for round in range(ROUNDS)]
        items = [observation_item(round, evidence.observation) for round, evidence in observed if evidence]
        await self.cache.begin([goal_item(self.request), *items])
        rounds: list[Round] = []
        tool: str | None = "result_read"
        for round in range(ROUNDS):
            assert tool is not None  # the states that are no end each admit one
            evidence = await self.observed(round, tool)
            if self.options.stop_after == "observed":
                return Checkpoint(stage="observed")
            decision = await self.decided(round, evidence)
            if self.options.stop_after == "decision":
                return Checkpoint(stage="decision")
            await self.commit(round, evidence, decision)
            await self.cache.enter(state_item(decision))
            rounds.append(Round(result=evidence.result, observation=evidence.observation, decision=decision))
            state = state_for(decision.next_action)
            if state in TERMINAL:
                return await self.reported(Report.of(self.request, tuple(rounds)))
            tool = admitted_tool(state)
        raise BudgetExhausted(f"{tool} is to be called, but {ROUNDS} rounds are all that a task has.")

    async def observed(self, round: int, tool: str) -> Evidence:
        """Return the evidence of a round: what is kept, or else what the tool gives now, which is kept first."""
        evidence = self.checkpoints.evidence(round)
        if evidence is not None:
            return self.checked(round, tool, evidence)
        call = ToolCall(id=self.call_id(f"round-{round}"), name=tool, arguments={"round": round})
        result, observation = await self.steps.observe(call)
        evidence = self.checked(round, tool, Evidence(result=result, observation=observation))
        await self.checkpoints.keep(f"observed-{round}", to_wire(evidence))
        await self.cache.enter(observation_item(round, observation))
        return evidence

    def checked(self, round: int, tool: str, evidence: Evidence) -> Evidence:
        """Return evidence that is whole, and that of the call which this round had to make."""
        expected, result = self.call_id(f"round-{round}"), evidence.result
        if (result.call_id, result.source) != (expected, tool):
            raise WrongEvidence(
                f"Round {round} wants the result of {tool} under {quote(expected)}, "
                f"and has one of {quote(result.source)} under {quote(result.call_id)}."
            )
        verify_observation(result, evidence.observation)
        return evidence

    async def decided(self, round: int, evidence: Evidence) -> Decision:
        """Return the decision of a round: what is kept, or else what the model says now, if the evidence bears it out.

        It is validated in both cases, and kept before anything follows from it.
        """
        kept = self.checkpoints.kept(f"decision-{round}")
        if kept is not None:
            return validate_decision(kept, evidence.result, self.request, round)
        question = Question(
            scope=self.cache.scope,
            request=self.request,
            round=round,
            model=self.model,
            under_schema=self.options.under_schema,
            generation=self.options.generation,
        )
        sample = await self.cache.present(lambda: self.steps.interpret(question))
        decision = validate_decision(answer_of(sample), evidence.result, self.request, round)
        await self.checkpoints.keep(f"decision-{round}", to_wire(decision))
        return decision

    async def commit(self, round: int, evidence: Evidence, decision: Decision) -> None:
        """Take the task to its next state; a round that is committed already stays as it is."""
        arguments = {"round": round, "result": to_wire(evidence.result), "decision": to_wire(decision)}
        await self.act(ToolCall(id=self.call_id(f"commit-{round}"), name="result_commit", arguments=arguments))

    async def reported(self, report: Report) -> Report:
        """Keep the report and publish it; one that is kept already must be the same, and is published again."""
        made, kept = report.to_json(), self.checkpoints.kept("report")
        if kept is None:
            await self.checkpoints.keep("report", made)
        elif not same(made, kept):
            raise CheckpointConflict("The report that is kept is not the one that its rounds make.")
        await self.act(ToolCall(id=self.call_id("publish"), name="result_publish", arguments={"report": made}))
        return report

    async def act(self, call: ToolCall) -> None:
        result = await self.steps.act(call)
        if result.status != "success":
            raise ObserverError(f"{call.name} ended with {result.status}.")

    def call_id(self, what: str) -> str:
        """Return the id of a call: each one of a task has its own, and the same in every run."""
        return f"{self.request.id}:{what}"
