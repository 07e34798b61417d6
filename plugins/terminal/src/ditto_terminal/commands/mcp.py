"""``ditto mcp``: servers of others, and the named plugins as a server."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from ..options import Allow, AsJson, ConfigFile, Plugins, Seconds, Workspace

app = typer.Typer(help="Ask MCP servers, or be one; needs ditto-mcp.", no_args_is_help=True)

Stdio: TypeAlias = Annotated[
    str | None,
    typer.Option("--stdio", metavar="COMMAND", help="Start this server, a program with its arguments."),
]
Http: TypeAlias = Annotated[str | None, typer.Option("--http", metavar="URL", help="Ask the server at this address.")]
Header: TypeAlias = Annotated[
    list[str],
    typer.Option(
        "--header",
        metavar="NAME=@VARIABLE",
        help="Send this header with every request, its value from the environment; repeat it for more.",
        show_default=False,
    ),
]


@app.command("discover")
def discover(*, stdio: Stdio = None, http: Http = None, header: Header = [], as_json: AsJson = False) -> None:  # noqa: B006
    """List the tools of one server. None of them runs.

    Example: ditto mcp discover --stdio "python mcp_server.py docs"
    Example: ditto mcp discover --http http://127.0.0.1:8000/mcp --json
    """
    from ..mcp_servers import Address, list_server

    list_server(Address(stdio=stdio, http=http, headers=tuple(header)), as_json=as_json)


@app.command("call")
def call(
    tool: Annotated[str, typer.Argument(metavar="TOOL", help="The name of the tool, as the server has it.")],
    arguments: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[JSON | KEY=VALUE...]",
            help="One JSON object, - for one on standard input, or words such as path=README.md.",
            show_default=False,
        ),
    ] = None,
    *,
    stdio: Stdio = None,
    http: Http = None,
    header: Header = [],  # noqa: B006 - typer copies it
    allow: Allow = [],  # noqa: B006
    timeout: Seconds = None,
    as_json: AsJson = False,
) -> None:
    """Call one tool of one server once. The server is called "server" in permissions.

    Example: ditto mcp call read_text path=index.md --stdio "python mcp_server.py docs" --allow mcp:server
    """
    from ..mcp_servers import Address, call_server

    address = Address(stdio=stdio, http=http, headers=tuple(header))
    raise typer.Exit(call_server(tool, arguments or (), address, allow, timeout=timeout, as_json=as_json))


@app.command("serve")
def serve(
    *,
    plugins: Plugins = [],  # noqa: B006 - typer copies it
    config: ConfigFile = None,
    workspace: Workspace = Path(),
    allow: Allow = [],  # noqa: B006
    port: Annotated[
        int | None,
        typer.Option("--port", min=0, max=65_535, help="Listen here, on 127.0.0.1, instead of standard streams."),
    ] = None,
) -> None:
    """Serve the tools of the plugins that you name, as far as you permit them, until the client leaves or Ctrl-C.

    Example: ditto mcp serve -p commands --allow 'tools:*' --allow execute:grep --allow execute:ls
    """
    if not plugins:
        raise typer.BadParameter("name a plugin, as in -p commands", param_hint="-p")
    from ..mcp_serving import serve_plugins

    raise typer.Exit(serve_plugins(plugins, config, workspace, allow, port))
