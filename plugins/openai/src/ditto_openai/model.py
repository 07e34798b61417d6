"""The provider: a model behind an endpoint."""

from __future__ import annotations

from typing import Final, Literal, get_args

import attrs
import httpx

from ditto_core import DittoError, InvalidValue, safe_message
from ditto_http import Ended, Secret, checked_address, exchange, is_private, origin_of
from ditto_infer import Sample, SampleFailed, SampleInput

from .failures import failure_of
from .json_text import write
from .reply import native_sample, read_reply
from .request import TokensName, body_of
from .under_schema import body_under_schema, sample_under_schema

DEFAULT_RESPONSE_BYTES: Final = 1_048_576
"""How large the body of a reply may be unless the model says otherwise."""
MAX_RESPONSE_BYTES: Final = 16_777_216
"""The largest body of a reply that may be allowed."""
MAX_REQUEST_BYTES: Final = 16_777_216
"""How large the body of a request may be."""
MAX_KEY: Final = 4_096
"""How many characters a key may have."""


def _base_url(address: object) -> str:
    example = "https://api.openai.com/v1"
    return checked_address("OpenAIModel.base_url", address, private=False, example=example).rstrip("/")


@attrs.frozen(eq=False)
class OpenAIModel:
    """Asks a model through an endpoint that speaks OpenAI's chat completions, with one request per sample.

    - ``base_url`` is the address before ``/chat/completions``, such as ``https://api.openai.com/v1``.
    - ``api_key`` is sent as a bearer token and shown nowhere; None for an endpoint that wants none. With a key the
      address must be ``https``, or on this machine.
    - ``actions``: ``native`` offers them as tools. ``schema`` is for models that write prose instead of calling tools,
      on servers that hold a model to a JSON schema: the reply is one action or the answer.
    - ``output_schemas``: whether the endpoint takes ``response_format``. If not, a request with an ``output_schema``
      is refused, and so is ``actions="schema"``.
    - ``tokens_name``: what the endpoint calls the most tokens that it may write; older servers know ``max_tokens``.
    - ``max_response_bytes``: how large a reply may be, 1 MiB by default, 16 MiB at the most.

    The time is bounded by the worker. Each sample makes a connection and closes it; no proxy and nothing else of the
    environment is used. Raises :class:`~ditto_core.InvalidValue`, and does not quote what it refuses.
    """

    base_url: str = attrs.field(converter=_base_url)
    _api_key: Secret = attrs.field(default=None, converter=Secret, repr=False)
    actions: Literal["native", "schema"] = attrs.field(default="native", kw_only=True)
    output_schemas: bool = attrs.field(default=True, kw_only=True)
    tokens_name: TokensName = attrs.field(default="max_completion_tokens", kw_only=True)
    max_response_bytes: int = attrs.field(default=DEFAULT_RESPONSE_BYTES, kw_only=True)

    def __attrs_post_init__(self) -> None:
        problem = self._api_key.problem(MAX_KEY, optional=True)
        if problem is not None:
            raise InvalidValue("OpenAIModel.api_key", problem)
        if self._api_key.is_given and not is_private(self.base_url):
            raise InvalidValue(
                "OpenAIModel.base_url",
                "must be https, or http at an address of this machine such as 127.0.0.1: the key is sent there",
            )
        if self.actions not in ("native", "schema"):
            raise InvalidValue("OpenAIModel.actions", "must be 'native' or 'schema'")
        if type(self.output_schemas) is not bool:
            raise InvalidValue("OpenAIModel.output_schemas", "must be True or False")
        if self.actions == "schema" and not self.output_schemas:
            raise InvalidValue("OpenAIModel.actions", "cannot be 'schema' where output_schemas is False")
        if self.tokens_name not in get_args(TokensName):
            raise InvalidValue("OpenAIModel.tokens_name", f"must be one of {', '.join(get_args(TokensName))}")
        size = self.max_response_bytes
        if type(size) is not int or not 1 <= size <= MAX_RESPONSE_BYTES:
            raise InvalidValue("OpenAIModel.max_response_bytes", f"must be an integer from 1 to {MAX_RESPONSE_BYTES}")

    @property
    def origin(self) -> str:
        """The origin of the endpoint, which a sandbox's ``network`` list has to hold."""
        return origin_of(self.base_url)

    async def sample(self, request: SampleInput) -> Sample:
        """Ask once.

        Raises :class:`~ditto_infer.SampleFailed` with the code ``INVALID_INPUT``, ``ENDPOINT_MISMATCH``,
        ``PROVIDER_HTTP_ERROR`` (the status alone is told), ``EXECUTION_FAILED`` when no connection came about,
        ``INCOMPLETE_MODEL_OUTPUT`` when the reply broke off, or ``INVALID_MODEL_OUTPUT``. Neither it nor what a
        cancelled sample raises holds the key, in no variable of its traceback either.
        """
        body = self._body(request)
        answer = await exchange(self._request(body), max_bytes=self.max_response_bytes, timeout=None)
        if isinstance(answer, Ended):
            raise failure_of(answer)
        reply = read_reply(answer)
        return sample_under_schema(reply, request) if self.actions == "schema" else native_sample(reply)

    def _body(self, input: SampleInput) -> bytes:
        if input.model.endpoint and input.model.endpoint.rstrip("/") != self.base_url:
            raise SampleFailed("ENDPOINT_MISMATCH", "The request names another endpoint than the provider's.")
        if input.output_schema and not self.output_schemas:
            raise SampleFailed("INVALID_INPUT", "The endpoint takes no output schema.")
        make = body_under_schema if self.actions == "schema" else body_of
        try:
            body = write(make(input, tokens_name=self.tokens_name)).encode()
        except SampleFailed:
            raise
        except DittoError as error:  # a name or a schema that the API does not take
            raise SampleFailed("INVALID_INPUT", safe_message(str(error), "An action cannot be offered.")) from None
        if len(body) > MAX_REQUEST_BYTES:
            raise SampleFailed("INVALID_INPUT", f"The request has more than {MAX_REQUEST_BYTES:,} bytes.")
        return body

    def _request(self, body: bytes) -> httpx.Request:
        headers = {
            "Accept": "application/json",
            "Content-Type": "application/json",
            "User-Agent": "ditto-openai",
        }
        if self._api_key.is_given:
            headers["Authorization"] = f"Bearer {self._api_key.reveal()}"
        return httpx.Request("POST", f"{self.base_url}/chat/completions", headers=headers, content=body)
