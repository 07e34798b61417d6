"""Error text that holds an absolute path: how paths of a host look, and what only looks like one."""

from __future__ import annotations

import re

from .rule import EDGE, Pattern, Rule

_WHAT = "holds an absolute path"

# A `/` counts at the start or after one of these; a closing bracket is none ("/users/{id}/posts").
_OPENING = r"\s\"'`“”„‘’«‹(\[{<「『【《〈=:,;|"
# `scheme://host` is no path; `scheme:///dir/file` has no host and is one.
_SLASHES = r"(?!(?<=:)//(?!/))/++"
# A list such as "/help,/quit" is not one path of two segments, nor is "</b></i>".
_SEGMENT = r"[^\s/<>\"'`“”„‘’«»]++(?<![,;:|])"
_METHODS = ("GET", "PUT", "HEAD", "POST", "PATCH", "TRACE", "DELETE", "CONNECT", "OPTIONS")
_NO_METHOD = "".join(rf"(?<!\b{method}\s)" for method in _METHODS)
_ROOTS = "home|etc|var|usr|tmp|root|srv|opt|proc|mnt|sbin|boot|Users|Volumes"
_SHARE = r"[^\s\\/\"'<>|]"
# As it is, and with every backslash doubled.
_UNC = rf"(?<![\\A-Za-z0-9_])(?:\\\\{_SHARE}++[\\/](?={_SHARE})|\\{{4}}{_SHARE}++\\\\(?={_SHARE}))"

PATHS: tuple[Rule, ...] = (
    Rule(
        name="path",
        what=_WHAT,
        why="`/` at the start or after a blank, quote, opening bracket, backtick or one of = : , ; | and then two or "
        "more segments; not in `scheme://host/…`, not directly after an HTTP method",
        pattern=Pattern(rf"(?:\A|(?<=[{_OPENING}])){_NO_METHOD}{_SLASHES}{_SEGMENT}/++[^\s/]"),
        refused=(
            "/data/u/a",
            "cannot read /data/a",
            "open('/data/x')",
            "path=/data/x",
            "path:/data/x",
            "`/data/x`",
            "[/data/x]",
            "a,/data/x",
            "//server/share",
            "sqlite:////data/x",
            "see “/data/x”",
            "GET of /v1/search",
            "路径：/data/x",
        ),
        passed=(
            "N/A",
            "and/or",
            "1/2 files",
            "ratio 3/4",
            "HTTP/1.1 404",
            "GET /v1/search failed",
            "Use /help",
            "text/html, */*",
            "see https://host/a",
            "https://host/a/b/c",
            "a // b",
            "/help,/quit",
            "</b></i>",
            "PUT /users/{id}/posts/5",
        ),
    ),
    Rule(
        name="root",
        what=_WHAT,
        why="`/` and a well-known root: " + ", ".join(_ROOTS.split("|")) + "; also alone, also after an HTTP method",
        pattern=Pattern(rf"(?<![A-Za-z0-9_À-ɏ./~)\]}}$%#*&-]){_SLASHES}(?:{_ROOTS})(?![\w-]|\.\w)"),
        refused=(
            "/srv",
            "see /etc.",
            "GET /home/u/a",
            "path=/tmp",
            "@/etc/passwd",
            "无法读取/home/u",
            "(/var)",
            "/Users/u",
        ),
        passed=(
            "/homepage",
            "/opt-in",
            "GET /users/5",
            "https://host/home/a",
            "https://host/#/home",
            "db://etc",
            "a/tmp/b",
        ),
    ),
    Rule(
        name="drive",
        what=_WHAT,
        why="a drive letter, `:` and a slash of either kind, or a UNC path with server and share",
        pattern=Pattern(rf"{EDGE}[A-Za-z]:[\\/]|{_UNC}"),
        refused=(r"C:\Users\u", "C:/x", r"path=c:\x", r"\\srv\s", r"\\?\C:\x", r"\\.\pipe\x", r"'\\\\srv\\s'", "D:\\"),
        passed=("disk C: is full", "Retry at 12:30", "https://host", "s3://bucket/key", r"bad pattern \\d\\w", r"\d+"),
    ),
    Rule(
        name="home",
        what=_WHAT,
        why="the home directory: `~/`, `~user/`, `$HOME/`, `%USERPROFILE%`",
        pattern=Pattern(
            rf"(?:\A|(?<=[{_OPENING}]))(?:~(?:[a-z_][a-z0-9_-]{{0,31}})?[\\/]|\$\{{?HOME\}}?[\\/]|%(?:USERPROFILE|APPDATA)%)"
        ),
        refused=(
            "~/.ssh/id_rsa",
            "read ~/x",
            "key=~/x",
            "~user/x",
            "~\\x",
            "$HOME/x",
            "${HOME}/x",
            "%USERPROFILE%\\x",
        ),
        passed=("~5 files", "~1/2 done", "https://host/~user/a", "set $HOME"),
    ),
    Rule(
        name="file-url",
        what=_WHAT,
        why="`file:` and a slash",
        pattern=Pattern(rf"{EDGE}file:[\\/]", re.IGNORECASE),
        refused=("file:///x", "FILE://host/x", "file:/x", "see <file:/x>"),
        passed=("file: not found", "profile:/x"),
    ),
)
"""The rules about paths, in the order in which they are tried."""
