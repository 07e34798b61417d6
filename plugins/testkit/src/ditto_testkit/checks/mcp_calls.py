"""MC-010 to MC-017: what reaches the server of a call, and what comes back."""

from __future__ import annotations

import asyncio
import copy
import json
from typing import Any

from hypothesis import strategies as st

from ditto_core import InvalidResult, JsonObject, RefusedCall, safe_message

from ..fakes import SECRET
from ..labs.mcp_clients import McpClientLab, calling
from ..strategies.texts import texts
from .model import check, fail

UNKNOWN = "ditto-testkit-no-such-tool"
UNSAFE = "unsafe"


def _values() -> st.SearchStrategy[Any]:
    """Give JSON that every peer reads alike: integers that a double holds, and fractions that it does not round."""
    scalars = (
        st.none()
        | st.booleans()
        | st.integers(1 - 2**53, 2**53 - 1)
        | st.integers(-(10**6), 10**6).map(lambda number: number + 0.5)
        | texts()
    )
    return st.recursive(
        scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts(), inner, max_size=4), max_leaves=8
    )


def sorted_text(value: Any) -> str:
    """Return JSON as text: 1, 1.0 and true are three values."""
    return json.dumps(value, sort_keys=True)


@check(
    "MC-010",
    title="An answer is one that a registry takes",
    fix="return McpToolResult(content=…, structured_content=…, references=…, is_error=…); leave out (UNSET) what the "
    "server did not send",
    draws=True,
    share=0.5,
)
def answers_are_answers(lab: McpClientLab, data: Any) -> None:
    """What a registry refuses has happened all the same, and nobody learns how it went."""
    if not lab.subject.echo:
        return
    arguments: JsonObject = {"value": data.draw(_values(), label="value")}
    error = lab.call(lab.subject.echo, arguments).error
    if error is not None:
        refused = str(error) if isinstance(error, InvalidResult) else f"{type(error).__name__}: {error}"
        fail(
            "a call that should succeed has no valid answer", tool=lab.subject.echo, arguments=arguments, came=refused
        )


@check(
    "MC-011",
    title="Arguments arrive as they are",
    fix="pass them on without a change of type or text; nothing is left out for being null, empty or false",
    draws=True,
)
def arguments_are_verbatim(lab: McpClientLab, data: Any) -> None:
    """A tool may only act on what was asked for and checked."""
    if not lab.subject.echo:
        return
    value = data.draw(_values(), label="value")
    back = lab.echo(value)
    if sorted_text(back) != sorted_text({"value": value}):
        fail("the server got other arguments", sent={"value": value}, echoed=back)


@check(
    "MC-012",
    title="The arguments stay as they are",
    fix="copy what you change: dict(arguments), or copy.deepcopy",
    draws=True,
    share=0.5,
)
def arguments_stay(lab: McpClientLab, data: Any) -> None:
    """They stand in the history of the application, and in its next attempt."""
    if not lab.subject.echo:
        return
    arguments = {"value": data.draw(_values(), label="value")}
    before = copy.deepcopy(arguments)
    lab.loop.ended(lab.client.call_tool(lab.subject.echo, arguments))
    if sorted_text(arguments) != sorted_text(before):
        fail("the client changes the arguments", before=before, after=arguments)


@check(
    "MC-013",
    title="One call is one request",
    fix="send it once, without a retry of your own; what came of it is the application's to look into",
)
def one_call_is_one_request(lab: McpClientLab, data: Any) -> None:
    """What is sent twice may happen twice."""
    before = lab.reached()
    if before is None:
        return
    made = []
    if lab.subject.echo:
        lab.echo("once")
        made.append(lab.subject.echo)
    if lab.subject.failing:
        lab.call(*lab.subject.failing)
        made.append(lab.subject.failing[0])
    reached = (lab.reached() or [])[len(before) :]
    if reached != made:
        fail("the server got other calls than were made", made=made, reached=reached)


@check(
    "MC-014",
    title="Calls at the same time get their own answers",
    fix="keep requests apart by their ids, and what belongs to one in local variables",
    draws=True,
    share=0.5,
)
def concurrent_calls_keep_apart(lab: McpClientLab, data: Any) -> None:
    """A worker runs many calls over one connection."""
    if not lab.subject.echo:
        return
    lab.echo("alone")
    values = data.draw(st.lists(_values(), min_size=2, max_size=6), label="values")
    sent = [[index, value] for index, value in enumerate(values)]

    async def together() -> list[Any]:
        calls = [calling(lab.client, lab.subject.echo, {"value": one}, f"c{one[0]}") for one in sent]
        return await asyncio.gather(*calls, return_exceptions=True)

    for one, end in zip(sent, lab.loop.run(together()), strict=True):
        if isinstance(end, BaseException):
            fail("a call fails beside others", value=one, raised=f"{type(end).__name__}: {end}")
        if sorted_text(end.structured_content) != sorted_text({"value": one}):
            fail("a call gets the answer of another", value=one, echoed=end.structured_content)


@check(
    "MC-015",
    title="A tool's failure is an answer",
    fix="return McpToolResult(is_error=True, …) with what the server sent; raise only when there is no answer",
)
def failures_are_answers(lab: McpClientLab, data: Any) -> None:
    """A model can act on the failure of a tool. As a success it misleads, as an exception it says nothing."""
    if lab.subject.failing is None:
        return
    name, arguments = lab.subject.failing
    ended = lab.call(name, arguments)
    if isinstance(ended.error, InvalidResult):
        fail("the answer of a tool that fails is not valid", tool=name, refused=str(ended.error))
    if ended.error is not None:
        fail("a tool's failure is raised", tool=name, raised=f"{type(ended.error).__name__}: {ended.error}")
    if ended.value.status != "failed":
        fail("a tool's failure is given as a success", tool=name, status=ended.value.status)


@check(
    "MC-016",
    title="A tool that is not allowed is not listed, and refused before the server is asked",
    fix="filter the pages, and raise PermissionDenied or UnknownTool in call_tool before anything is sent",
)
def hidden_tools_stay_hidden(lab: McpClientLab, data: Any) -> None:
    """A name that a model has guessed must not lead further than one that it was shown."""
    hidden = lab.subject.hidden
    if not hidden:
        return
    if hidden in [tool.name for tool in lab.tools()]:
        fail("a tool that is not allowed is listed", tool=hidden)
    before = lab.reached()
    ended = lab.call(hidden, {})
    if not isinstance(ended.error, RefusedCall):
        came = "an answer" if ended.error is None else type(ended.error).__name__
        fail("a tool that is not allowed is not refused", tool=hidden, came=came)
    if lab.reached() != before:
        fail("a tool that is not allowed is refused after the server was asked", tool=hidden)


@check(
    "MC-017",
    title="What a client raises repeats no argument, no secret and no path",
    fix="raise with a message of your own; what the server or a library said goes into your log",
)
def exceptions_are_safe(lab: McpClientLab, data: Any) -> None:
    """Exceptions end in logs, reports and, through an application, before a model."""
    calls: list[tuple[str, JsonObject]] = [(UNKNOWN, {"value": SECRET, SECRET: "value"})]
    calls += [(lab.subject.hidden, {"value": SECRET})] if lab.subject.hidden else []
    for name, arguments in calls:
        error = lab.call(name, arguments).error
        said = " ".join(str(error).split())[:512] if error is not None else ""
        if SECRET in said:
            fail("an exception repeats the arguments", tool=name, raised=said.replace(SECRET, "<the arguments>"))
        if said and safe_message(said, UNSAFE) == UNSAFE:
            fail("an exception says what may not be shown", tool=name, raised=type(error).__name__)
