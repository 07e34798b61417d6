"""One call of one tool of an MCP server: the arguments on their way in, the answer on its way out."""

from __future__ import annotations

from functools import cache

from ..contracts.checked import of_checked
from ..contracts.checks import check_exact, check_tuple, wrong_class
from ..contracts.content import Reference
from ..contracts.decoded import enter_decoded, enter_decoded_content
from ..contracts.interaction_error import InteractionError
from ..contracts.json_values import enter_object
from ..contracts.mcp import McpInvoke
from ..contracts.mcp_answers import McpToolError, McpToolResult
from ..contracts.results import ExternalResult
from ..contracts.unset import UNSET, Unset
from ..errors import InvalidArguments, InvalidResult, InvalidValue
from ..ports import McpClient
from ..text import describe, quote
from .asking import ask


async def invoke(client: McpClient, input: McpInvoke) -> ExternalResult:
    """Call the tool once and return its result.

    Raises :class:`InvalidArguments` before the client is asked, :class:`InvalidResult` for an answer that breaks the
    rules, and what the client raises.
    """
    call = input.call
    try:
        arguments = enter_object(call.arguments, "arguments")
    except InvalidValue as error:
        raise InvalidArguments(f"{_who(input)}: {error}.") from None

    def invalid(problem: str) -> InvalidResult:
        return InvalidResult(
            f"{_who(input)}: the result is invalid: {problem}. Its effect may have happened; check before a retry."
        )

    answer = await ask(client.call_tool(call.name, arguments), invalid)
    try:
        return _result(input, answer)
    except InvalidValue as error:
        raise invalid(str(error)) from None


def _who(input: McpInvoke) -> str:
    return f"MCP tool {quote(f'{input.server}:{input.call.name}')} (call {quote(input.call.id)})"


def _result(input: McpInvoke, answer: object) -> ExternalResult:
    """Check what the client answered and put the identity of the call to it; raises :class:`InvalidValue`."""
    if type(answer) is not McpToolResult:
        raise InvalidValue("", f"call_tool must return an McpToolResult, not {describe(answer)}")
    content, structured_content, references = answer.content, answer.structured_content, answer.references
    check_exact(answer.is_error, bool, "isError")
    if content is not UNSET:
        content = enter_decoded_content(content, "content")
    if structured_content is not UNSET:
        structured_content = enter_decoded(structured_content, "structuredContent")
    if references is not UNSET:
        check_tuple(references, Reference, "references")
    error = _error(answer.error)
    if answer.is_error:
        error = error or reported()
    elif content is UNSET and structured_content is UNSET and references is UNSET:
        raise InvalidValue("", "a success needs content, structured content or references, and the client gave none")
    call = input.call
    return of_checked(
        ExternalResult,
        {
            "call_id": call.id,
            "source": f"{input.server}:{call.name}",
            "status": "failed" if answer.is_error else "success",
            "content": content,
            "structured_content": structured_content,
            "references": references,
            "error": error,
            "metadata": UNSET,
        },
    )


def _error(error: object) -> InteractionError | Unset:
    """Return an error whose text may be shown: the client's own, or the one that only says that there is one."""
    if error is UNSET or type(error) is InteractionError:
        return error
    if type(error) is not McpToolError:
        raise wrong_class(error, InteractionError, "error")
    try:
        return InteractionError(code=error.code, message=error.message, retryable=error.retryable)
    except InvalidValue:
        return reported()


@cache
def reported() -> InteractionError:
    """Return the error of a failure for which there are no words, or none that may be shown."""
    return InteractionError(code="MCP_TOOL_ERROR", message="The MCP server reported an error")
