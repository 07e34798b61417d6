"""An output sink at work: made anew for each example, with a receiving end that the contract can look into."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from types import TracebackType
from typing import Any, ClassVar, Self

import attrs

from ditto_core import OutputRequest, OutputSink, ToolContext, output_handler

from ..capabilities import Capabilities
from ..subjects import Subject
from .blocked import Blocked
from .loop import Ended, Loop


@attrs.frozen(kw_only=True, eq=False)
class Sink(Subject):
    """An output sink with what its checks need to know.

    ``make`` gives a new sink with an empty receiving end, ``delivered(sink)`` the ids of the deliveries that have
    arrived there, in their order, and ``make_broken`` a sink whose receiving end fails. The last two may be None if
    the capabilities say why.
    """

    kind: ClassVar[str] = "output sink"
    prefix: ClassVar[str] = "OS"

    make: Callable[[], OutputSink]
    delivered: Callable[[OutputSink], Sequence[str]] | None = None
    make_broken: Callable[[], OutputSink] | None = None
    capabilities: Capabilities = attrs.field(factory=Capabilities)

    def lab(self) -> SinkLab:
        """Return where a check runs it."""
        return SinkLab(self)

    @classmethod
    def installed(cls, name: str, load: Callable[[], Any]) -> Iterator[tuple[str, Self]]:
        """Give each sink of the plugin; what arrives at it, a command line cannot know."""
        plugin = load()
        why = "it is run from the command line"
        for sink in plugin.ditto_output_sinks() if hasattr(plugin, "ditto_output_sinks") else ():
            yield (
                f"output sink {sink!r}",
                cls(
                    make=partial(_offered, load, sink),
                    capabilities=Capabilities(unobservable=why, unbreakable=why),
                ),
            )


def _offered(load: Callable[[], Any], sink: str) -> OutputSink:
    made: OutputSink = load().ditto_output_sinks()[sink]
    return made


class SinkLab:
    """One sink after another in one event loop."""

    def __init__(self, sink: Sink) -> None:
        self.sink = sink
        self.capabilities = sink.capabilities

    def __enter__(self) -> Self:
        self.loop = Loop(self.capabilities.call_timeout)
        return self

    def begin(self) -> None:
        """Begin a check; raises :class:`Blocked` for an object that no worker takes as a sink."""
        try:
            output_handler(self.sink.make())
        except Exception as error:
            raise Blocked("OS-001", f"{type(error).__name__}: {error}") from error

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.loop.__exit__(kind, error, trace)

    def arrived(self, sink: OutputSink) -> list[str] | None:
        """Return the ids of what has arrived, in order, or None where the author says why that cannot be known."""
        return None if self.sink.delivered is None else list(self.sink.delivered(sink))

    def deliver(self, sink: OutputSink, request: OutputRequest) -> Ended:
        """Deliver once as a worker does, and return how that ended."""
        return self.loop.ended(delivery(sink, request))


class EndsTheProgram(Exception):
    """Stands for an exception that would stop the event loop half-way: a sink has raised ``SystemExit``."""


async def delivery(sink: OutputSink, request: OutputRequest) -> Any:
    """Deliver through the handler of ``INTERACTION.OUTPUT``, which checks the receipt."""
    try:
        return await output_handler(sink)(request, ToolContext())
    except SystemExit as error:
        raise EndsTheProgram(f"SystemExit({error})") from error
