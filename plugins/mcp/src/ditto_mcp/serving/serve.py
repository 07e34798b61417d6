"""Serving: one runtime's tools to the clients of one MCP server, over standard streams or over HTTP."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib.metadata import version as version_of
from typing import TYPE_CHECKING, Any, Final

import attrs

from ditto_core import InvalidValue, Runtime, Sandbox, describe

from ..sdk import load_sdk
from ..seconds import seconds

if TYPE_CHECKING:
    from mcp.server import Server

MAX_RESULT_BYTES: Final = 1_000_000
"""How large an answer may be unless told otherwise; many clients give up on an event of more than 1 MiB."""
CALL_SECONDS: Final = 60.0
"""How long one call may take unless told otherwise."""
_LOOPBACK: Final = ("127.0.0.1", "localhost", "::1")


def _tuple(names: Iterable[str]) -> tuple[str, ...]:
    """Return the names; one name alone is no list of its letters, and is for the class to refuse."""
    given: Any = names
    listed = given if isinstance(given, Iterable) and not isinstance(given, str) else (None,)
    return tuple(listed)


@attrs.frozen(kw_only=True)
class HttpAddress:
    """Where a server listens: the address is ``http://host:port/path``.

    - ``host``: an address of this machine. Beyond the loopback ones, ``allowed_hosts`` has to say under which names
      clients reach it, such as ``["tools.acme.example"]``, with a port or ``:*`` where it is not the scheme's own:
      requests for other names are refused, so that no web page of elsewhere can reach it by a name that it controls.
    - ``port``: 0 takes a free one.
    - ``path``: begins with ``/``.

    There is no authentication: beyond this machine, put a proxy before it that has one. Raises
    :class:`InvalidValue`.
    """

    host: str = "127.0.0.1"
    port: int = 8000
    path: str = "/mcp"
    allowed_hosts: tuple[str, ...] = attrs.field(default=(), converter=_tuple)

    def __attrs_post_init__(self) -> None:
        if type(self.host) is not str or not self.host:
            raise InvalidValue("HttpAddress.host", "must be an address of this machine, such as '127.0.0.1'")
        if type(self.port) is not int or not 0 <= self.port <= 65_535:
            raise InvalidValue("HttpAddress.port", "must be 0 to 65535")
        if type(self.path) is not str or not self.path.startswith("/"):
            raise InvalidValue("HttpAddress.path", "must begin with '/'")
        if not all(type(name) is str and name for name in self.allowed_hosts):
            raise InvalidValue("HttpAddress.allowed_hosts", "must be a list of names, such as ['tools.acme.example']")
        if not self.is_loopback and not self.allowed_hosts:
            raise InvalidValue(
                "HttpAddress.allowed_hosts",
                "must name the hosts under which clients reach a server that is not on the loopback address",
            )

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine reaches it."""
        return self.host in _LOOPBACK


def mcp_server(
    runtime: Runtime,
    *,
    name: str = "ditto",
    version: str | None = None,
    instructions: str | None = None,
    sandbox: Sandbox | None = None,
    call_timeout: float = CALL_SECONDS,
    max_result_bytes: int = MAX_RESULT_BYTES,
) -> Server[Any]:
    """Return the SDK's server of the tools that a runtime permits; no connection is served yet.

    - ``name``, ``version``, ``instructions``: what clients are told of the server; the version is ditto-mcp's own
      unless another is given.
    - ``sandbox``: may permit less than the runtime's, never more; a tool that it does not permit is not listed, and a
      call of it is answered as that of a tool that does not exist.
    - ``call_timeout``: seconds for one call.
    - ``max_result_bytes``: an answer that is larger as JSON becomes a failure that says so.

    A call goes through the runtime, with its permissions, checks and limits. What a tool raises is answered with a
    fixed text and logged by its kind. Raises :class:`InvalidValue`, and :class:`McpSdkMissing` without the SDK.
    """
    if not isinstance(runtime, Runtime):
        raise InvalidValue("runtime", f"must be a Runtime, not {describe(runtime)}")
    for field, text in (("name", name), ("version", version), ("instructions", instructions)):
        if (text is not None or field == "name") and (type(text) is not str or not text.strip()):
            raise InvalidValue(field, f"must be a text, not {describe(text)}")
    if sandbox is not None and not isinstance(sandbox, Sandbox):
        raise InvalidValue("sandbox", f"must be a Sandbox, not {describe(sandbox)}")
    if sandbox is not None and not sandbox.is_within(runtime.services.sandbox):
        raise InvalidValue(
            "sandbox", "permits more than the runtime's; make it with runtime.services.sandbox.narrow()"
        )
    if type(max_result_bytes) is not int or max_result_bytes < 1:
        raise InvalidValue("max_result_bytes", "must be 1 or more")
    load_sdk()
    from .server import ToolServer

    tools = ToolServer(
        runtime=runtime,
        sandbox=sandbox,
        call_timeout=seconds(call_timeout, "call_timeout"),
        max_result_bytes=max_result_bytes,
    )
    return tools.build(name=name, version=version or version_of("ditto-mcp"), instructions=instructions)


async def serve_mcp(
    runtime: Runtime,
    *,
    http: HttpAddress | None = None,
    ready: Callable[[str], None] | None = None,
    name: str = "ditto",
    version: str | None = None,
    instructions: str | None = None,
    sandbox: Sandbox | None = None,
    call_timeout: float = CALL_SECONDS,
    max_result_bytes: int = MAX_RESULT_BYTES,
) -> None:
    """Serve the tools that a runtime permits until the client hangs up, or until this task is cancelled.

    Without `http`, one client is served over this process's standard streams: what else writes to standard output
    meanwhile goes to standard error. With it, any number of clients over streamable HTTP; `ready` is called with the
    address once they can connect. The other arguments are those of :func:`mcp_server`.

    The runtime is not closed: enter it around this call, and its plugins around the runtime. Raises
    :class:`InvalidValue`, :class:`McpSdkMissing` without the SDK, and :class:`OSError` for an address that cannot be
    listened on.
    """
    if http is not None and not isinstance(http, HttpAddress):
        raise InvalidValue("http", f"must be an HttpAddress or None, not {describe(http)}")
    server = mcp_server(
        runtime,
        name=name,
        version=version,
        instructions=instructions,
        sandbox=sandbox,
        call_timeout=call_timeout,
        max_result_bytes=max_result_bytes,
    )
    if http is None:
        from .stdio import serve_streams

        await serve_streams(server)
    else:
        from .http import serve_address

        await serve_address(server, http, ready)
