"""The worker that offers the node for the providers of an application."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Final
from uuid import uuid4

from ditto_core import (
    InvalidName,
    InvalidResult,
    InvalidValue,
    ToolContext,
    Worker,
    describe,
    from_wire,
    quote,
    safe_message,
    to_wire,
)

from .asking import SampleInput
from .node import INFER, SAMPLE
from .provider import ModelProvider, SampleFailed
from .sample import Sample, SampleResult

TIMEOUT: Final = 30.0
"""How many seconds a sample may take unless the worker says otherwise."""
MAX_TIMEOUT: Final = 2_147_483.647
"""The longest such time, in seconds."""


def infer_worker(
    providers: Mapping[str, ModelProvider],
    *,
    default: str | None = None,
    timeout: float = TIMEOUT,
    concurrency: int | None = None,
    max_waiting: int = 10_000,
) -> Worker:
    """Return a worker that offers ``INFER.REASONING.SAMPLE`` for the providers under their names.

    A request goes to the provider that it names, else to `default`, else to the only one there is. `timeout` (seconds)
    is the deadline of a sample as a whole, the wait for a slot not counted. `concurrency` and `max_waiting` are those
    of :class:`~ditto_core.Worker`. Grants no permission: a provider's ``origin`` must be in the sandbox's ``network``.

    What a model or its server did wrong is a result, with a code: ``INVALID_INPUT``, ``PROVIDER_NOT_FOUND``,
    ``UNDECLARED_ACTION``, ``INVALID_MODEL_OUTPUT``, ``MODEL_ERROR``, ``CANCELLED``, ``TIMEOUT``, or the provider's
    own. The node raises :class:`~ditto_core.PermissionDenied`, and what a provider raises else, unchanged.

    Raises :class:`~ditto_core.InvalidName` for no provider, or a default that is none of them, and
    :class:`~ditto_core.InvalidValue` for other arguments that make no sense.
    """
    known = dict(providers)
    if not known:
        raise InvalidName("infer_worker: there is no provider. Give it {'name': provider}.")
    for name, provider in known.items():
        if type(name) is not str or not name:
            raise InvalidName(f"infer_worker: a provider's name must be a nonempty string, not {quote(name)}.")
        if isinstance(provider, type) or not callable(getattr(provider, "sample", None)):
            raise InvalidValue(
                "infer_worker.providers", f"hold {describe(provider)} as {quote(name)}, which has no sample()"
            )
    if default is not None and default not in known:
        raise InvalidName(f"infer_worker: the default {quote(default)} is no provider. There is {sorted(known)}.")
    if type(timeout) not in (int, float) or not 0 < timeout <= MAX_TIMEOUT:
        raise InvalidValue("infer_worker.timeout", f"must be a number of seconds up to {MAX_TIMEOUT:,}")
    node = SAMPLE.define(INFER, _handler(known, default, float(timeout)))
    return Worker(INFER, [node], concurrency=concurrency, max_waiting=max_waiting)


def _handler(
    providers: dict[str, ModelProvider], default: str | None, timeout: float
) -> Callable[[SampleInput, ToolContext], Awaitable[SampleResult]]:
    async def sample(input: SampleInput, context: ToolContext) -> SampleResult:
        id = uuid4().hex
        try:
            output = await _sampled(input, context, providers, default, timeout)
        except SampleFailed as failed:
            return SampleResult(execution_id=id, node=SAMPLE.type, status=failed.status, error=failed.error)
        return SampleResult(execution_id=id, node=SAMPLE.type, status="success", output=output)

    return sample


async def _sampled(
    input: SampleInput,
    context: ToolContext,
    providers: dict[str, ModelProvider],
    default: str | None,
    timeout: float,
) -> Sample:
    try:
        request = from_wire(SampleInput, to_wire(input))  # constructors do not look into JSON
    except InvalidValue as error:
        raise SampleFailed("INVALID_INPUT", _said(error)) from None
    provider = _chosen(request, providers, default)
    if provider.origin is not None:
        context.sandbox.require("network", provider.origin)
    scope = asyncio.timeout(timeout)
    try:
        async with scope:
            return _checked(await provider.sample(request), request)
    except TimeoutError:
        if not scope.expired():
            raise
    raise SampleFailed(
        "TIMEOUT", f"There was no whole answer within {timeout:g} seconds.", retryable=True, status="timeout"
    )


def _chosen(request: SampleInput, providers: dict[str, ModelProvider], default: str | None) -> ModelProvider:
    name = request.model.provider or default or (next(iter(providers)) if len(providers) == 1 else None)
    if name is None:
        raise SampleFailed("PROVIDER_NOT_FOUND", "There are several providers; the request must name one of them.")
    if name not in providers:
        raise SampleFailed("PROVIDER_NOT_FOUND", "There is no provider of the name that the request has.")
    return providers[name]


def _checked(sample: object, request: SampleInput) -> Sample:
    """Return what a provider gave if it keeps the rules, whoever wrote the provider."""
    if type(sample) is not Sample:
        raise InvalidResult(f"{SAMPLE.type}: a provider must return a Sample, not {describe(sample)}.")
    try:
        sample = from_wire(Sample, to_wire(sample))
    except InvalidValue as error:
        raise SampleFailed("INVALID_MODEL_OUTPUT", _said(error)) from None
    if sample.finish_reason == "cancelled":
        raise SampleFailed("CANCELLED", "The provider says that the sample was cancelled.", status="cancelled")
    if sample.finish_reason == "error":
        raise SampleFailed("MODEL_ERROR", "The provider says that the model could not answer.")
    offered = {action.name for action in request.actions}
    if any(asked.name not in offered for asked in sample.action_requests):
        raise SampleFailed("UNDECLARED_ACTION", "The model asked for an action that it was not offered.")
    return sample


def _said(error: InvalidValue) -> str:
    return safe_message(f"{error}.", "A value breaks the rules of its class.")
