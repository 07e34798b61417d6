"""The application: every command in its group, and one place where errors become a message and an exit status."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from .commands import call, check, config, graph, mcp, new, plugins, search, tools
from .exits import Exit


class Reporting(TyperGroup):
    """Ends with a message and a status where a command raises; with ``--debug``, with the traceback too."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command that the context holds."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            sys.stderr.write("ditto: interrupted; what ran was cancelled.\n")
            raise typer.Exit(Exit.INTERRUPTED) from None
        except Exception as error:
            from .failing import told  # it needs the core, which a command that succeeds may do without

            message = told(error)
            if message is None:
                raise
            if ctx.params.get("debug"):
                import traceback

                traceback.print_exception(error)
            sys.stderr.write(f"ditto: {message.text}\n")
            raise typer.Exit(message.status) from None


app = typer.Typer(
    name="ditto",
    cls=Reporting,
    help="""Tools for agents, from the terminal.

    Only plugins that you name with -p are loaded, and nothing is permitted that you do not --allow.""",
    epilog="Exit status: 0 success, 1 failed, 2 wrong usage, 3 refused (nothing has run), 4 uncertain, 5 cancelled.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback()
def root(
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")] = False,  # noqa: FBT002
) -> None:
    """Hold the options of all commands."""


app.command("plugins")(plugins.plugins)
app.command("tools")(tools.tools)
app.command("call")(call.call)
app.command("search")(search.search)
app.add_typer(mcp.app, name="mcp")
app.command("check", context_settings={"allow_extra_args": True, "ignore_unknown_options": True})(check.check)
app.add_typer(config.app, name="config")
app.add_typer(graph.app, name="graph")
app.add_typer(new.app, name="new")


def main() -> None:
    """Run the command line of this process, and end the process."""
    app()
