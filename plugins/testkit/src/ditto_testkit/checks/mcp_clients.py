"""MC-001 to MC-007: the client connects, and its catalogue is whole, legal and the same each time."""

from __future__ import annotations

import inspect
from typing import Any

from ditto_core import InvalidValue, McpCapability, from_wire, to_wire

from ..labs.blocked import Blocked
from ..labs.loop import Loop
from ..labs.mcp_clients import MAX_PAGES, SERVER, McpClientLab, McpClientSubject, is_page
from .model import check, fail

PROBES = ("echo", "failing", "endless", "hidden", "reached")


@check(
    "MC-001",
    title="The client connects, and has async methods list_tools and call_tool",
    fix="give an async context manager, such as a function under @asynccontextmanager, that yields the client",
)
def connects(subject: McpClientSubject, data: Any) -> None:
    """A registry refuses other objects."""

    async def connect() -> Any:
        async with subject.make() as client:
            return client

    with Loop(subject.capabilities.call_timeout) as loop:
        ended = loop.ended(connect())
    if ended.error is not None:
        fail("the client does not connect", raised=f"{type(ended.error).__name__}: {ended.error}")
    missing = [
        name
        for name in ("list_tools", "call_tool")
        if not inspect.iscoroutinefunction(getattr(ended.value, name, None))
    ]
    if missing or isinstance(ended.value, type):
        fail("this is no MCP client", client=type(ended.value).__name__, no_async_methods=missing)


@check(
    "MC-002",
    title="A page is an McpPage of McpTools, and its cursor is text or None",
    fix="return McpPage(tools=(…), next_cursor=…) with one McpTool for each tool; next_cursor is the server's, as it "
    "is, and None on the last page only",
)
def pages_are_pages(lab: McpClientLab, data: Any) -> None:
    """A registry refuses a discovery with anything else in it, whole."""
    cursor: Any = None
    for number in range(1, MAX_PAGES + 1):
        page = lab.loop.run(lab.client.list_tools() if cursor is None else lab.client.list_tools(cursor))
        if not is_page(page):
            tools = getattr(page, "tools", ())
            holds = sorted({type(tool).__name__ for tool in tools}) if type(tools) in (tuple, list) else type(tools)
            cursor = type(getattr(page, "next_cursor", None)).__name__
            fail("list_tools gives no page", page=number, given=type(page).__name__, tools=holds, cursor=cursor)
        cursor = page.next_cursor
        if cursor is None:
            return


@check(
    "MC-003",
    title="The pages have an end, and no cursor comes twice",
    fix="pass the cursor that you are given to the server, and the server's next one back; no page begins anew",
)
def pages_end(lab: McpClientLab, data: Any) -> None:
    """A client that drops the cursor gives the first page for ever."""
    try:
        pages = lab.pages()
    except Blocked as blocked:
        if blocked.id == "MC-003":
            fail("the catalogue has no end", pages=f"more than {MAX_PAGES:,}")
        raise
    cursors = [page.next_cursor for page in pages if page.next_cursor is not None]
    again = sorted({cursor for cursor in cursors if cursors.count(cursor) > 1})
    if again:
        fail("a cursor comes twice", cursors=again)


@check(
    "MC-004",
    title="Every tool is one that a registry takes, under a name of its own",
    fix="take the schemas as the JSON objects that the server sent, leave out (UNSET) what it did not send, and list "
    "each tool once",
)
def tools_are_legal(lab: McpClientLab, data: Any) -> None:
    """One tool that is none makes the whole catalogue unreadable."""
    names: set[str] = set()
    for tool in lab.tools():
        try:
            fields = {name: getattr(tool, name) for name in ("name", "description", "title", "output_schema")}
            capability = McpCapability(server=SERVER, input_schema=tool.input_schema, **fields)
            from_wire(McpCapability, to_wire(capability))
        except InvalidValue as error:
            fail("a tool is not legal", tool=tool.name, refused=str(error))
        if tool.name in names:
            fail("a tool is listed twice", tool=tool.name)
        names.add(tool.name)


@check(
    "MC-005",
    title="A tool has the name that its server gives it",
    fix="list names as they are, without a prefix, a change of case or a cut; renaming is the application's",
)
def names_are_verbatim(lab: McpClientLab, data: Any) -> None:
    """A result's source, and every permission, rests on the server's own names."""
    subject = lab.subject
    known = [subject.echo, *(call[0] for call in (subject.failing, subject.endless) if call is not None)]
    listed = [tool.name for tool in lab.tools()]
    missing = [name for name in known if name and name not in listed]
    if missing:
        fail("a tool that the server has is not listed under its name", missing=missing, listed=listed)


@check(
    "MC-006",
    title="The catalogue is the same when it is read again",
    fix="keep no place in the catalogue between calls: None is the first page, each time",
)
def listing_repeats(lab: McpClientLab, data: Any) -> None:
    """An application reads it again whenever it wants to, and from several tasks."""
    first, second = lab.pages(), lab.pages()
    if first != second:
        names = [[tool.name for page in pages for tool in page.tools] for pages in (first, second)]
        fail("the catalogue changes between two readings", first=names[0], second=names[1])


@check(
    "MC-007",
    title="The contract names what the client is to be tried with",
    fix="define echo, failing, endless, hidden and reached, or say why not: Capabilities(unprobed={'hidden': 'why'})",
)
def everything_is_named(lab: McpClientLab, data: Any) -> None:
    """What is not named is not tried, and a contract that tries little proves little."""
    missing = [name for name in PROBES if not getattr(lab.subject, name) and name not in lab.capabilities.unprobed]
    if missing:
        fail("the contract does not say what to try", missing=missing)
