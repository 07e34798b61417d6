"""Sections become objects of the plugin's own class, strictly, and the class's refusals name the dotted path."""

from __future__ import annotations

from typing import Annotated, Any

import attrs
import pytest
from attrs.validators import ge, optional

from ditto_commands import CommandTools
from ditto_console import ConsoleSink
from ditto_core import ConfigError, InvalidValue, duration, interaction_worker, load_config
from tests.support.configs import Brave, Load, Orbit, Window

SECRET = "hunter-horse"
FULL = """
plugins:
  orbit:
    mode: fast
    maxRows: 10.0
    most: null
    ratio: 1
    names: [a, b]
    window: {firstLine: 2, lastLine: 3}
    extra: {any_key: [1, {"x": null}]}
    timeoutMs: 1500
    pauseMs: 0
    token: a-b
    hidden: true
"""
WRONG = [
    ("mode: slow", "mode must be one of 'fast', 'safe'"),
    ("mode: null", "mode must be one of 'fast', 'safe'; give it a value, or leave the key out"),
    ("maxRows: 11", "maxRows must be an integer from 1 to 10."),
    ("maxRows: '5'", "maxRows must be an integer from 1 to 10, not a string"),
    ("maxRows: true", "maxRows must be an integer from 1 to 10, not a boolean"),
    ("max_rows: 5", "max_rows is not known. Did you mean 'maxRows'? Known here: 'extra', 'hidden', 'maxRows'"),
    ("maxRow: 5", "maxRow is not known. Did you mean 'maxRows'?"),
    ("timeout: 5", "timeout is not known. Did you mean 'timeoutMs'?"),
    ("timeoutMs: 0", "timeoutMs must be an integer from 1 to 2147483647."),
    ("timeoutMs: 1.5", "timeoutMs must be an integer from 1 to 2147483647."),
    ("timeoutMs: null", "timeoutMs must be an integer from 1 to 2147483647, not null; give it a value, or leave"),
    ("pauseMs: 5001", "pauseMs must be an integer from 0 to 5000."),
    ("pauseMs: null", "pauseMs must be an integer from 0 to 5000, not null; give it a value, or leave the key out"),
    ("ratio: 1.5", "ratio must be a number from 0 to 1."),
    ("ratio: 0.25", "ratio must not be a quarter."),
    ("names: [a, 5]", "names[1] must be a string, not an integer"),
    ("names: a", "names must be an array, not a string"),
    ("window: {}", "window.firstLine is missing"),
    ("window: {firstLine: 0}", "window.firstLine must be an integer of at least 1."),
    ("window: {firstLine: 1, lastline: 2}", "window.lastline is not known. Did you mean 'lastLine'?"),
    ("window: {firstLine: 1, lastLine: null}", "window.lastLine must be an integer, not null; give it a value"),
    ("stream: x", "stream can be given in code only, since no file can hold it; leave the key out"),
    ("extra: [1]", "extra must be an object, not an array"),
    ("token: A", "token must match the pattern '[a-z-]*'"),
    (f"token: {SECRET}", "token is refused (InvalidValue)."),
    (f"names: [{SECRET}]", "names is refused (InvalidValue)."),
    (f"extra: {{a: {SECRET}}}", "extra is refused (InvalidValue)."),
    ("maxRows: 7", " is refused: seven rows are too many."),
]


@pytest.mark.promise("D-CFG-02", "D-CFG-05")
def test_every_kind_of_option_is_read(load: Load) -> None:
    orbit = load(FULL).plugin("orbit", Orbit)
    assert attrs.asdict(orbit, recurse=False) == {
        "stream": None,
        "mode": "fast",
        "max_rows": 10,
        "most": None,
        "ratio": 1,
        "names": ("a", "b"),
        "window": Window(first_line=2, last_line=3),
        "extra": {"any_key": [1, {"x": None}]},
        "timeout": 1.5,
        "pause": 0.0,
        "token": "a-b",
        "_hidden": True,
    }


@pytest.mark.promise("D-CFG-02")
def test_without_a_section_or_a_key_the_defaults_hold(load: Load) -> None:
    for config in (load_config(None), load("{}"), load("plugins: {orbit: {}}")):
        assert attrs.asdict(config.plugin("orbit", Orbit)) == attrs.asdict(Orbit())


@pytest.mark.promise("D-CFG-02", "D-CFG-04")
@pytest.mark.parametrize(("line", "problem"), WRONG)
def test_what_is_wrong_in_a_section_names_the_dotted_path(line: str, problem: str, load: Load) -> None:
    config = load(f"plugins:\n  orbit:\n    {line}\n")
    with pytest.raises(ConfigError) as refusal:
        config.plugin("orbit", Orbit)
    text = str(refusal.value)
    path = "plugins.orbit" if problem.startswith(" ") else "plugins.orbit."
    assert text.startswith(f"ditto.yaml, line {2 if problem.startswith(' ') else 3}: {path}{problem}")
    assert SECRET not in text
    assert SECRET not in str(refusal.value.__cause__)


def test_the_exception_of_a_class_is_the_cause_unless_it_repeats_what_may_be_a_secret(load: Load) -> None:
    for line, cause in (("maxRows: 7", RuntimeError), (f"token: {SECRET}", type(None))):
        with pytest.raises(ConfigError) as refusal:
            load(f"plugins: {{orbit: {{{line}}}}}").plugin("orbit", Orbit)
        assert type(refusal.value.__cause__) is cause


@pytest.mark.promise("D-CFG-03", "CFG-02")
def test_a_section_under_its_other_name_is_the_same(load: Load) -> None:
    config = load("workers: {interaction: {commands: {maxEntries: 5, maxOutputBytes: 6, maxErrorBytes: 7}}}")
    assert config.plugins == ("commands",)
    tools = config.plugin("commands", CommandTools)
    assert (tools.max_entries, tools.max_output_bytes, tools.max_error_bytes) == (5, 6, 7)
    with pytest.raises(ConfigError, match=r"^ditto.yaml, line 1: workers.interaction.commands.maxEntrys is not known"):
        load("workers: {interaction: {commands: {maxEntrys: 5}}}").plugin("commands", CommandTools)


@pytest.mark.promise("D-CFG-03")
def test_the_section_of_web_search_has_two_names(load: Load) -> None:
    for text in (
        "workers: {interaction: {webSearch: {timeoutMs: 1, apiKey: k}}}",
        "plugins: {brave: {timeoutMs: 1, apiKey: k}}",
    ):
        brave = load(text).plugin("brave", Brave)
        assert (brave.timeout, brave.max_response_bytes) == (0.001, 1_048_576)


@pytest.mark.promise("CFG-02")
@pytest.mark.parametrize(
    ("key", "most"), [("maxEntries", 10_000), ("maxOutputBytes", 1_048_576), ("maxErrorBytes", 65_536)]
)
def test_the_limits_of_the_commands_have_bounds(key: str, most: int, load: Load) -> None:
    for value in (1, most):
        load(f"plugins: {{commands: {{{key}: {value}}}}}").plugin("commands", CommandTools)
    for value in (0, most + 1):
        with pytest.raises(ConfigError, match=rf"plugins.commands.{key} must be an integer from 1 to {most}\.$"):
            load(f"plugins: {{commands: {{{key}: {value}}}}}").plugin("commands", CommandTools)


def test_the_console_is_set_in_milliseconds(load: Load) -> None:
    sink = load("plugins: {console: {format: text, timeoutMs: 250}}").plugin("console", ConsoleSink)
    assert (sink.format, sink.timeout, sink.stream) == ("text", 0.25, None)


def test_an_option_that_only_code_can_give_is_missing(load: Load) -> None:
    @attrs.frozen
    class Needy:
        stream: object
        key: str

    with pytest.raises(ConfigError, match=r"plugins.x.stream is missing, and can be given in code only"):
        load("plugins: {x: {key: a}}").plugin("x", Needy)
    with pytest.raises(ConfigError, match=r"^ditto.yaml, line 1: plugins.brave.apiKey is missing"):
        load("plugins: {brave: {}}").plugin("brave", Brave)
    with pytest.raises(ConfigError, match=r"^the configuration: plugins.brave.apiKey is missing"):
        load_config(None).plugin("brave", Brave)


@pytest.mark.promise("CFG-06")
@pytest.mark.parametrize("key", ["tools", "mcp", "output", "concurrency", "maxWaiting", "maxDiscoveryPages"])
def test_options_of_the_worker_and_the_registry_are_no_keys_of_a_file(key: str, load: Load) -> None:
    for text in (f"workers: {{interaction: {{{key}: 5}}}}", f"runtime: {{{key}: 5}}", f"{key}: 5"):
        with pytest.raises(ConfigError, match=rf"{key} is not known"):
            load(text)
    assert interaction_worker(concurrency=5).concurrency == 5


def test_a_function_has_the_options_that_its_annotations_tell(load: Load) -> None:
    def make(rows: int, *, mode: str = "safe", unknown=None, **more: int) -> Any:  # noqa: ANN001
        return rows, mode, unknown, more

    config = load("plugins: {x: {rows: 5, mode: fast}, y: {rows: 5, unknown: 1}, z: {rows: 5, more: 1}, q: {rows: a}}")
    assert config.plugin("x", make) == (5, "fast", None, {})
    for name, problem in (
        ("y", "y.unknown can be given in code only"),
        ("z", "z.more is not known"),
        ("q", "q.rows must be an integer, not a string"),
        ("none", "none.rows is missing"),
    ):
        with pytest.raises(ConfigError, match=rf"plugins.{problem}"):
            config.plugin(name, make)


def test_what_is_handed_out_is_a_copy(load: Load) -> None:
    config = load("plugins: {orbit: {extra: {a: [1]}}}")
    config.plugin("orbit", Orbit).extra["a"].append(2)  # type: ignore[union-attr]
    assert config.plugin("orbit", Orbit).extra == {"a": [1]}


@attrs.frozen
class Optionals:
    """The ways to write that an option may be None, which is its default: a file says so by leaving the key out."""

    plain: int | None = None
    noted: Annotated[int | None, optional(ge(1)), "A number."] = None
    noted_inside: Annotated[int, ge(1)] | None = None
    both: Annotated[int | None, "A number."] | str | None = None
    wait: Annotated[float | None, "Seconds."] = attrs.field(default=None, metadata=duration())


@pytest.mark.parametrize("key", ["plain", "noted", "notedInside", "both", "waitMs"])
def test_null_is_no_value_where_none_is_the_default_however_that_is_written(key: str, load: Load) -> None:
    with pytest.raises(ConfigError, match=rf"plugins.x.{key} must be .*; give it a value, or leave the key out"):
        load(f"plugins: {{x: {{{key}: null}}}}").plugin("x", Optionals)
    made = load(f"plugins: {{x: {{{key}: 2}}}}").plugin("x", Optionals)
    assert list(attrs.asdict(made).values()).count(None) == 4


@attrs.frozen
class Twice:
    timeout: float = attrs.field(default=1.0, metadata=duration())
    timeout_ms: int = 1


@attrs.frozen
class Wrong:
    timeout: int = attrs.field(default=1, metadata=duration())


@pytest.mark.parametrize(
    ("cls", "problem"),
    [
        (Twice, "Twice: has two options that a file would call 'timeoutMs'; rename one"),
        (Wrong, "timeout: is marked as a duration, which is for float and float | None"),
    ],
)
def test_a_class_that_no_file_can_set_is_refused(cls: type[Any], problem: str) -> None:
    with pytest.raises(InvalidValue) as refusal:
        load_config(None).plugin("x", cls)
    assert str(refusal.value) == problem


@pytest.mark.parametrize("bounds", [(-1, 5), (5, 1), (True, 5), (1, 5.0), (None, None)])
def test_bounds_of_a_duration_are_whole_milliseconds(bounds: Any) -> None:
    with pytest.raises(InvalidValue, match=r"^duration: must have whole milliseconds from 0 up as bounds"):
        duration(*bounds)


def test_a_plugin_is_asked_for_by_name() -> None:
    with pytest.raises(InvalidValue, match=r"^name: must be the name of a plugin, not a type"):
        load_config(None).plugin(Orbit, Orbit)  # type: ignore[arg-type]
