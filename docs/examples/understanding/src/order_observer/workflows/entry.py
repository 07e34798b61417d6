"""What the entries share: the guard, and who does the work."""

from __future__ import annotations

from ditto_infer import ModelChoice

from ..controller import Options, run_observation
from ..errors import WrongMode
from ..report import Checkpoint, Report
from ..request import Mode, Request
from ..steps import Runner


async def run_mode(
    mode: Mode, runner: Runner, *, request: Request, model: ModelChoice, options: Options | None = None
) -> Report | Checkpoint:
    """Run the controller if the request is of that mode."""
    if request.mode != mode:
        raise WrongMode(f"This is the entry of {mode}, and the request is one of {request.mode}.")
    return await run_observation(runner, request=request, model=model, options=options)
