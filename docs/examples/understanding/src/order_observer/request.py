"""What a task is asked to find out, and the canonical form that its fingerprint is made of."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal, TypeAlias, get_args

import attrs

from ditto_core import InvalidValue, JsonObject, Sandbox, describe, quote

from .errors import InvalidRequest
from .json_text import fingerprint, written

Mode: TypeAlias = Literal["read", "normalize", "errors", "state", "interpret"]
"""Which of the five workflows a task is for. They have one controller, and differ in what the service answers."""

Scenario: TypeAlias = Literal[
    "success",
    "transient",
    "denied",
    "not-found",
    "timeout",
    "disconnect",
    "malformed",
    "business-failure",
    "cancelled",
    "persistent-transient",
]
"""What the reference service does with the first request for a result."""

_is_name = re.compile(r"[A-Za-z0-9_-]{1,80}").fullmatch
_WORDS = {"mode": get_args(Mode), "scenario": get_args(Scenario)}
_FIELDS = {"id": "id", "tenant": "tenant", "mode": "mode", "scenario": "scenario", "orderId": "order_id"}


@attrs.frozen(kw_only=True)
class Request:
    """One task: which order of which tenant to look after, at which service.

    ``id``, ``tenant`` and ``order_id`` are 1-80 ASCII letters, digits, ``_`` or ``-``. ``origin`` is scheme, host and
    perhaps a port, written as a sandbox would write it. Raises :class:`InvalidRequest`.
    """

    id: str
    tenant: str
    mode: Mode
    scenario: Scenario
    order_id: str
    origin: str

    def __attrs_post_init__(self) -> None:
        for field, value in (("id", self.id), ("tenant", self.tenant), ("orderId", self.order_id)):
            if type(value) is not str or not _is_name(value):
                raise InvalidRequest(field, f"must be 1-80 ASCII letters, digits, '_' or '-', not {quote(value)}")
        for field, words in _WORDS.items():
            value = getattr(self, field)
            if type(value) is not str or value not in words:
                raise InvalidRequest(field, f"must be one of {', '.join(words)}, not {quote(value)}")
        if not _is_origin(self.origin):
            raise InvalidRequest("origin", "must be an http(s) origin in its normal form, as 'http://127.0.0.1:8080'")

    @classmethod
    def of(cls, given: object) -> Request:
        """Return the request that a JSON object stands for; what it has besides the six fields is left out."""
        if not isinstance(given, Mapping):
            raise InvalidRequest("", f"must be a JSON object, not {describe(given)}")
        for field in (*_FIELDS, "origin"):
            if field not in given:
                raise InvalidRequest(field, "is missing")
        return cls(**{name: given[field] for field, name in _FIELDS.items()}, origin=given["origin"])

    def canonical(self) -> JsonObject:
        """Return the six fields as JSON."""
        return written(self)

    def fingerprint(self) -> str:
        """Return what tells this request from every other one."""
        return fingerprint(self.canonical())


def _is_origin(origin: object) -> bool:
    if type(origin) is not str or not origin.startswith(("http://", "https://")):
        return False
    try:
        return Sandbox(network=[origin]).network == {origin}
    except InvalidValue:
        return False
