"""One tool of a pack as a check looks at it: arguments that are worth a call, and the calls."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator
from functools import cached_property
from itertools import islice, product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs
from hypothesis import strategies as st

from ditto_core import CommandExecutor, JsonObject, Runtime, Sandbox, Tool, ToolCall, ToolContext, to_wire

from ..capabilities import Capabilities
from ..fakes.executors import ScriptedExecutor, echoed
from ..strategies.arguments import arguments
from ..strategies.changes import each_change
from ..strategies.judging import judge, schema_problem
from .blocked import WITH_FAKES, Blocked
from .likely import Place, copied, likely, places, put
from .loop import Ended, invoked
from .samples import some, telling
from .sandboxes import RecordingSandbox

if TYPE_CHECKING:
    from .packs import PackLab

_FEW = 15
"""How many arguments are made from the schema each time, whatever else is drawn."""
_CHANGES = 150
"""How many changes of one sample are tried."""
_THERE = ("a.txt", "sub")
_FINDING = ("a.txt", "sub", "b.py", "sub/c.txt", "e", ".")
_TRIED, _FRUITFUL = 60, 4
"""Out of how many arguments those with different answers are taken, and how many of them."""
_PLACES = 6
"""At how many places of one sample texts are tried: who takes any object would have them everywhere."""


@attrs.frozen(kw_only=True, eq=False, slots=False)
class ToolCase:
    """One tool in its lab."""

    lab: PackLab
    tool: Tool[Any]
    name: str
    tried: set[str] = attrs.field(factory=set)

    @property
    def effects(self) -> frozenset[str]:
        """What the tool declares to do."""
        return self.tool.effects

    @property
    def capabilities(self) -> Capabilities:
        """What the author declares."""
        return self.lab.capabilities

    @cached_property
    def narrower(self) -> str:
        """Why the tool refuses arguments that its schema allows, or nothing."""
        comment: Any = self.tool.input_schema.get("$comment", "")
        said = comment if type(comment) is str and comment.startswith("Narrower than this schema: ") else ""
        return self.capabilities.narrower_than_schema.get(self.name, said)

    @cached_property
    def strategy(self) -> st.SearchStrategy[Any]:
        """The author's own strategy for arguments, or one from the schema; it need not have any value."""
        problem = schema_problem(self.tool.input_schema)
        if problem:
            raise Blocked("TP-003", problem)
        own = self.lab.pack.arguments.get(self.name)
        return arguments(self.tool.input_schema) if own is None else own

    @cached_property
    def made(self) -> list[Any]:
        """A few values of that strategy, or none."""
        return some(self.strategy, _FEW)

    @cached_property
    def accepted(self) -> list[Any]:
        """A few values of :attr:`usual`, or none."""
        return some(self._usual)

    @property
    def by_schema(self) -> st.SearchStrategy[Any]:
        """Arguments that fit the schema, or the author's own."""
        if not self.made:
            raise Blocked("TP-004", "no arguments can be made")
        return self.strategy

    @property
    def usual(self) -> st.SearchStrategy[Any]:
        """Arguments that the tool accepts, with names of files that are there in many of them."""
        if not (self.made and self.accepted):
            raise Blocked("TP-004", "no arguments can be made, or validate refuses them all")
        return self._usual

    @cached_property
    def _usual(self) -> st.SearchStrategy[Any]:
        made = self.strategy
        if self.name not in self.lab.pack.arguments:
            made = likely(made, self.tool.input_schema)
        return made.filter(self.accepts) if self.narrower else made

    @cached_property
    def samples(self) -> list[Any]:
        """A few arguments that the tool accepts, the same each time: what known traps are put into.

        Among them are some with the names of a file and of a folder that are there, so that a tool gets to its work.
        """
        drawn = telling(filter(self.accepts, self.accepted)) if self.made else []
        named = [self._with_name(drawn[0], name) for name in _THERE if drawn]
        return [*drawn, *(one for one in named if self.accepts(one) and one not in drawn)]

    def _with_name(self, given: Any, name: str) -> Any:
        """Return the arguments with the name at each place where the schema allows it."""
        fits = judge(self.tool.input_schema).fits
        for place in places(given)[:_PLACES]:
            changed = put(given, place, name)
            given = changed if fits(changed) else given
        return given

    @cached_property
    def fruitful(self) -> list[Any]:
        """A few arguments with which calls succeed and give different answers, those that give most first.

        Names of the workspace, and a letter of its texts, stand at each place of some, so that a tool that looks for
        something finds it. Only for tools that change nothing: they are called to know.
        """
        found: dict[str, Any] = {}
        for given in [*self.samples, *(given for given, _, _ in self.with_texts(_FINDING))][:_TRIED]:
            if answer := self._answer(given):
                found.setdefault(answer, given)
        return [found[answer] for answer in sorted(found, key=len, reverse=True)[:_FRUITFUL]]

    @cached_property
    def working(self) -> list[Any]:
        """The samples, but first those with which calls succeed: the others end before most of a tool's work."""
        is_calm = not self.effects & {"write", "network"}
        can = (is_calm and self.fruitful) or [given for given in self.samples if self._answer(given)]
        return [*can, *(given for given in self.samples if given not in can)]

    def _answer(self, given: Any) -> str:
        """Return the answer of a call in words; nothing if it does not succeed."""
        value = self.call(given, self.sandbox(executor=ScriptedExecutor(echoed))).value
        return repr(to_wire(value)) if value is not None and value.status == "success" else ""

    @cached_property
    def wrong(self) -> list[Any]:
        """Samples with one change each that makes them break the schema, the same each time."""
        misses = judge(self.tool.input_schema).misses
        changes = {repr(one): one for sample in self.samples for one in islice(each_change(sample), _CHANGES)}
        return [one for one in changes.values() if type(one) is dict and misses(one)]

    def once(self, what: str, look: Callable[[], None]) -> None:
        """Look at the traps of a check once, and not with each of its examples; again as long as that fails."""
        if what not in self.tried:
            look()
            self.tried.add(what)

    def with_texts(self, texts: Iterable[str]) -> Iterator[tuple[Any, Place, str]]:
        """Give the samples with each of the texts at each place where the tool takes it; the same call only once."""
        return (tried for tried in self.fitting(texts) if self.accepts(tried[0]))

    def fitting(self, texts: Iterable[str]) -> Iterator[tuple[Any, Place, str]]:
        """Give the samples with each of the texts at each place where the schema allows it."""
        known: set[str] = set()
        fits = judge(self.tool.input_schema).fits
        for sample, text in product(self.samples, texts):
            for place in places(sample)[:_PLACES]:
                given = put(sample, place, text)
                if (key := repr(given)) not in known and fits(given):
                    known.add(key)
                    yield given, place, text

    def accepts(self, given: JsonObject) -> bool:
        """Tell whether ``validate`` takes the arguments."""
        try:
            self.tool.validate(copied(given))
        except Exception:
            return False
        return True

    def may_be_called(self) -> None:
        """Raise ``NotLookedAt`` where a call could reach a service out there, with the user's own key."""
        if self.lab.pack.as_installed and "network" in self.effects:
            self.lab.leave(f"{self.name!r} declares network and is not called from here; {WITH_FAKES}")

    def sandbox(
        self, *, without: str = "", executor: CommandExecutor | None = None, workspace: Path | None = None
    ) -> RecordingSandbox:
        """Return a sandbox that permits what the tool declares, but for the kind `without`."""
        allowed = self.effects - {without}
        if self.lab.pack.executor is not None:
            executor = self.lab.pack.executor()
        return RecordingSandbox(
            workspace or (self.lab.fresh_workspace() if "write" in self.effects else self.lab.workspace),
            tools=[self.name],
            network=["*"] if "network" in allowed else [],
            read="read" in allowed,
            write="write" in allowed,
            execute="execute" in allowed,
            executor=executor,
        )

    def calling(
        self, given: JsonObject, sandbox: Sandbox, id: str = "c1", *, by_runtime: bool = True
    ) -> Awaitable[Any]:
        """Return the call, not yet begun, as a runtime makes it: with an end after which its context is closed.

        A runtime also puts some things right that a tool does wrong; without one the tool is alone.
        """
        self.may_be_called()
        call = ToolCall(id=id, name=self.name, arguments=copied(given))
        pack = self.lab.pack
        if pack.providers or not by_runtime:  # a runtime lends no providers
            context = ToolContext(call_id=id, sandbox=sandbox, config=pack.config, providers=pack.providers)
            return self.lab.registry.call(call, context)
        runtime = Runtime(workers=[self.lab.worker], sandbox=sandbox, config=pack.config)
        return invoked(runtime, call)

    def call(self, given: JsonObject, sandbox: Sandbox) -> Ended:
        """Call the tool once and return how that ended."""
        return self.lab.loop.ended(_awaited(self.calling(given, sandbox)))


async def _awaited(awaitable: Awaitable[Any]) -> Any:
    return await awaitable
