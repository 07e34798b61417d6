"""The three contracts, as the authors of plugins derive from them."""

from __future__ import annotations

import sys
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from hypothesis import strategies as st

from ditto_core import CommandExecutor, OutputSink, WebSearchProvider

from ..fakes.http import HttpRequest
from ..labs.executors import ExecutorSubject
from ..labs.packs import ToolPack
from ..labs.sinks import Sink
from .contract import Contract


class ToolPackContract(Contract, abstract=True):
    """The contract of a tool pack. Derive a class whose name begins with ``Test``, and define :meth:`pack`.

    .. code-block:: python

        class TestAcme(ToolPackContract):
            contract = 1

            def pack(self):
                return AcmePack()
    """

    subject_kind = "tool pack"

    arguments: ClassVar[Mapping[str, st.SearchStrategy[Any]]] = {}
    """By tool, a strategy for its arguments, where those made from the schema do not lead to useful calls."""

    files: ClassVar[Mapping[str, str | bytes]] = {}
    """More files for the workspaces, by name."""

    secrets: ClassVar[Sequence[str]] = ()
    """The keys with which :meth:`pack` and :meth:`pack_at` make a plugin: made-up ones, that stand nowhere else. They
    must come out in no result, error, log line or repr."""

    @abstractmethod
    def pack(self) -> object:
        """Return a new plugin, with everything outside of it (a service, a data base) replaced by fakes."""

    def pack_at(self, url: str, timeout: float) -> object:
        """Return a new plugin whose tools ask the server at `url`, such as ``http://127.0.0.1:8080``, instead.

        Its calls have a deadline of `timeout` seconds. A pack with a tool that declares ``network`` needs it, so that
        the kit can play the service, or ``Capabilities(no_backend="…")``.
        """
        raise TypeError(f"{type(self).__name__}: define pack_at(), or declare Capabilities(no_backend='why').")

    def reply(self, request: HttpRequest) -> bytes:
        """Return the body with which the service answers this request well: an empty JSON object unless overridden."""
        return b"{}"

    def config(self) -> Any:
        """Return what the tools find as ``context.config``; None unless overridden."""
        return None

    def providers(self) -> Mapping[str, WebSearchProvider]:
        """Return the search providers that the tools find in their context; none unless overridden."""
        return {}

    def executor(self) -> CommandExecutor | None:
        """Return the executor of a call; None, unless overridden, for the scripted ones of the checks."""
        return None

    def subject(self) -> ToolPack:
        """Return what is checked, as the functions of the kit take it."""
        own = type(self).executor is not ToolPackContract.executor
        return ToolPack(
            make=self.pack,
            capabilities=self.capabilities,
            arguments=self.arguments,
            files=self.files,
            config=self.config(),
            providers=self.providers(),
            executor=self._executor if own else None,
            make_at=self.pack_at if type(self).pack_at is not ToolPackContract.pack_at else None,
            reply=self.reply,
            secrets=self.secrets,
        )

    def _executor(self) -> CommandExecutor:
        executor = self.executor()
        if executor is None:
            raise TypeError(
                f"{type(self).__name__}.executor returned None; return an executor, or do not override it."
            )
        return executor


class OutputSinkContract(Contract, abstract=True):
    """The contract of an output sink. Derive a class whose name begins with ``Test`` and define its three methods."""

    subject_kind = "output sink"

    @abstractmethod
    def sink(self) -> OutputSink:
        """Return a new sink whose receiving end is empty."""

    def delivered(self, sink: Any) -> Sequence[str]:
        """Return the ids of the deliveries that have arrived at the receiving end of `sink`, in their order.

        Not asked when ``Capabilities(unobservable="…")`` says why it cannot be known.
        """
        raise TypeError(f"{type(self).__name__}: define delivered(), or declare Capabilities(unobservable='why').")

    def broken_sink(self) -> OutputSink:
        """Return a new sink whose receiving end fails: a full disk, a closed connection.

        Not asked when ``Capabilities(unbreakable="…")`` says why there is none.
        """
        raise TypeError(f"{type(self).__name__}: define broken_sink(), or declare Capabilities(unbreakable='why').")

    def subject(self) -> Sink:
        """Return what is checked, as the functions of the kit take it."""
        return Sink(
            make=self.sink,
            delivered=None if self.capabilities.unobservable else self.delivered,
            make_broken=None if self.capabilities.unbreakable else self.broken_sink,
            capabilities=self.capabilities,
        )


class ExecutorContract(Contract, abstract=True):
    """The contract of an executor. Derive a class whose name begins with ``Test``, and define :meth:`executor`."""

    subject_kind = "executor"

    program: ClassVar[str] = sys.executable
    """A Python of 3.11 or newer that the executor can run: this one, unless the executor runs elsewhere."""

    @abstractmethod
    def executor(self, timeout: float) -> CommandExecutor:
        """Return a new executor that may run :attr:`program`, with a deadline of `timeout` seconds for a command."""

    def subject(self) -> ExecutorSubject:
        """Return what is checked, as the functions of the kit take it."""
        return ExecutorSubject(make=self.executor, program=self.program, capabilities=self.capabilities)
