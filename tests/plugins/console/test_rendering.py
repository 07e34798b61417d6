"""What a delivery looks like, for any message."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ditto_console.rendering import as_json, as_text
from ditto_core import (
    UNSET,
    Artifact,
    JsonPart,
    Message,
    OutputRequest,
    Reference,
    ReferencePart,
    TextPart,
    from_wire,
    to_wire,
)

CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029]")
HOSTILE = "\x1b[2J\x1b]0;t\x07\u009b31m"

texts = st.text() | st.text(st.sampled_from('a\n\r\t\x0b\x0c\x1b\x07\x7f\x85\x9b\u2028\u2029é\U0001f600"\\'))
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=10,
)
optional = st.just(UNSET) | texts
references = st.builds(Reference, uri=texts.filter(bool), media_type=optional, digest=optional)
parts = (
    st.builds(TextPart, text=texts) | st.builds(JsonPart, data=values) | st.builds(ReferencePart, reference=references)
)
messages = st.builds(
    Message,
    role=st.sampled_from(["system", "user", "assistant", "tool"]),
    content=texts | values | st.lists(parts, min_size=1, max_size=4).map(tuple),
    name=optional,
)
artifacts = st.builds(Artifact, name=texts.filter(bool), reference=references)
requests = st.builds(
    OutputRequest,
    delivery_id=texts.filter(bool),
    message=messages,
    artifacts=st.just(UNSET) | st.lists(artifacts, max_size=3).map(tuple),
)


def request(content: object, *artifacts: Artifact) -> OutputRequest:
    message = Message(role="assistant", content=content)  # type: ignore[arg-type]
    return OutputRequest(delivery_id="d1", message=message, artifacts=artifacts or UNSET)


REPORT = Artifact(name="report", reference=Reference(uri="urn:report:1", media_type="text/csv"))


# JSON


@pytest.mark.case("SINK-05", "SINK-09")
@pytest.mark.promise("OUT-10", "D-OUT-01")
@given(delivery=requests)
def test_any_delivery_is_one_line_of_ascii_that_reads_back_equal(delivery: OutputRequest) -> None:
    line = as_json(delivery)
    assert line.isascii()
    assert line.splitlines() == line.split("\n")[:-1] == [line[:-1]]
    assert CONTROL.search(line) is None
    read = json.loads(line)
    assert read.keys() - {"artifacts"} == {"id", "message"}
    assert read["id"] == delivery.delivery_id
    assert repr(read["message"]) == repr(to_wire(delivery.message))
    assert to_wire(from_wire(Message, read["message"])) == read["message"]
    given_artifacts = None if delivery.artifacts is UNSET else tuple(delivery.artifacts)
    read_artifacts = tuple(from_wire(Artifact, one) for one in read["artifacts"]) if "artifacts" in read else None
    assert read_artifacts == given_artifacts


@pytest.mark.promise("OUT-10")
def test_a_line_has_the_keys_of_the_specification() -> None:
    assert as_json(request("hi")) == '{"id":"d1","message":{"role":"assistant","content":"hi"}}\n'
    assert as_json(request(None, REPORT)) == (
        '{"id":"d1","message":{"role":"assistant","content":null},'
        '"artifacts":[{"name":"report","reference":{"uri":"urn:report:1","mediaType":"text/csv"}}]}\n'
    )


@pytest.mark.case("SINK-05")
def test_line_ends_of_any_kind_stay_inside_the_line() -> None:
    text = "\u2028 \u2029 \u0085 \r\n \x0b \x0c"
    (line,) = as_json(request(text)).splitlines()
    assert json.loads(line)["message"]["content"] == text


@pytest.mark.parametrize("content", [float("nan"), object(), {"a": {1, 2}}], ids=["nan", "object", "set"])
@pytest.mark.parametrize("render", [as_json, as_text])
def test_what_is_no_json_is_refused(render: object, content: object) -> None:
    with pytest.raises((TypeError, ValueError)):
        render(request(content))  # type: ignore[operator]


# Text


@pytest.mark.case("SINK-09")
@given(delivery=requests)
@pytest.mark.promise("D-OUT-02")
def test_any_delivery_is_text_without_a_control_that_a_terminal_obeys(delivery: OutputRequest) -> None:
    text = as_text(delivery)
    assert text.endswith("\n")
    assert set(CONTROL.findall(text)) <= {"\t"}


@pytest.mark.case("SINK-09")
def test_escape_sequences_become_visible_wherever_they_stand() -> None:
    hostile = Artifact(name=HOSTILE, reference=Reference(uri=f"urn:{HOSTILE}\n\t"))
    content = (TextPart(text=f"a\tb\n{HOSTILE}"), JsonPart(data={HOSTILE: "\x7f\u2028"}))
    assert as_text(request(content, hostile)).splitlines() == [
        "a\tb",
        r"\x1b[2J\x1b]0;t\x07\x9b31m",
        "{",
        r'  "\u001b[2J\u001b]0;t\u0007\u009b31m": "\u007f\u2028"',
        "}",
        r"\x1b[2J\x1b]0;t\x07\x9b31m: urn:\x1b[2J\x1b]0;t\x07\x9b31m\n\t",
    ]


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("", "\n"),
        ("two\nlines", "two\nlines\n"),
        ("it ends\n", "it ends\n"),
        ("a\r\nb", "a\\r\nb\n"),
        (None, "null\n"),
        ([], "[]\n"),
        ({"é": [1, True]}, '{\n  "é": [\n    1,\n    true\n  ]\n}\n'),
        ((TextPart(text="a"), TextPart(text="b")), "a\nb\n"),
        ((ReferencePart(reference=REPORT.reference), JsonPart(data=None)), "urn:report:1 (text/csv)\nnull\n"),
    ],
)
def test_content_reads_as_it_should(content: object, text: str) -> None:
    assert as_text(request(content)) == text


@pytest.mark.promise("D-OUT-02")
def test_artifacts_follow_with_name_and_uri() -> None:
    other = Artifact(name="log", reference=Reference(uri="urn:log:1"))
    assert as_text(request("done", REPORT, other)) == "done\nreport: urn:report:1 (text/csv)\nlog: urn:log:1\n"
