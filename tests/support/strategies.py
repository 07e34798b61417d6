"""Hypothesis strategies for contract objects, valid and hostile."""

from __future__ import annotations

import datetime as dt
import decimal
import enum
import pathlib
import types
import uuid
from collections import OrderedDict
from typing import Any

from hypothesis import strategies as st

from ditto_core import (
    UNSET,
    Artifact,
    ExternalResult,
    InteractionError,
    JsonPart,
    Message,
    OutputReceipt,
    OutputRequest,
    Reference,
    ReferencePart,
    TextPart,
    ToolCall,
    ToolOutcome,
)

texts = st.text(st.characters(exclude_categories=("Cs",)), max_size=20)
names = st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=20)
scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from([10**4300 - 1, 1 - 10**4300])
    | st.floats(allow_nan=False, allow_infinity=False)
    | texts
)
json_values: st.SearchStrategy[Any] = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4), max_leaves=12
)
json_objects = st.dictionaries(texts, json_values, max_size=4)


class Colour(enum.IntEnum):
    RED = 1


class Shout(enum.StrEnum):
    HI = "hi"


class Text(str):
    pass


def _cycle() -> Any:
    loop: dict[str, Any] = {}
    loop["me"] = [loop]
    return loop


def _deep(depth: int) -> Any:
    value: Any = []
    for _ in range(depth - 1):
        value = [value]
    return value


NOT_JSON: dict[str, Any] = {
    "nan": float("nan"),
    "inf": float("inf"),
    "-inf": float("-inf"),
    "1e400": float("1e400"),
    "huge integer": 10**4300,
    "lone surrogate": "a\ud800",
    "key with a lone surrogate": {"\udfff": 1},
    "integer key": {1: "a"},
    "text subclass key": {Text("a"): 1},
    "tuple": (1, 2),
    "set": {1},
    "frozenset": frozenset({1}),
    "bytes": b"a",
    "bytearray": bytearray(b"a"),
    "datetime": dt.datetime(2026, 1, 1),
    "date": dt.date(2026, 1, 1),
    "uuid": uuid.UUID(int=1),
    "decimal": decimal.Decimal(1),
    "int enum": Colour.RED,
    "text enum": Shout.HI,
    "text subclass": Text("a"),
    "ordered dict": OrderedDict(a=1),
    "mapping proxy": types.MappingProxyType({"a": 1}),
    "path": pathlib.PurePosixPath("a"),
    "exception": ValueError("a"),
    "function": _deep,
    "generator": (x for x in ()),
    "complex": 1j,
    "object": object(),
    "part": TextPart(text="a"),
    "unset": UNSET,
    "cycle": _cycle(),
    "129 deep": _deep(129),
    "2000 deep": _deep(2_000),
    "200000 deep": _deep(200_000),
    "too many": [0] * 1_000_001,
}
"""Values that no entrance may let through, by what they are."""

references = st.builds(Reference, uri=names, media_type=st.just(UNSET) | texts, digest=st.just(UNSET) | texts)
parts = (
    st.builds(TextPart, text=texts)
    | st.builds(JsonPart, data=json_values)
    | st.builds(ReferencePart, reference=references)
)
contents = texts | st.lists(parts, min_size=1, max_size=3).map(tuple) | json_values
errors = st.builds(
    InteractionError,
    code=st.from_regex(r"[A-Za-z0-9_.-]{1,64}", fullmatch=True),
    message=st.sampled_from(["No matching record", "Token budget exhausted", "ratio 3/4", "see https://host/a"]),
    retryable=st.just(UNSET) | st.booleans(),
)
messages = st.builds(
    Message,
    role=st.sampled_from(["system", "user", "assistant", "tool"]),
    content=contents,
    name=st.just(UNSET) | texts,
)
artifacts = st.builds(Artifact, name=names, reference=references)
calls = st.builds(ToolCall, id=names, name=names, arguments=json_objects)
requests = st.builds(
    OutputRequest,
    delivery_id=names,
    message=messages,
    artifacts=st.just(UNSET) | st.lists(artifacts, max_size=2).map(tuple),
)


@st.composite
def _outcome_fields(draw: st.DrawFn) -> dict[str, Any]:
    status = draw(st.sampled_from(["success", "failed", "cancelled", "timeout", "unknown"]))
    fields = {
        "status": status,
        "content": draw(st.just(UNSET) | contents),
        "structured_content": draw(st.just(UNSET) | json_values),
        "references": draw(st.just(UNSET) | st.lists(references, max_size=2).map(tuple)),
        "error": draw(errors if status != "success" else st.just(UNSET) | errors),
        "metadata": draw(st.just(UNSET) | json_objects),
    }
    if status == "success" and all(fields[name] is UNSET for name in ("content", "structured_content", "references")):
        fields["content"] = draw(contents)
    return fields


outcomes = _outcome_fields().map(lambda fields: ToolOutcome(**fields))
results = st.builds(
    lambda call_id, source, fields: ExternalResult(call_id=call_id, source=source, **fields),
    names,
    names,
    _outcome_fields(),
)


@st.composite
def _receipts(draw: st.DrawFn) -> OutputReceipt:
    status = draw(st.sampled_from(["accepted", "rejected", "unknown"]))
    return OutputReceipt(
        delivery_id=draw(names),
        status=status,
        artifacts=draw(st.just(UNSET) | st.lists(artifacts, max_size=2).map(tuple)),
        error=draw(errors if status != "accepted" else st.just(UNSET) | errors),
        metadata=draw(st.just(UNSET) | json_objects),
    )


receipts = _receipts()
