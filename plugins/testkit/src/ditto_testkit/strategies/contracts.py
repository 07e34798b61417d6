"""Calls, results, observations, messages, requests and receipts, valid and of every kind."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

import ditto_core
from ditto_core import (
    UNSET,
    Artifact,
    ExternalResult,
    InteractionError,
    JsonPart,
    Message,
    Observation,
    ObserveInput,
    OutputReceipt,
    OutputRequest,
    ReceiptStatus,
    Reference,
    ReferencePart,
    TextPart,
    ToolCall,
    ToolOutcome,
)

from .texts import texts
from .values import json_objects, json_values

_unset = st.just(UNSET)
_names = texts(min_size=1, max_size=20)


def references() -> st.SearchStrategy[Reference]:
    """Give references, with and without media type and digest."""
    optional = _unset | texts(max_size=20)
    return st.builds(Reference, uri=_names, media_type=optional, digest=optional)


def artifacts() -> st.SearchStrategy[Artifact]:
    """Give artifacts."""
    return st.builds(Artifact, name=_names, reference=references())


def contents() -> st.SearchStrategy[Any]:
    """Give content of a message: text, parts, or a JSON value."""
    parts = (
        st.builds(TextPart, text=texts(max_size=20))
        | st.builds(JsonPart, data=json_values(max_leaves=6))
        | st.builds(ReferencePart, reference=references())
    )
    return texts() | st.lists(parts, min_size=1, max_size=3).map(tuple) | json_values(max_leaves=6)


def messages() -> st.SearchStrategy[Message]:
    """Give messages of every role."""
    return st.builds(
        Message,
        role=st.sampled_from(["system", "user", "assistant", "tool"]),
        content=contents(),
        name=_unset | texts(max_size=20),
    )


def errors() -> st.SearchStrategy[InteractionError]:
    """Give errors as data."""
    return st.builds(
        InteractionError,
        code=st.sampled_from(["NOT_FOUND", "a", "x.y-z_1", "E" * 64]),
        message=st.sampled_from(["No matching record", "ratio 3/4", "Token budget exhausted", "é" * 512]),
        retryable=_unset | st.booleans(),
    )


def calls() -> st.SearchStrategy[ToolCall]:
    """Give tool calls with any id, name and arguments."""
    return st.builds(ToolCall, id=_names, name=_names, arguments=json_objects())


def requests() -> st.SearchStrategy[OutputRequest]:
    """Give deliveries with and without artifacts."""
    return st.builds(
        OutputRequest,
        delivery_id=_names,
        message=messages(),
        artifacts=_unset | st.lists(artifacts(), max_size=2).map(tuple),
    )


@st.composite
def _outcome_fields(draw: st.DrawFn) -> dict[str, Any]:
    status = draw(st.sampled_from(["success", "failed", "cancelled", "timeout", "unknown"]))
    fields: dict[str, Any] = {
        "status": status,
        "content": draw(_unset | contents()),
        "structured_content": draw(_unset | json_values(max_leaves=6)),
        "references": draw(_unset | st.lists(references(), max_size=2).map(tuple)),
        "error": draw(errors() if status != "success" else _unset | errors()),
        "metadata": draw(_unset | json_objects(max_leaves=6)),
    }
    if status == "success" and all(fields[name] is UNSET for name in ("content", "structured_content", "references")):
        fields["content"] = draw(contents())
    return fields


def outcomes() -> st.SearchStrategy[ToolOutcome]:
    """Give what ``execute`` of a tool may return."""
    return _outcome_fields().map(lambda fields: ToolOutcome(**fields))


def results() -> st.SearchStrategy[ExternalResult]:
    """Give results of calls, of every status."""
    return st.builds(
        lambda call_id, source, fields: ExternalResult(call_id=call_id, source=source, **fields),
        _names,
        _names,
        _outcome_fields(),
    )


def observations() -> st.SearchStrategy[Observation]:
    """Give observations, each that of a result."""
    return results().map(lambda result: ditto_core.observe(ObserveInput(result=result)))


@st.composite
def _receipts(draw: st.DrawFn) -> OutputReceipt:
    status: ReceiptStatus = draw(st.sampled_from(["accepted", "rejected", "unknown"]))
    return OutputReceipt(
        delivery_id=draw(_names),
        status=status,
        artifacts=draw(_unset | st.lists(artifacts(), max_size=2).map(tuple)),
        error=draw(errors() if status != "accepted" else _unset | errors()),
        metadata=draw(_unset | json_objects(max_leaves=6)),
    )


def receipts() -> st.SearchStrategy[OutputReceipt]:
    """Give what a sink may answer with."""
    return _receipts()
