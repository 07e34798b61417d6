"""Variables: known ones are exact, misspelt and retired ones are errors, those of others are left alone."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ditto_core import ConfigError, load_config
from ditto_core.config.environment import VARIABLES

SECRET = "hunter2-horse"
OTHERS = (
    "DITTO_WORKER_INTERACTION_BRAVE_SEARCH_API_KEY",
    "DITTO_WORKER_CONTEXT_REDIS_URL",
    "DITTO_WORKER_INFER_MODEL",
    "DITTO_SHARED_PROVIDERS",
    "DITTO_SHARED_PROVIDER_MAIN_API_KEY",
    "DITTO_TRANSPORT_HTTP_PORT",
    "DITTO_HYPOTHESIS_PROFILE",
    "DITTO_LOG_LEVEL",
    "DITTOS_RUNTIME_ENV",
    "RUNTIME_ENV",
)


class Watched(dict[str, str]):
    """An environment that remembers which values were asked for."""

    def __init__(self, content: dict[str, str]) -> None:
        super().__init__(content)
        self.read: list[str] = []

    def __getitem__(self, name: str) -> str:
        self.read.append(name)
        return super().__getitem__(name)


def refused(env: Any) -> str:
    with pytest.raises(ConfigError) as refusal:
        load_config(None, env)
    assert SECRET not in str(refusal.value)
    return str(refusal.value)


@pytest.mark.parametrize(
    ("name", "value", "problem"),
    [
        ("DITTO_RUNTIME_ENV", "staging", "must be development, test or production"),
        ("DITTO_RUNTIME_ENV", "", "must be development, test or production"),
        ("DITTO_RUNTIME_ENV", "Test", "must be development, test or production"),
        ("DITTO_RUNTIME_WORKSPACE", " ", "must be the path of a folder; remove it to use the current one"),
        ("DITTO_RUNTIME_WORKSPACE", "a\0b", "must be the path of a folder"),
        *[
            (f"DITTO_SHARED_SANDBOX_ALLOW_{kind}", value, "must be exactly true or false")
            for kind in ("READ", "WRITE", "EXECUTE")
            for value in ("", "yes", "1", "True", "true ")
        ],
        (
            "DITTO_SHARED_SANDBOX_ALLOW_NETWORK",
            f"https://a,https://{SECRET}@b",
            "has an entry, number 2, that is no or",
        ),
        ("DITTO_SHARED_SANDBOX_ALLOW_NETWORK", "*.example.com", "has an entry, number 1, that is no origin"),
        ("DITTO_RUNTIME_ENV", 5, "must be a text, not an int"),
    ],
)
def test_a_wrong_value_names_the_variable_and_never_the_value(name: str, value: Any, problem: str) -> None:
    assert refused({name: value}).startswith(f"Environment variable '{name}' {problem}")


@pytest.mark.promise("CFG-01b")
@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("DITTO_SHARED_SANDBOX_ALLOW_TOOL", "is not known. Did you mean 'DITTO_SHARED_SANDBOX_ALLOW_TOOLS'?"),
        ("DITTO_SHARED_SANDBOX_ALLOW_FILES", "is not known."),
        ("DITTO_SHARED_SANDBOX_", "is not known."),
        ("DITTO_SHARED_SANBOX_ALLOW_READ", "is not known. Did you mean 'DITTO_SHARED_SANDBOX_ALLOW_READ'?"),
        ("DITTO_SANDBOX_ALLOW_READ", "is not known. Did you mean 'DITTO_SHARED_SANDBOX_ALLOW_READ'?"),
        ("DITTO_ALLOW_READ", "is not known. Did you mean 'DITTO_SHARED_SANDBOX_ALLOW_READ'?"),
        ("ditto_runtime_env", "is not known. Did you mean 'DITTO_RUNTIME_ENV'?"),
        ("DITTO_RUNTIME_TIMEOUT_MS", "is not known."),
        ("DITTO_RUN_TIME_ENV", "is not known. Did you mean 'DITTO_RUNTIME_ENV'?"),
        ("DITTO_SHARED_SANDBOX_ALLOW_SKILLS", "is not read. Remove it: Ditto for Python has no skills."),
        ("DITTO_ENV", "is not read. Set DITTO_RUNTIME_ENV instead."),
        ("DITTO_WORKSPACE", "is not read. Set DITTO_RUNTIME_WORKSPACE instead."),
        ("DITTO_TIMEOUT_MS", "is not read. Set runtime.timeoutMs in the file instead."),
        ("DITTO_MAX_TURNS", "is not read. Set runtime.maxTurns in the file instead."),
        ("DITTO_MODEL", "is not read. Remove it: your application connects to its models itself."),
        ("DITTO_MODEL_PROVIDER", "is not read. Remove it"),
        ("DITTO_PROVIDERS", "is not read. Remove it"),
        ("DITTO_PROVIDER_MAIN_API_KEY", "is not read. Remove it"),
        ("DITTO_WORKER_TOKEN", "is not read. Remove it: your application reads its endpoints and tokens itself"),
    ],
)
def test_a_misspelt_or_retired_name_is_an_error(name: str, problem: str) -> None:
    assert refused({name: SECRET}).startswith(f"Environment variable '{name}' {problem}")


@pytest.mark.promise("CFG-03")
def test_variables_of_others_are_neither_refused_nor_read() -> None:
    env = Watched(dict.fromkeys(OTHERS, SECRET) | {"DITTO_RUNTIME_ENV": "test", "PATH": "/bin"})
    before = dict(env)
    assert load_config(None, env).environment == "test"
    assert env.read == ["DITTO_RUNTIME_ENV"]
    assert dict(env) == before


@pytest.mark.promise("CFG-01b")
@given(
    name=st.sampled_from(VARIABLES),
    where=st.integers(6, 40),
    how=st.sampled_from("drs"),
    letter=st.sampled_from("AXZ_"),
)
def test_a_name_with_one_wrong_letter_is_always_refused(name: str, where: int, how: str, letter: str) -> None:
    where = min(where, len(name) - 1)
    wrong = name[:where] + ("" if how == "d" else letter) + name[where + (how != "s") :]
    if wrong in VARIABLES:
        assert load_config(None, {}).environment == "development"
    else:
        assert refused({wrong: SECRET}).startswith(f"Environment variable '{wrong}' is not known.")


@given(
    names=st.sets(st.sampled_from("ab*c") | st.text("abc-_", min_size=1, max_size=5)),
    blanks=st.sampled_from(["", " ", ", "]),
)
def test_a_list_is_read_back_as_it_was_written(names: set[str], blanks: str) -> None:
    text = f"{blanks},{blanks}".join(sorted(names)) + blanks
    permissions = load_config(None, {"DITTO_SHARED_SANDBOX_ALLOW_TOOLS": text}).permissions
    assert permissions.tools == names
    assert permissions.mcp == frozenset()
