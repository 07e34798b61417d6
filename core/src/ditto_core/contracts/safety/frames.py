"""Error text that holds a frame of a stack: how Python, JavaScript and a few others write where they were."""

from __future__ import annotations

from .rule import Pattern, Rule

_WHAT = "holds a stack frame"

# Only names of program files: "config.yaml:3:5" is where a mistake is, not where the program was.
_CODE_FILE = r"\.(?:pyx?|[cm]?[jt]sx?|vue|svelte|java|kt|scala|rb|php|go|rs|cs|cc?|cpp|swift|lua)"
_AT = r"\b[Aa]t\s++(?:(?:async|new)\s++)?"
_NAME = r"[^\s()]++(?: \[as [^\s\]()]++\])?\s?"
# "(x.ts:42:7)" and "(node:fs:1:2)", but not "(12:30:15)" nor "(start:12:30)".
_PLACE = r"(?=node:|[^\s()]*[./<])[^\s()]*[^\s()0-9]:[0-9]++:[0-9]++"

FRAMES: tuple[Rule, ...] = (
    Rule(
        name="python-frame",
        what=_WHAT,
        why='`Traceback (most recent call last)`, `File "…", line N`, `name.py:N in …`',
        pattern=Pattern(
            r"(?i:traceback \(most recent call)|\bFile [\"'][^\"']++[\"'], line [0-9]"
            r"|\bin <(?:module|lambda|[a-z]{1,8}comp)>|\.(?:py|php)\([0-9]++\)"
            rf"|{_CODE_FILE}(?::[0-9]++[:,]?+ ?in\b|[\"']?, line [0-9]++, in\b)"
        ),
        refused=(
            "Traceback (most recent call last):",
            'File "app.py", line 3',
            "line 3, in <module>",
            "app.py:12: in f",
            "app.py:12 in f",
            "File app.py:12, in f(x)",
            "> app.py(12)f()",
            "app.rb:12:in 'f'",
        ),
        passed=(
            "bad value in config.toml, line 3",
            "app.py:12:5: F401 unused import",
            "in <stdin>",
            "error on line 3, in column 5",
        ),
    ),
    Rule(
        name="js-frame",
        what=_WHAT,
        why="`at name (file:line:column)`, `at file.ext:line` for program files, `name@file.js:line:column`; Java too",
        pattern=Pattern(
            rf"{_AT}[^\s()]*{_CODE_FILE}:[0-9]"
            rf"|{_AT}(?:<anonymous>|node:[^\s():]++):[0-9]++:[0-9]"
            rf"|{_AT}{_NAME}\((?:{_PLACE}|[^\s()]*{_CODE_FILE}:[0-9]++|<anonymous>|Native Method|Unknown Source)\)"
            rf"|@[^\s@()]*{_CODE_FILE}:[0-9]++:[0-9]"
        ),
        refused=(
            "at handler (x.ts:42:7)",
            "at x.js:1:2",
            "at handler.py:3",
            "at async f (a.mjs:1:2)",
            "at Array.map (<anonymous>)",
            "at node:internal/main:1:2",
            "f@https://host/a.js:1:2",
            "at a.B.c(B.java:42)",
            "at a.b [as c] (node:fs:1:2)",
        ),
        passed=(
            "Retry at 12:30:15",
            "at noon (12:30:15)",
            "at noon (start:12:30)",
            "at 2026-01-02T12:30:05Z",
            "at line 3",
            "error at config.yaml:3:5",
        ),
    ),
    Rule(
        name="other-frame",
        what=_WHAT,
        why="the frames of Go, .NET and native debuggers",
        pattern=Pattern(
            r"\bgoroutine [0-9]++ \[|\.go:[0-9]++ \+0x|\.(?:cs|fs|vb):line [0-9]|#[0-9]++\s++0x[0-9a-f]++ in "
        ),
        refused=("goroutine 1 [running]", "main.go:12 +0x1d", "in a.cs:line 3", "#0 0x00007f in f ()"),
        passed=("goroutine leak", "issue #12", "main.go:12: undefined: x"),
    ),
)
"""The rules about stack frames, in the order in which they are tried."""
