"""One call of one tool: what the client gets, and what becomes of its answer."""

from __future__ import annotations

import asyncio
import copy
import time
from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ditto_core import (
    UNSET,
    ExternalResult,
    InteractionError,
    InvalidResult,
    InvalidValue,
    JsonPart,
    McpInvoked,
    McpToolError,
    McpToolResult,
    ObserveInput,
    Reference,
    ReferencePart,
    TextPart,
    observe,
)
from ditto_core.contracts.content import enter_content
from tests.support import run
from tests.support.mcp_memory import ALL, Server, invoke, registry, result_of
from tests.support.strategies import NOT_JSON, contents, errors, json_objects, json_values, names, references

REPORTED = InteractionError(code="MCP_TOOL_ERROR", message="The MCP server reported an error")
REFERENCE = Reference(uri="file:///a.txt", media_type="text/plain")


@pytest.mark.promise("MCP-02", "MCP-15")
@pytest.mark.case("DISC-10", "DISC-14")
def test_a_call_reaches_the_one_server_and_tool_that_it_names() -> None:
    a, b = Server(answer=McpToolResult(content="from a")), Server()
    output = run(registry({"a": a, "b": b}).execute(invoke("a", "search", {"q": "x"}, id="s-1"), ALL))
    assert output == McpInvoked(
        result=ExternalResult(call_id="s-1", source="a:search", status="success", content="from a")
    )
    assert (output.operation, a.calls, a.cursors) == ("invoke", [("search", {"q": "x"})], [])
    assert b.untouched


@given(names, names.filter(str.isprintable), json_objects)
@pytest.mark.promise("MCP-15", "MCP-21", "D-MCP-01")
def test_names_ids_and_arguments_arrive_as_they_are(id: str, name: str, arguments: dict[str, Any]) -> None:
    client = Server()
    result = run(registry(client).execute(invoke(name=name, arguments=arguments, id=id), ALL)).result
    assert client.calls == [(name, arguments)]
    assert (result.call_id, result.source) == (id, f"files:{name}")
    assert result.source.partition(":")[::2] == ("files", name)


def test_the_client_gets_arguments_of_its_own() -> None:
    arguments = {"list": [{"a": 1}], "flat": 1}
    before = copy.deepcopy(arguments)
    client = Server()
    run(registry(client).execute(invoke(arguments=arguments), ALL))
    client.calls[0][1]["list"][0]["a"] = client.calls[0][1]["flat"] = 2
    assert arguments == before


_present = st.fixed_dictionaries(
    {},
    optional={
        "content": contents,
        "structured_content": json_values,
        "references": st.lists(references, max_size=2).map(tuple),
    },
)


@given(_present, st.booleans(), st.just(UNSET) | errors)
@pytest.mark.promise("MCP-17", "MCP-18", "D-MCP-02", "D-MCP-03")
@pytest.mark.case("CALL-01", "CALL-05", "CALL-06")
def test_an_answer_becomes_a_result_with_what_was_there(fields: Any, is_error: bool, error: Any) -> None:
    answer = McpToolResult(**fields, is_error=is_error, error=error)
    before = copy.deepcopy(answer)
    if not fields and not is_error:
        with pytest.raises(InvalidResult, match="a success needs content, structured content or references"):
            run(result_of(answer))
        return
    result = run(result_of(answer))
    if "content" in fields:
        fields = {**fields, "content": enter_content(fields["content"], "")}
    assert result == ExternalResult(
        call_id="c1",
        source="files:read",
        status="failed" if is_error else "success",
        error=error or (REPORTED if is_error else UNSET),
        **fields,
    )
    assert answer == before
    observation = observe(ObserveInput(result=result))
    assert (observation.status, observation.call_id, observation.source) == (result.status, "c1", "files:read")


@pytest.mark.parametrize(
    "fields",
    [
        {"content": "no such file"},
        {"content": (TextPart(text="a"), TextPart(text="b"))},
        {"structured_content": {"code": 7}},
        {"references": (REFERENCE,)},
        {},
    ],
    ids=str,
)
@pytest.mark.promise("MCP-18")
@pytest.mark.case("CALL-01", "CALL-02")
def test_an_error_reply_is_failed_whatever_it_holds(fields: dict[str, Any]) -> None:
    result = run(result_of(McpToolResult(is_error=True, **fields)))
    assert (result.status, result.error) == ("failed", REPORTED)
    observation = observe(ObserveInput(result=result))
    assert (observation.status, observation.error) == ("failed", REPORTED)
    assert {name: getattr(result, name) for name in fields} == fields


@pytest.mark.case("CALL-05")
def test_structured_content_alone_is_a_success_that_an_observation_shows() -> None:
    both: list[dict[str, Any]] = [{}, {"content": []}]
    for fields in both:
        result = run(result_of(McpToolResult(structured_content={"id": 1}, **fields)))
        assert (result.status, result.structured_content) == ("success", {"id": 1})
        content = observe(ObserveInput(result=result)).message.content
        assert isinstance(content, tuple)
        assert content[-1] == JsonPart(data={"id": 1})


@pytest.mark.case("CALL-06")
def test_text_structure_and_reference_all_arrive() -> None:
    result = run(result_of(McpToolResult(content="body", structured_content={"meta": 1}, references=(REFERENCE,))))
    assert (result.content, result.structured_content, result.references) == ("body", {"meta": 1}, (REFERENCE,))
    assert observe(ObserveInput(result=result)).message.content == (
        TextPart(text="body"),
        JsonPart(data={"meta": 1}),
        ReferencePart(reference=REFERENCE),
    )


UNSAFE: list[Any] = [
    "Bearer eyJhbGci.x.y",
    "Bearer abc",
    "sk-live-123456789012",
    "password=hunter2",
    "X-Subscription-Token: k",
    "/home/u/a",
    "/home/u/x",
    "open('/etc/x')",
    "C:\\Users\\u",
    "\\\\srv\\s",
    "file:///x",
    'File "a.py", line 3',
    "at f (a.js:1:2)",
    "a\tb",
    "a\nb",
    "\x1b[2J",
    "a\x85b",
    "a\u2028b",
    "a\ud800b",
    "x" * 513,
    "x" * 600,
    "",
    None,
    5,
    ["a"],
]


@pytest.mark.parametrize("message", UNSAFE, ids=lambda message: repr(message)[:30])
@pytest.mark.parametrize("is_error", [True, False])
@pytest.mark.promise("MCP-18", "ERR-08", "D-MCP-03")
@pytest.mark.case("CALL-13", "SEC-05b")
def test_words_that_may_not_be_shown_are_replaced_as_a_whole(message: Any, is_error: bool) -> None:
    error = McpToolError(code="THEIRS", message=message, retryable=True)
    result = run(result_of(McpToolResult(content="", is_error=is_error, error=error)))
    assert result == ExternalResult(
        call_id="c1", source="files:read", status="failed" if is_error else "success", content="", error=REPORTED
    )


@pytest.mark.parametrize("code", ["", "a b", "a" * 65, "é", "Bearer abc", None, 5], ids=repr)
@pytest.mark.case("CALL-13")
def test_a_bad_code_or_hint_is_replaced_as_well(code: Any) -> None:
    error = McpToolError(code=code, message="Disk is full")
    assert run(result_of(McpToolResult(is_error=True, error=error))).error == REPORTED
    hint = McpToolError(code="A", message="Disk is full", retryable=code)
    assert run(result_of(McpToolResult(is_error=True, error=hint))).error == REPORTED


@given(errors, st.booleans())
@pytest.mark.promise("MCP-18", "ERR-08", "D-MCP-03")
def test_a_servers_safe_words_are_kept(error: InteractionError, is_error: bool) -> None:
    theirs = McpToolError(**attrs.asdict(error))
    assert run(result_of(McpToolResult(content="a", is_error=is_error, error=theirs))).error == error


@pytest.mark.parametrize("is_error", ["yes", "", None, 0, 1, UNSET, []], ids=repr)
@pytest.mark.promise("D-MCP-02")
def test_a_flag_that_is_no_bool_is_refused(is_error: Any) -> None:
    with pytest.raises(InvalidResult, match=r"^MCP tool 'files:read' \(call 'c1'\): the result is invalid: isError: "):
        run(result_of(McpToolResult(content="a", is_error=is_error)))


class Sly(McpToolResult):
    pass


@pytest.mark.parametrize(
    "answer", [5, "text", {"content": "a"}, {}, ("a",), Sly(content="a")], ids=lambda answer: type(answer).__name__
)
@pytest.mark.promise("MCP-17")
def test_what_is_no_result_is_refused(answer: Any) -> None:
    with pytest.raises(
        InvalidResult, match=r"call_tool must return an McpToolResult, not .*Its effect may have happen"
    ):
        run(result_of(lambda: answer))


BAD: dict[str, dict[str, Any]] = {
    "content": {"content": ("text",)},
    "content[1]": {"content": (TextPart(text="a"), Reference(uri="a"))},
    "references": {"references": [REFERENCE]},
    "references ": {"references": "a"},
    "references[0]": {"references": ({"uri": "a"},)},
    "error": {"content": "a", "error": {"code": "A", "message": "a"}},
    "error ": {"content": "a", "error": None},
    "error  ": {"is_error": True, "error": "failed"},
}


@pytest.mark.parametrize("field", BAD)
def test_a_field_of_the_wrong_shape_is_named(field: str) -> None:
    with pytest.raises(InvalidResult, match=rf"the result is invalid: {field.strip()}".replace("[", r"\[")):
        run(result_of(McpToolResult(**BAD[field])))


@pytest.mark.parametrize("bad", [name for name in NOT_JSON if "surrogate" not in name and name != "part"])
@pytest.mark.parametrize("place", ["content", "part", "structured_content"])
@pytest.mark.promise("MCP-17", "D-VAL-07b")
@pytest.mark.case("JSON-03b", "JSON-08b")
def test_an_answer_that_is_no_json_is_refused_at_once(place: str, bad: str) -> None:
    value = {"x": NOT_JSON[bad]}
    fields: dict[str, Any] = {"content": (JsonPart(data=value),)} if place == "part" else {place: value}
    begun = time.process_time()
    with pytest.raises(InvalidResult, match="Its effect may have happened; check before a retry"):
        run(result_of(McpToolResult(**fields)))
    assert time.process_time() - begun < 1


@pytest.mark.promise("D-MCP-10")
def test_lone_surrogates_in_an_answer_are_replaced() -> None:
    fields: dict[str, Any] = {
        "content": [{"type": "text", "text": "a\ud800"}, {"type": "json", "data": {"\udc00": "\udbff"}}],
        "structured_content": {"x": ["\ud800\ud800"]},
    }
    result = run(result_of(McpToolResult(**fields)))
    assert result.content == (TextPart(text="a\ufffd"), JsonPart(data={"\ufffd": "\ufffd"}))
    assert result.structured_content == {"x": ["\ufffd\ufffd"]}
    assert run(result_of(McpToolResult(content="\ud800"))).content == "\ufffd"


@pytest.mark.promise("MCP-19")
def test_what_a_client_raises_passes_unchanged_and_nothing_is_asked_twice() -> None:
    error = OSError("Bearer abc")
    client = Server(answer=error)
    with pytest.raises(OSError, match="Bearer abc") as caught:
        run(registry(client).execute(invoke(), ALL))
    assert caught.value is error
    assert not hasattr(error, "__notes__")
    assert len(client.calls) == 1


def test_a_value_that_a_client_could_not_build_is_an_invalid_result() -> None:
    with pytest.raises(InvalidResult, match=r"the result is invalid: Reference\.uri: must not be empty") as caught:
        run(result_of(InvalidValue("Reference.uri", "must not be empty")))
    assert isinstance(caught.value.__cause__, InvalidValue)


@pytest.mark.case("CALL-16")
def test_a_group_of_exceptions_becomes_one_error() -> None:
    many = [type(f"Error{number}", (Exception,), {})() for number in range(7)]
    group = BaseExceptionGroup("Bearer abc", [BaseExceptionGroup("inner", [asyncio.CancelledError()]), *many])
    with pytest.raises(
        InvalidResult, match="at once: CancelledError, Error0, Error1, Error2, Error3 and 3 more"
    ) as caught:
        run(result_of(group))
    assert caught.value.__cause__ is group
    assert "Bearer" not in str(caught.value)


@pytest.mark.parametrize("interrupt", [KeyboardInterrupt, SystemExit])
def test_an_interrupt_in_a_group_is_left_alone(interrupt: type[BaseException]) -> None:
    async def scenario() -> None:
        with pytest.raises(BaseExceptionGroup):
            await result_of(BaseExceptionGroup("a", [OSError(), interrupt()]))

    run(scenario())
