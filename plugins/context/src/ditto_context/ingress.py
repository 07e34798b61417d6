"""An observation on its way into a context."""

from __future__ import annotations

from ditto_core import OBSERVE, Observation

from .contracts import Ingress


def ingress_of(observation: Observation) -> Ingress:
    """Return what ``CONTEXT.UPDATE`` enters of an observation: its message, with call id, source and status.

    It is entered whatever its status is: whether a failure belongs into the context is for the application to say.
    """
    return Ingress(
        id=f"observation:{observation.call_id}",
        source_node=OBSERVE.type,
        content=observation.message.content,
        metadata={"callId": observation.call_id, "source": observation.source, "status": observation.status},
    )
