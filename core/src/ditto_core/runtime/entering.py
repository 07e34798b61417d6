"""What a caller hands to the runtime, checked before anything runs."""

from __future__ import annotations

from typing import Any, get_args

from ..contracts.wire import from_wire
from ..durations import is_seconds
from ..errors import InvalidInput, InvalidValue, PermissionDenied
from ..sandbox import Sandbox
from ..text import describe
from ..tools.scope import Services
from ..worker.node import Node


def entered(node: Node[Any, Any], input: Any) -> Any:
    """Return the input as an object of the node's input class; raises :class:`InvalidInput`."""
    if isinstance(input, node.input):
        return input
    if type(input) is not dict:
        raise InvalidInput(
            f"Node {node.type!r}: the input must be a {_named(node.input)} or the same as a JSON object, "
            f"not {describe(input)}."
        )
    try:
        return from_wire(node.input, input)
    except InvalidValue as error:
        raise InvalidInput(f"Node {node.type!r}: {error}.") from None


def _named(kind: Any) -> str:
    return " or ".join(one.__name__ for one in get_args(kind) or (kind,))


def narrowed(services: Services, sandbox: Sandbox, method: str) -> Services:
    """Return the services with a sandbox of the caller's, which may permit no more than theirs."""
    if not isinstance(sandbox, Sandbox):
        raise InvalidInput(f"Runtime.{method}: sandbox must be a Sandbox, not {describe(sandbox)}.")
    if not sandbox.is_within(services.sandbox):
        raise PermissionDenied(
            f"Runtime.{method}: the call's sandbox permits more than the one around it. "
            "Make it with runtime.services.sandbox.narrow(…), or context.sandbox.narrow(…) inside a call."
        )
    return Services(sandbox=sandbox, config=services.config, providers=services.providers)


def seconds(timeout: object, method: str) -> float:
    """Return a timeout; raises :class:`InvalidInput` for what is no positive, finite number of seconds."""
    if not is_seconds(timeout) or not timeout:
        raise InvalidInput(f"Runtime.{method}: timeout must be a positive, finite number of seconds, or None.")
    return timeout  # type: ignore[return-value]


def limit(concurrency: object, method: str) -> int | None:
    """Return how many nodes may run at once; raises :class:`InvalidInput` for what is no positive integer."""
    if concurrency is not None and (type(concurrency) is not int or concurrency < 1):
        raise InvalidInput(f"Runtime.{method}: concurrency must be a positive integer, or None for no limit.")
    return concurrency
