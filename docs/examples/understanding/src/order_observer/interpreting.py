"""From a model's answer to the value that it says: a whole answer, one JSON object, nothing around it but a fence."""

from __future__ import annotations

import re

from ditto_core import JsonValue
from ditto_infer import Sample, SampleResult

from .errors import DecisionRejected, NotInterpreted
from .json_text import NotJson, read

_FENCED = re.compile(r"```(?:json)?\s*\n(.*?)\n?```", re.DOTALL)


def answer_of(result: SampleResult) -> JsonValue:
    """Return the JSON that the model answered with, which is not yet checked.

    Raises :class:`NotInterpreted` when there is no whole answer, and :class:`DecisionRejected` when it is no JSON.
    """
    if result.status != "success" or not isinstance(result.output, Sample):
        code, message = (result.error.code, result.error.message) if result.error else ("NO_OUTPUT", "")
        raise NotInterpreted(code, message)
    sample = result.output
    text = sample.message.content
    if sample.finish_reason != "stop" or type(text) is not str:
        raise NotInterpreted("INCOMPLETE_INTERPRETATION", f"The model ended with {sample.finish_reason}.")
    text = text.strip()
    fenced = _FENCED.fullmatch(text)
    try:
        return read(fenced[1] if fenced else text)
    except NotJson:
        raise DecisionRejected("decision", "is no JSON") from None
