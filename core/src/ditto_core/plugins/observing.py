"""From a call to the observing hooks of one plugin."""

from __future__ import annotations

import inspect
from collections.abc import Mapping

import attrs

from ..errors import InvalidPlugin
from ..events import CallFinished, CallStarted
from .hookspecs import OBSERVERS
from .inspection import Hook
from .origin import Origin


@attrs.frozen(eq=False, repr=False)
class PluginObserver:
    """Tells a plugin's hooks of calls; an exception in one is logged with the plugin's name and goes no further."""

    origin: Origin
    _started: Hook | None
    _finished: Hook | None

    @classmethod
    def of(cls, hooks: Mapping[str, Hook], origin: Origin) -> PluginObserver | None:
        """Return the observer that a plugin with these hooks is, or None when it observes nothing."""
        if OBSERVERS.isdisjoint(hooks):
            return None
        return cls(origin, hooks.get("ditto_call_started"), hooks.get("ditto_call_finished"))

    def started(self, event: CallStarted) -> None:
        """Tell ``ditto_call_started``."""
        if self._started is not None:
            self._tell(self._started, "ditto_call_started", event, event)

    def finished(self, event: CallFinished) -> None:
        """Tell ``ditto_call_finished``."""
        if self._finished is not None:
            self._tell(self._finished, "ditto_call_finished", event, event.call)

    def _tell(self, hook: Hook, name: str, event: CallStarted | CallFinished, call: CallStarted) -> None:
        try:
            answer = hook.function(event) if hook.takes_event else hook.function()
            if inspect.iscoroutine(answer):
                answer.close()
                raise InvalidPlugin("an observer is a plain function: nobody awaits what it returns")
        except Exception:  # an observer changes nothing
            from ..log import LOG

            LOG.exception("observer_failed", plugin=self.origin.plugin, hook=name, call_id=call.call_id)
