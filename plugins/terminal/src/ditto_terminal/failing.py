"""What is said of an exception: who and what, the fact and the remedy, and the status that the command ends with."""

from __future__ import annotations

from typing import Final

import attrs
import typer

from ditto_core import (
    CallTimeout,
    CommandTimeout,
    ConfigError,
    DittoError,
    GraphError,
    InvalidReceipt,
    InvalidResult,
    InvalidValue,
    PermissionDenied,
    PluginError,
    RefusedCall,
    RegistrationError,
    RuntimeClosed,
    escape,
    safe_message,
)

from .exits import Exit
from .granting import flag_for
from .missing import MissingDistribution

_NOTHING_HAS_RUN: Final = (ConfigError, GraphError, InvalidValue, PluginError, RefusedCall, RegistrationError)
_IT_MAY_HAVE: Final = (CallTimeout, CommandTimeout, InvalidReceipt, InvalidResult, RuntimeClosed)


@attrs.frozen(kw_only=True)
class Told:
    """The text of an error, one paragraph or two, and the exit status."""

    text: str
    status: Exit


def told(error: Exception) -> Told | None:
    """Return what to say of an exception; None for those by which typer ends a command itself."""
    if isinstance(error, typer.TyperException | typer.Exit | typer.Abort):
        return None
    if isinstance(error, PermissionDenied):
        flag = flag_for(error)
        remedy = f"\nOn the command line: {flag}" if flag else ""
        return Told(text=f"refused: {error}{remedy}", status=Exit.REFUSED)
    if isinstance(error, MissingDistribution):
        return Told(text=str(error), status=Exit.REFUSED)
    if isinstance(error, DittoError):
        return Told(text=f"{type(error).__name__}: {error}", status=_status(error))
    if isinstance(error, BrokenPipeError):
        return None
    return Told(text=_foreign(error), status=Exit.FAILED)


def _status(error: DittoError) -> Exit:
    if isinstance(error, _NOTHING_HAS_RUN) or getattr(error, "started", True) is False:
        return Exit.REFUSED
    return Exit.UNCERTAIN if isinstance(error, _IT_MAY_HAVE) else Exit.FAILED


def _foreign(error: Exception) -> str:
    """Return what a tool's or a provider's own exception may be told of: no secret and no path of the host."""
    kind = escape(type(error).__name__)
    said = f"{kind}: {safe_message(str(error), 'its text is not shown')}"
    return f"{said}\nIt came out of what was called, which may have had an effect. --debug shows where."
