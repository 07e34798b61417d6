"""What type checkers know of graphs and loops: checked by mypy, not run."""

from __future__ import annotations

from typing import Any, assert_type

import attrs

from ditto_core import (
    ACT_TOOL,
    OBSERVE,
    OUTPUT,
    ExternalResult,
    Graph,
    JsonObject,
    Loop,
    Message,
    Node,
    Observation,
    ObserveInput,
    OutputReceipt,
    OutputRequest,
    Outputs,
    Runtime,
    Step,
    ToolCall,
    ToolContext,
    ToolInput,
)


@attrs.frozen
class Question:
    """What a run is given."""

    path: str


@attrs.frozen
class Count:
    """The state of a loop."""

    n: int = 0


graph = Graph("typed", Question)


@graph.node(ACT_TOOL)
def read(question: Question) -> ToolInput:
    return ToolInput(call=ToolCall(id="1", name="cat", arguments={"path": question.path}))


@graph.node(OBSERVE, read)
def observed(question: Question, result: ExternalResult) -> ObserveInput:
    return ObserveInput(result=result)


@graph.node(OUTPUT, observed, read)
def delivered(question: Question, observation: Observation, result: ExternalResult) -> OutputRequest:
    return OutputRequest(delivery_id="d", message=Message(role="assistant", content=observation.message.content))


@graph.node(ACT_TOOL, read, observed, delivered, read, id="four")
def four(
    question: Question, a: ExternalResult, b: Observation, c: OutputReceipt, d: ExternalResult
) -> JsonObject:  # an input may be JSON too
    return {"call": {"id": a.call_id, "name": b.source, "arguments": {}}}


@graph.node(OBSERVE, read, observed, delivered, four, read)
def with_more_than_four_the_outputs_are_untyped(question: Question, *outputs: Any) -> ObserveInput:
    return ObserveInput(result=outputs[0])


def steps_know_what_they_give() -> None:
    assert_type(read, Step[ExternalResult])
    assert_type(observed, Step[Observation])
    assert_type(delivered, Step[OutputReceipt])
    assert_type(four, Step[ExternalResult])
    assert_type(with_more_than_four_the_outputs_are_untyped, Step[Observation])
    assert_type(graph, Graph[Question])


def steps_from_data_know_it_too() -> None:
    assert_type(graph.add("a", OBSERVE, lambda question: {}, after=[read]), Step[Observation])
    assert_type(graph.add("b", "INTERACTION.OBSERVE", lambda question: {}, after=[read, observed]), Step[Any])
    graph.add("c", OBSERVE, lambda question: {}, after=["read"])  # type: ignore[list-item]
    graph.add("d", 3, lambda question: {})  # type: ignore[call-overload]
    graph.add("e", OBSERVE)  # type: ignore[call-overload]


async def outputs_are_typed_by_step_and_untyped_by_id(runtime: Runtime, context: ToolContext) -> None:
    outputs = await runtime.run(graph, Question("a"), concurrency=2, timeout=1.5, into=Outputs())
    assert_type(outputs, Outputs)
    assert_type(outputs[read], ExternalResult)
    assert_type(outputs[observed], Observation)
    assert_type(outputs[delivered], OutputReceipt)
    assert_type(outputs["read"], Any)
    text: str = outputs[read]  # type: ignore[assignment]
    print(text, outputs[3])  # type: ignore[call-overload]
    assert_type(outputs.errors, dict[str, BaseException])
    assert_type((await context.run(graph, Question("a")))[observed], Observation)


async def a_run_takes_what_its_graph_says(runtime: Runtime, context: ToolContext) -> None:
    await runtime.run(graph, Count())  # type: ignore[misc]
    await runtime.run(graph, {"path": "a"})  # type: ignore[misc]
    await runtime.run(graph)  # type: ignore[call-arg]
    await runtime.run(graph, Question("a"), into={})  # type: ignore[arg-type]
    await runtime.run(graph, Question("a"), limit=3)  # type: ignore[call-arg]
    await context.run(graph, Count())  # type: ignore[misc]
    await context.run(graph, Question("a"), timeout=1)  # type: ignore[call-arg]


def wrong_declarations_are_caught() -> None:
    wrong = Graph("wrong", Question)

    @wrong.node(OBSERVE, read)  # type: ignore[arg-type]
    def the_wrong_class_of_output(question: Question, result: Observation) -> ObserveInput: ...  # type: ignore[empty-body]

    @wrong.node(OUTPUT, read, observed)  # type: ignore[arg-type]
    def out_of_order(question: Question, seen: Observation, result: ExternalResult) -> OutputRequest: ...  # type: ignore[empty-body]

    @wrong.node(OBSERVE, reed)  # type: ignore[name-defined]  # noqa: F821
    def misspelt(question: Question, result: ExternalResult) -> ObserveInput: ...  # type: ignore[empty-body]

    @wrong.node(OBSERVE, read)  # type: ignore[arg-type]
    def the_wrong_input_of_the_node(question: Question, result: ExternalResult) -> ToolInput: ...  # type: ignore[empty-body]


def wrong_functions_are_caught() -> None:
    wrong = Graph("wrong", Question)

    @wrong.node(OBSERVE, read)  # type: ignore[arg-type]
    def an_output_too_few(question: Question) -> ObserveInput: ...  # type: ignore[empty-body]

    @wrong.node(OBSERVE)  # type: ignore[arg-type]
    def an_output_too_many(question: Question, result: ExternalResult) -> ObserveInput: ...  # type: ignore[empty-body]

    @wrong.node(ACT_TOOL)  # type: ignore[arg-type]
    def the_wrong_input_of_the_run(count: Count) -> ToolInput: ...  # type: ignore[empty-body]

    @wrong.node(ACT_TOOL)  # type: ignore[arg-type]
    async def late(question: Question) -> ToolInput: ...  # type: ignore[empty-body]

    @wrong.node("INTERACTION.OBSERVE")  # type: ignore[call-overload, untyped-decorator]
    def no_node(question: Question) -> ObserveInput: ...  # type: ignore[empty-body]

    @wrong.node(OBSERVE, "read")  # type: ignore[call-overload, untyped-decorator]
    def no_step(question: Question, result: ExternalResult) -> ObserveInput: ...  # type: ignore[empty-body]


def a_reader_of_less_will_do() -> None:
    @graph.node(OBSERVE, read)
    def reads_an_object(question: object, result: object) -> ObserveInput: ...  # type: ignore[empty-body]

    assert_type(reads_an_object, Step[Observation])
    wider: Step[object] = reads_an_object
    print(wider)


async def loops_keep_the_type_of_their_state(runtime: Runtime) -> None:
    loop = Loop(
        graph,
        bind=lambda count: Question(str(count.n)),
        update=lambda count, outputs: Count(count.n + len(outputs[observed].call_id)),
        done=lambda count: count.n > 2,
    )
    assert_type(loop, Loop[Count])
    typed = Loop[Count](
        graph,
        bind=lambda count: Question(str(count.n)),
        update=lambda count, outputs: Count(count.n + 1),
        done=lambda count: count.n > 2,
        max_iterations=3,
    )
    assert_type(typed, Loop[Count])
    assert_type(await runtime.loop(typed, Count()), Count)
    await runtime.loop(typed, 3)  # type: ignore[misc]
    await runtime.loop(graph, Count())  # type: ignore[arg-type]


def _bind(count: Count) -> Question:
    return Question(str(count.n))


def _update(count: Count, outputs: Outputs) -> Count:
    return Count(count.n + 1)


def _done(count: Count) -> bool:
    return count.n > 2


def _other_state(count: int, outputs: Outputs) -> int:
    return count + 1


def _other_input(count: Count) -> Count:
    return count


async def _late(count: Count) -> bool:
    return True


def loops_of_functions_are_inferred(runtime: Runtime) -> None:
    assert_type(Loop(graph, bind=_bind, update=_update, done=_done), Loop[Count])
    assert_type(Loop(lambda count: graph, bind=_bind, update=_update, done=_done), Loop[Count])
    Loop(graph, bind=_bind, update=_other_state, done=_done)  # type: ignore[misc]
    Loop(graph, bind=_other_input, update=_update, done=_done)  # type: ignore[misc]
    Loop(graph, bind=_bind, update=_update, done=_update)  # type: ignore[arg-type]
    Loop(graph, bind=_bind, update=_update, done=_late)  # type: ignore[arg-type]


def a_node_of_ones_own_is_typed(own: Node[Count, str]) -> None:
    counting = Graph("counting", Question)

    @counting.node(own)
    def count(question: Question) -> Count:
        return Count(len(question.path))

    assert_type(count, Step[str])
