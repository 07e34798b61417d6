"""`web_search_tool`: a provider behind permission, checks and one failure that says nothing of the provider's."""

from __future__ import annotations

import asyncio
from typing import Any, Final

from ..callables import is_async, read
from ..contracts.json_values import JsonObject
from ..contracts.results import ToolOutcome
from ..errors import InvalidTool, InvalidValue
from ..ports import WebSearchProvider
from ..sandbox.origins import origin
from ..text import describe
from ..tools.context import ToolContext
from ..tools.tool import Tool
from .arguments import SCHEMA, Asked, validate
from .failure import cancelled, failed
from .hits import MAX_SNIPPET, MAX_TITLE, outcome_of_hits

NAME: Final = "web_search"
DESCRIPTION: Final = "Search the web. Gives title, URL and snippet of each hit and opens no page."

_OUTPUT: Final[JsonObject] = {
    "type": "object",
    "properties": {
        "query": {"type": "string"},
        "results": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "title": {"type": "string", "maxLength": MAX_TITLE},
                    "url": {"type": "string"},
                    "snippet": {"type": "string", "maxLength": MAX_SNIPPET},
                },
                "required": ["title", "url", "snippet"],
                "additionalProperties": False,
            },
        },
        "truncated": {"type": "boolean", "description": "Whether hits or text were left out."},
    },
    "required": ["query", "results", "truncated"],
    "additionalProperties": False,
}


def web_search_tool(provider: WebSearchProvider) -> Tool[Any]:
    """Return the tool ``web_search``, which asks this provider, once per call.

    A call needs the permission for the tool and then, once its arguments are accepted, the ``network`` permission for
    the provider's origin; a provider whose origin is None opens no connection and needs none. The origin is read
    here, once.

    A success has the structured content ``query``, ``results`` (``title``, ``url``, ``snippet``) and ``truncated``,
    and each URL once as a reference. Whatever the provider raises, and an answer that breaks its rules, is the result
    ``failed``, ``WEB_SEARCH_FAILED``; a search that the provider gave up as cancelled is ``cancelled``,
    ``WEB_SEARCH_CANCELLED``. Neither says anything of the provider's. When the caller is cancelled, so is the search,
    and ``CancelledError`` comes out.

    Raises :class:`InvalidTool` for what is no provider, or has an origin that is none.
    """
    network = _checked_origin(provider)

    async def execute(asked: Asked, context: ToolContext) -> ToolOutcome:
        if network is not None and network not in context.sandbox.network:
            context.sandbox.require("network", network)
        before = _cancellations()
        try:
            return outcome_of_hits(asked, await provider.search(asked.query, asked.limit))
        except asyncio.CancelledError:
            if _cancellations():
                raise
            return cancelled(context.call_id)
        except (Exception, BaseExceptionGroup) as error:
            # A group that holds a cancellation beside errors is no Exception, and says no more than they do.
            if isinstance(error, BaseExceptionGroup) and error.subgroup((KeyboardInterrupt, SystemExit)):
                raise
            if _cancellations() <= before:
                return failed(error, context.call_id)
        # The caller was cancelled meanwhile, and the provider made an error of it, which is to be in no chain.
        raise asyncio.CancelledError

    return Tool(
        name=NAME,
        description=DESCRIPTION,
        input_schema=SCHEMA,
        output_schema=_OUTPUT,
        validate=validate,
        execute=execute,
        effects=frozenset() if network is None else frozenset({"network"}),
    )


def _cancellations() -> int:
    """Return how many cancellations of the running task nobody has taken back."""
    task = asyncio.current_task()
    return task.cancelling() if task else 0


def _checked_origin(provider: object) -> str | None:
    """Return the provider's origin in its normal form."""
    if isinstance(provider, type) or not is_async(read(provider, "search")):
        raise InvalidTool(
            f"web_search_tool: needs a WebSearchProvider with an async search(), not {describe(provider)}. "
            "Give it host.search_provider('name'), or a provider itself."
        )
    given = read(provider, "origin", ...)
    if given is None:
        return None
    try:
        return origin(given if type(given) is str else "", "origin")
    except InvalidValue as error:
        raise InvalidTool(
            f"web_search_tool: the origin of {describe(provider)} {error.problem}; None when it opens no connection."
        ) from None
