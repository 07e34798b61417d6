"""What the client of an MCP server answers: pages of tools, and results of calls.

These are records of what somebody else has said. Their constructors check nothing: the registry looks at each answer
as a whole where it enters, so that an error can name the server, the tool and the place in the page.
"""

from __future__ import annotations

import attrs

from .content import MessageContent, Reference
from .interaction_error import InteractionError
from .json_values import JsonObject, JsonValue
from .record import Record
from .unset import UNSET, Unset


@attrs.frozen(kw_only=True, init=False, slots=False, eq=False, repr=False)
class McpTool(Record):
    """One tool as its server lists it; what the server did not send is left out.

    ``name`` is passed on verbatim, nonempty and without control characters. The schemas are JSON objects that nobody
    interprets.
    """

    name: str
    input_schema: JsonObject
    description: str | Unset = UNSET
    title: str | Unset = UNSET
    output_schema: JsonObject | Unset = UNSET

    def __init__(
        self,
        *,
        name: str,
        input_schema: JsonObject,
        description: str | Unset = UNSET,
        title: str | Unset = UNSET,
        output_schema: JsonObject | Unset = UNSET,
    ) -> None:
        values = self.__dict__
        values["name"] = name
        values["input_schema"] = input_schema
        values["description"] = description
        values["title"] = title
        values["output_schema"] = output_schema


@attrs.frozen(kw_only=True, init=False, slots=False, eq=False, repr=False)
class McpPage(Record):
    """One page of a server's catalogue: a tuple or list of :class:`McpTool`, in the server's order; a tuple off the wire.

    ``next_cursor`` is what to ask for the next page with, also when it is empty; None when this page is the last.
    """

    tools: tuple[McpTool, ...] | list[McpTool]
    next_cursor: str | None = None

    def __init__(self, *, tools: tuple[McpTool, ...] | list[McpTool], next_cursor: str | None = None) -> None:
        values = self.__dict__
        values["tools"] = tools
        values["next_cursor"] = next_cursor


@attrs.frozen(kw_only=True, init=False, slots=False, eq=False, repr=False)
class McpToolError(Record):
    """A failure in a server's own words, which nobody has looked at.

    The registry makes an :class:`InteractionError` of it when code and message may be shown, and otherwise says that
    the server reported an error.
    """

    code: str
    message: str
    retryable: bool | Unset = UNSET

    def __init__(self, *, code: str, message: str, retryable: bool | Unset = UNSET) -> None:
        values = self.__dict__
        values["code"] = code
        values["message"] = message
        values["retryable"] = retryable


@attrs.frozen(kw_only=True, init=False, slots=False, eq=False, repr=False)
class McpToolResult(Record):
    """What a server answered to one call; what it did not send is left out.

    ``is_error`` says that the tool failed; the result then has the status ``failed`` whatever else is there. Otherwise
    content, structured content or references are needed. ``error`` is optional in either case; on the wire its two
    classes look alike, and one whose words may be shown is read as an :class:`InteractionError`.
    """

    content: MessageContent | Unset = UNSET
    structured_content: JsonValue | Unset = UNSET
    references: tuple[Reference, ...] | Unset = UNSET
    is_error: bool = False
    error: InteractionError | McpToolError | Unset = UNSET

    def __init__(
        self,
        *,
        content: MessageContent | Unset = UNSET,
        structured_content: JsonValue | Unset = UNSET,
        references: tuple[Reference, ...] | Unset = UNSET,
        is_error: bool = False,
        error: InteractionError | McpToolError | Unset = UNSET,
    ) -> None:
        values = self.__dict__
        values["content"] = content
        values["structured_content"] = structured_content
        values["references"] = references
        values["is_error"] = is_error
        values["error"] = error
