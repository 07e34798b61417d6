"""The contract of an MCP client, as its author derives from it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any, ClassVar

from ditto_core import JsonObject, McpClient

from ..labs.mcp_clients import McpClientSubject
from .contract import Contract


class McpClientContract(Contract, abstract=True):
    """The contract of an MCP client. Derive a class whose name begins with ``Test``, and define :meth:`client`.

    The other names say what the server at the other end has, so that the client can be tried; each may be left out if
    ``Capabilities(unprobed={…})`` says why.
    """

    subject_kind = "MCP client"

    echo: ClassVar[str] = ""
    """The name of a tool that takes ``{"value": …}`` and gives just that back as its structured content."""

    failing: ClassVar[tuple[str, JsonObject] | None] = None
    """A call that its tool answers with a failure, as a name and arguments."""

    endless: ClassVar[tuple[str, JsonObject] | None] = None
    """A call that has no end unless it is cancelled, as a name and arguments."""

    hidden: ClassVar[str] = ""
    """The name of a tool that the server has and that this client must neither list nor call."""

    @abstractmethod
    def client(self) -> AbstractAsyncContextManager[McpClient]:
        """Return an async context manager that connects a new client when it is entered."""

    def reached(self, client: Any) -> Sequence[str]:
        """Return the names of the tools whose calls have reached the server over this connection, in their order.

        Not asked when ``Capabilities(unprobed={"reached": "…"})`` says why it cannot be known.
        """
        raise TypeError(
            f"{type(self).__name__}: define reached(), or declare Capabilities(unprobed={{'reached': 'why'}})."
        )

    def subject(self) -> McpClientSubject:
        """Return what is checked, as the functions of the kit take it."""
        return McpClientSubject(
            make=self.client,
            echo=self.echo,
            failing=self.failing,
            endless=self.endless,
            hidden=self.hidden,
            reached=None if "reached" in self.capabilities.unprobed else self.reached,
            capabilities=self.capabilities,
        )
