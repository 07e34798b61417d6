"""A tool pack at work: registered in a host of its own, with a workspace and backends that the checks choose."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, ClassVar, Self

import attrs
from hypothesis import strategies as st

from ditto_core import (
    CommandExecutor,
    PluginHost,
    Tool,
    ToolRegistry,
    WebSearchProvider,
    interaction_worker,
)

from ..capabilities import Capabilities
from ..fakes.http import HttpRequest
from ..fakes.workspaces import add_long_names, awkward_workspace
from ..subjects import Subject
from .blocked import Blocked, Unseen
from .leftovers import belongings
from .loop import Loop
from .pipes import PipeWatch
from .tool_case import ToolCase
from .traces import Traces

if TYPE_CHECKING:
    from .services import Met


@attrs.frozen(kw_only=True, eq=False)
class ToolPack(Subject):
    """A tool pack with what its checks need to know.

    ``make`` gives a new plugin. ``arguments`` are strategies for tools whose own schemas do not lead to useful calls,
    ``files`` more files of the workspace by name, ``config`` and ``providers`` what the tools find in their context,
    and ``executor``, if not None, makes the executor of a call instead of the scripted ones of the checks.

    A pack with a tool that declares ``network`` has two more: ``make_at(url, timeout)`` gives a new plugin whose tools
    ask the server at `url` instead of their service, with a deadline of `timeout` seconds for one call, and
    ``reply(request)`` is the body with which the service answers well. Without ``make_at`` the capability
    ``no_backend`` has to say why. ``secrets`` are the keys with which the plugins are made.
    ``as_installed`` says that no fake of a service is known: a tool that declares ``network`` is then not called.
    """

    kind: ClassVar[str] = "tool pack"
    prefix: ClassVar[str] = "TP"
    end_check: ClassVar[str] = "TP-020"

    make: Callable[[], object]
    capabilities: Capabilities = attrs.field(factory=Capabilities)
    arguments: Mapping[str, st.SearchStrategy[Any]] = attrs.field(factory=dict)
    files: Mapping[str, str | bytes] = attrs.field(factory=dict)
    config: Any = None
    providers: Mapping[str, WebSearchProvider] = attrs.field(factory=dict)
    executor: Callable[[], CommandExecutor] | None = None
    make_at: Callable[[str, float], object] | None = None
    reply: Callable[[HttpRequest], bytes] = lambda _: b"{}"
    secrets: Sequence[str] = ()
    as_installed: bool = False

    def tools(self) -> dict[str, Tool[Any]]:
        """Return the tools of a new plugin by name; raises what the plugin raises."""
        return tools_of(self.make())

    def lab(self) -> PackLab:
        """Return where a check runs it."""
        return PackLab(self)

    @classmethod
    def installed(cls, name: str, load: Callable[[], Any]) -> Iterator[tuple[str, Self]]:
        """Give the plugin itself, if it offers tools. The services that these ask are not known here."""
        if hasattr(load(), "ditto_tools"):
            yield f"tool pack {name!r}", cls(make=load, as_installed=True)


def tools_of(plugin: Any) -> dict[str, Tool[Any]]:
    """Return the tools that a plugin gives, by name."""
    return {tool.name: tool for tool in plugin.ditto_tools()}


class PackLab(Unseen):
    """One tool pack in one event loop, a context manager. Raises :class:`Blocked` for a pack that is none."""

    def __init__(self, pack: ToolPack) -> None:
        self.pack = pack
        self.capabilities = pack.capabilities

    def __enter__(self) -> Self:
        # Before the loop: what watches it may look for the pipe while the plugin is still being entered.
        self.folder = Path(tempfile.mkdtemp(prefix="ditto-testkit-"))
        self._made = 0
        self._hung = self._spared = False
        self.loop = Loop(self.capabilities.call_timeout, watch=lambda: PipeWatch(self._pipe, self._hangs))
        try:
            self.plugin: Any = self.pack.make()
            host = PluginHost()
            host.register(self.plugin)
            self.tools = tools_of(self.plugin)
            self.registry = ToolRegistry()
            self.registry.register_all(self.tools.values())
            self.worker = interaction_worker(tools=self.registry)
            self.loop.hold(host)
        except Exception as error:
            self.__exit__(None, None, None)
            raise Blocked("TP-001", f"{type(error).__name__}: {error}") from error
        self.at_start = belongings()
        self.traces = Traces()
        self._tool = ""
        self._fresh: Path | None = None
        self._cases: dict[str, ToolCase] = {}
        self.met: dict[str, list[Met]] = {}
        """By tool, what came of its calls before a service that fails; see :mod:`.services`."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self.loop.__exit__(kind, error, trace)
        finally:
            shutil.rmtree(self.folder, ignore_errors=True)

    @cached_property
    def workspace(self) -> Path:
        """An awkward workspace, made when it is first asked for."""
        return self.new_workspace()

    def begin(self) -> None:
        """Begin a check: with a new workspace, and without its pipe if a check before has hung at it."""
        self._spared = self._hung
        self.renew_workspace()
        for case in self._cases.values():
            case.tried.clear()
        self._tool = ""
        self.not_looked_at = None
        self.traces.begin()

    def end(self) -> None:
        """End a check: note what its calls have left behind."""
        self.traces.end(self._tool)

    def renew_workspace(self) -> None:
        """Forget the workspace, because something may have changed it."""
        known = self.__dict__.pop("workspace", None)
        if known is not None:
            shutil.rmtree(known.parent, ignore_errors=True)

    def _hangs(self) -> None:
        self._hung = True

    def _pipe(self) -> Path:
        return self.folder / str(self._made) / "workspace" / "pipe"

    def new_workspace(self) -> Path:
        """Make another awkward workspace, with a file that is larger than a result may be."""
        self._made += 1
        large = self.capabilities.max_result_bytes + 65_536
        made = awkward_workspace(self.folder / str(self._made), self.pack.files, large=large)
        if self._spared:  # enough has been told of it, and every further call that waits at it takes its time
            self._pipe().unlink(missing_ok=True)
        return made

    def fresh_workspace(self) -> Path:
        """Make a workspace for one call and forget the one of the call before."""
        if self._fresh is not None:
            shutil.rmtree(self._fresh.parent, ignore_errors=True)
        self._fresh = self.new_workspace()
        return self._fresh

    @cached_property
    def workspace_of_long_names(self) -> Path:
        """A workspace whose names have more bytes together than a result may; calls that write get others."""
        made = self.new_workspace()
        add_long_names(made, self.capabilities.max_result_bytes)
        return made

    def case(self, name: str) -> ToolCase:
        """Return one tool of the pack as a check looks at it."""
        if name not in self._cases:
            self._cases[name] = ToolCase(lab=self, tool=self.tools[name], name=name)
        self._tool = name
        return self._cases[name]
