"""Deliveries: what goes to a sink and the receipt that comes back."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

import attrs

from ..errors import InvalidValue
from ..text import quote
from .checks import check_exact, check_name, check_object, check_tuple
from .content import Message, Reference
from .interaction_error import InteractionError
from .json_values import JsonObject
from .unset import UNSET, Unset

ReceiptStatus: TypeAlias = Literal["accepted", "rejected", "unknown"]
"""What a sink says of a delivery. ``accepted`` is the sink's acceptance, neither delivery nor reading."""


@attrs.frozen(kw_only=True, unsafe_hash=False)
class Artifact:
    """A named reference that goes with a delivery."""

    __hash__ = None  # type: ignore[assignment]

    name: str
    reference: Reference

    def __attrs_post_init__(self) -> None:
        check_name(self.name, "Artifact.name")
        check_exact(self.reference, Reference, "Artifact.reference")


@attrs.frozen(kw_only=True, unsafe_hash=False)
class OutputRequest:
    """One delivery of one message with its artifacts.

    ``delivery_id`` is nonempty and names one delivery of the application; nothing is deduplicated.
    Raises :class:`InvalidValue`.
    """

    __hash__ = None  # type: ignore[assignment]

    delivery_id: str
    message: Message
    artifacts: tuple[Artifact, ...] | Unset = UNSET

    def __attrs_post_init__(self) -> None:
        check_name(self.delivery_id, "OutputRequest.deliveryId")
        check_exact(self.message, Message, "OutputRequest.message")
        if self.artifacts is not UNSET:
            check_tuple(self.artifacts, Artifact, "OutputRequest.artifacts")


@attrs.frozen(kw_only=True, unsafe_hash=False)
class OutputReceipt:
    """A sink's answer to one request: ``rejected`` and ``unknown`` need an error.

    ``delivery_id`` repeats that of the request. Raises :class:`InvalidValue`.
    """

    __hash__ = None  # type: ignore[assignment]

    delivery_id: str
    status: ReceiptStatus
    artifacts: tuple[Artifact, ...] | Unset = UNSET
    error: InteractionError | Unset = UNSET
    metadata: JsonObject | Unset = UNSET

    def __attrs_post_init__(self) -> None:
        check_name(self.delivery_id, "OutputReceipt.deliveryId")
        status = self.status
        if type(status) is not str or status not in get_args(ReceiptStatus):
            raise InvalidValue("OutputReceipt.status", f"must be accepted, rejected or unknown, not {quote(status)}")
        if self.error is not UNSET:
            check_exact(self.error, InteractionError, "OutputReceipt.error")
        elif status != "accepted":
            raise InvalidValue("OutputReceipt.error", f"is required when the status is {status!r}")
        if self.artifacts is not UNSET:
            check_tuple(self.artifacts, Artifact, "OutputReceipt.artifacts")
        if self.metadata is not UNSET:
            check_object(self.metadata, "OutputReceipt.metadata")
