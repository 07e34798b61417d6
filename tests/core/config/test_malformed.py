"""Files that are no configuration: each is refused with file, line, dotted path, fact and remedy."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from ditto_core import Config, ConfigError, InvalidValue, load_config
from tests.support.configs import Load

SECRET = "hunter2-horse"
DEEP = "[" * 40 + "]" * 40
WHOLE = {
    "empty": ("", ": is empty; write {} to set nothing."),
    "only a comment": ("# nothing", ": is empty"),
    "null": ("---\n", ", line 2: must be an object, not null"),
    "a list": ("- a", ", line 1: must be an object, not an array"),
    "a text": ("ditto", ", line 1: must be an object, not a string"),
    "two documents": ("{}\n---\n{}", ", line 2: holds a second document; keep one"),
    "another version": ("%YAML 1.1\n---\n{}", ", line 1: says that it is not YAML 1.2"),
    "not UTF-8": (b"{}\n# \xff", ", line 2: is not UTF-8; save it as UTF-8"),
    "UTF-16": ("{}".encode("utf-16"), ", line 1: is not UTF-8"),
    "a control character": ("{}\n# \x07", ", line 2: holds U+0007, a character that YAML forbids"),
    "a tab": ("\truntime: {}", ", line 1: is no valid YAML: found character"),
    "unfinished": (f"plugins: {{x: ['{SECRET}'", ", line 1: is no valid YAML"),
    "an unknown tag handle": ("!e!x {}", ", line 1: is no valid YAML: found undefined tag handle"),
    "too large": ("#" * 1_048_577, ": is larger than 1,048,576 bytes; make it smaller"),
}
KEYS = {
    "unknown": ("max: 1", "line 1: max is not known. Known here: 'plugins', 'runtime', 'workers'"),
    "misspelt": ("runtime:\n  maxTurn: 1", "line 2: runtime.maxTurn is not known. Did you mean 'maxTurns'?"),
    "misspelt deeper": (
        "runtime:\n  react:\n    maxActionCall: 1",
        "line 3: runtime.react.maxActionCall is not known",
    ),
    "in snake case": ("runtime: {max_turns: 1}", "line 1: runtime.max_turns is not known. Did you mean 'maxTurns'?"),
    "of no plugin": ("workers: {interaction: {mcp: {}}}", "line 1: workers.interaction.mcp is not known"),
    "of no worker": ("workers:\n  context: {}", "line 2: workers.context is not known. Known here: 'interaction'"),
    "twice": ("runtime:\n  maxTurns: 1\n  'maxTurns': 2", "line 3: runtime.maxTurns stands here a second time; keep"),
    "twice in a section": ("plugins: {x: {a: {b: 1, b: 1}}}", "line 1: plugins.x.a.b stands here a second time"),
    "a number": ("plugins: {x: {1: 2}}", "line 1: plugins.x has a key that is an integer; write it in quotes"),
    "a boolean": ("true: 2", "line 1: has a key that is true or false; write it in quotes"),
    "null": ("~: 2", "line 1: has a key that is null or nothing; write it in quotes"),
    "a list": ("? [a]\n: 2", "line 1: has a list or an object as a key; a key is a string"),
    "a merge key": ("runtime:\n  <<: {maxTurns: 1}", "line 2: runtime has a merge key (<<), which is not read; write"),
    "an empty name": ("plugins: {'': {}}", "line 1: plugins has the key '', which must have at least 1 character"),
    "a long name": (f"plugins: {{{'x' * 65}: {{}}}}", "which must have at most 64 characters"),
    "an alias": ("runtime:\n  maxTurns: *a", "line 2: runtime.maxTurns has an anchor (&) or an alias (*)"),
    "an anchor": (
        "runtime: &a\n  maxTurns: 1",
        "line 1: runtime has an anchor (&) or an alias (*), which is not read",
    ),
    "an anchored key": ("&a runtime: {}", "line 1: has an anchor (&) or an alias (*)"),
}
VALUES = {
    "a null group": ("runtime:", "line 1: runtime must be an object, not null; give it a value, or leave the key out"),
    "a null section": ("plugins:\n  x:", "line 2: plugins.x must be an object, not null"),
    "a null setting": ("runtime: {maxTurns: ~}", "runtime.maxTurns must be an integer of at least 1, not null; give"),
    "a list for a group": ("workers: []", "line 1: workers must be an object, not an array"),
    "a text for a group": ("workers: {interaction: on}", "workers.interaction must be an object, not a string"),
    "a list for a section": (
        "workers: {interaction: {webSearch: [1]}}",
        "workers.interaction.webSearch must be an obj",
    ),
    "a text for a number": (
        "runtime: {timeoutMs: '5'}",
        "runtime.timeoutMs must be an integer from 1 to 2147483647, n",
    ),
    "a boolean for a number": (
        "runtime: {maxTurns: true}",
        "runtime.maxTurns must be an integer of at least 1, not a b",
    ),
    "a fraction": ("runtime: {timeoutMs: 1.5}", "runtime.timeoutMs must be an integer from 1 to 2147483647."),
    "an underscore": (
        "runtime: {timeoutMs: 1_000}",
        "runtime.timeoutMs must be an integer from 1 to 2147483647, not a ",
    ),
    "a foreign tag": ("runtime: !env {maxTurns: 1}", "line 1: runtime has a tag (!) that is not read; leave it out"),
    "an object's tag": ("runtime: !!python/object:os.x {}", "line 1: runtime has a tag (!) that is not read"),
    "a list's tag": ("runtime: !!seq {}", "line 1: runtime has a tag (!) that is not read"),
    "a tag that does not fit": ("runtime: {maxTurns: !!int x}", "runtime.maxTurns has a tag (!) that does not fit"),
    "infinity": ("plugins: {x: {a: -.inf}}", "line 1: plugins.x.a holds what is no finite number; write it in quotes"),
    "not a number": ("plugins: {x: {a: .NaN}}", "line 1: plugins.x.a holds what is no finite number"),
    "beyond infinity": ("plugins: {x: {a: 1e999}}", "line 1: plugins.x.a holds a number that is too large"),
    "too many digits": (f"plugins: {{x: [{'9' * 4301}]}}", "line 1: plugins.x[0] holds an integer of more than 4300"),
    "a lone surrogate": ('plugins: {x: {a: "\\ud800"}}', "line 1: plugins.x.a holds a lone surrogate"),
    "too deep": (f"plugins:\n  x: {DEEP}", "line 2: is nested more than 32 deep; flatten it"),
    "both names of a section": (
        "plugins: {commands: {}}\nworkers: {interaction: {commands: {}}}",
        "line 2: workers.interaction.commands and plugins.commands are the same section; keep one of them",
    ),
    "both names of the other": (
        "workers:\n  interaction: {webSearch: {}}\nplugins: {brave: {}}",
        "line 2: workers.interaction.webSearch and plugins.brave are the same section; keep one of them",
    ),
}
JSON = {
    "empty": (" ", ": is empty"),
    "unfinished": (f'{{"plugins":\n["{SECRET}"', ", line 2: is no valid JSON: expecting ',' delimiter"),
    "more": ("{} {}", ", line 1: is no valid JSON: extra data"),
    "twice": ('{"runtime": {}, "runtime": {}}', ": has the key 'runtime' twice in one object; keep one"),
    "NaN": ('{"plugins": {"x": {"a": NaN}}}', ": holds NaN, which is no JSON"),
    "beyond infinity": ('{"plugins": {"x": {"a": -1e999}}}', ": holds a number that is too large"),
    "too many digits": (f'{{"x": {"9" * 4301}}}', ": holds an integer of more than 4300 digits"),
    "a null group": ('{"runtime": null}', ": runtime must be an object, not null"),
    "too deep": (f'{{"plugins":\n{{"x": {DEEP}}}}}', ", line 2: is nested more than 32 deep; flatten it"),
    "much too deep": ("[" * 200_000, ", line 1: is nested more than 32 deep; flatten it"),
    "a text that does not end": ('"' + '\\"' * 500_000, ", line 1: is no valid JSON: unterminated string"),
}


def refused(load: Load, content: str | bytes, name: str = "ditto.yaml") -> str:
    with pytest.raises(ConfigError) as refusal:
        load(content, name=name)
    text = str(refusal.value)
    assert SECRET not in text
    assert "\n" not in text
    assert refusal.value.__cause__ is None
    assert refusal.value.__context__ is None or refusal.value.__suppress_context__
    return text


@pytest.mark.promise("D-CFG-01")
@pytest.mark.parametrize(("content", "problem"), WHOLE.values(), ids=WHOLE)
def test_a_file_that_is_wrong_as_a_whole(content: str | bytes, problem: str, load: Load) -> None:
    assert refused(load, content).startswith(f"ditto.yaml{problem}")


@pytest.mark.promise("D-CFG-01", "D-CFG-04")
@pytest.mark.parametrize(("content", "problem"), KEYS.values(), ids=KEYS)
def test_a_key_that_is_wrong(content: str, problem: str, load: Load) -> None:
    assert problem in refused(load, content)


@pytest.mark.promise("D-CFG-04")
@pytest.mark.parametrize(("content", "problem"), VALUES.values(), ids=VALUES)
def test_a_value_that_is_wrong(content: str, problem: str, load: Load) -> None:
    assert problem in refused(load, content)


@pytest.mark.parametrize(("content", "problem"), JSON.values(), ids=JSON)
def test_a_file_of_json_that_is_wrong(content: str, problem: str, load: Load) -> None:
    text = refused(load, content, "d.json")
    assert text.startswith("d.json")
    assert problem in text


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("none.yaml", "none.yaml: does not exist; create it, or pass None to do without a file."),
        ("none/none.yaml", "none.yaml: does not exist"),
        ("folder.yaml", "folder.yaml: could not be read: Is a directory."),
        ("pipe.yaml", "pipe.yaml: is not a regular file; give the path of one."),
        ("a\0.yaml", "a\\x00.yaml: has a path that no file can have"),
        ("ditto.txt", "ditto.txt: is not named like a configuration; its name has to end in .yaml, .yml or .json."),
        ("", "the file: is not named like a configuration"),
    ],
)
def test_a_path_that_leads_to_no_file(name: str, problem: str, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    Path("folder.yaml").mkdir()
    os.mkfifo("pipe.yaml")
    with pytest.raises(ConfigError) as refusal:
        load_config(name)
    assert str(refusal.value).startswith(problem)
    assert str(tmp_path) not in str(refusal.value)


@pytest.mark.parametrize(("path", "env"), [(5, None), (b"ditto.yaml", None), (None, "x"), (None, [("A", "b")])])
def test_wrong_arguments_are_refused(path: Any, env: Any) -> None:
    with pytest.raises(InvalidValue, match=r"^(path: must be the path of a file or None|env: must be a mapping)"):
        load_config(path, env)


@pytest.mark.parametrize("name", ["ditto.yaml", "ditto.YML", "ditto.json"])
def test_a_byte_order_mark_is_no_part_of_the_file(name: str, load: Load) -> None:
    assert isinstance(load(b"\xef\xbb\xbf{}", name=name), Config)
