"""The tree of exceptions."""

from __future__ import annotations

import inspect
import pickle

import pytest

import ditto_core
from ditto_core import errors

TREE = {
    "PluginError": ["PluginNotFound", "PluginAmbiguous", "PluginLoadFailed", "PluginApiMismatch", "InvalidPlugin"],
    "RegistrationError": ["DuplicateName", "InvalidName", "InvalidSchema", "InvalidTool"],
    "RefusedCall": [
        "UnknownTool",
        "UnknownServer",
        "PermissionDenied",
        "InvalidArguments",
        "InvalidInput",
        "NodeUnavailable",
        "WorkerBusy",
        "ContextClosed",
        "WrongEventLoop",
    ],
    "DittoError": [
        "InvalidValue",
        "InvalidResult",
        "InvalidReceipt",
        "CallTimeout",
        "CommandTimeout",
        "RuntimeClosed",
        "CloseInsideCall",
        "ToolFailed",
        "DiscoveryError",
        "GraphError",
        "LoopExhausted",
        "ConfigError",
    ],
}


@pytest.mark.parametrize(("base", "leaf"), [(base, leaf) for base, leaves in TREE.items() for leaf in leaves])
@pytest.mark.promise("D-ERR-01", "D-ERR-02", "ERR-10")
def test_every_exception_stands_under_its_base(base: str, leaf: str) -> None:
    assert issubclass(getattr(ditto_core, leaf), getattr(ditto_core, base))


@pytest.mark.promise("D-ERR-01")
def test_every_exception_is_a_ditto_error_is_documented_and_is_public() -> None:
    classes = [kind for _, kind in inspect.getmembers(errors, inspect.isclass) if kind.__module__ == errors.__name__]
    assert len(classes) > 30
    for kind in classes:
        assert issubclass(kind, errors.DittoError)
        assert kind.__doc__
        assert getattr(ditto_core, kind.__name__) is kind


def test_familiar_bases_are_kept_where_they_fit() -> None:
    assert issubclass(errors.CallTimeout, TimeoutError)
    assert issubclass(errors.CommandTimeout, TimeoutError)
    assert issubclass(errors.InvalidValue, ValueError)


def test_what_an_exception_knows_is_kept() -> None:
    assert errors.CallTimeout("a", started=False).started is False
    assert errors.RuntimeClosed("a").started is False
    timeout = errors.CommandTimeout("a", stdout="out", stderr="err")
    assert (timeout.stdout, timeout.stderr) == ("out", "err")
    assert errors.LoopExhausted("a", state=[1]).state == [1]


def test_an_invalid_value_can_be_pickled_and_its_path_is_bounded() -> None:
    error = errors.InvalidValue("ToolCall.id", "must not be empty")
    again = pickle.loads(pickle.dumps(error))
    assert (again.field, again.problem, str(again)) == (error.field, error.problem, str(error))
    assert len(str(errors.InvalidValue("[0]" * 100_000, "is bad"))) < 300


def test_a_refusal_says_which_permission_would_allow_it() -> None:
    with pytest.raises(errors.PermissionDenied) as network:
        ditto_core.Sandbox().require("network", "https://acme.example")
    assert (network.value.kind, network.value.name) == ("network", "https://acme.example")
    with pytest.raises(errors.PermissionDenied) as reading:
        ditto_core.Sandbox().require("read")
    assert (reading.value.kind, reading.value.name) == ("read", None)
    again = pickle.loads(pickle.dumps(network.value))
    assert (again.kind, again.name, str(again)) == ("network", "https://acme.example", str(network.value))
