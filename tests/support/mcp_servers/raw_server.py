"""A server over stdio in plain Python that does, when one of its tools is called, what a server must not do.

Words on the command line change how it behaves as a whole: see `main`.
"""

from __future__ import annotations

import json
import os
import signal
import sys

SCHEMA = {"type": "object"}
TEXT = {"content": [{"type": "text", "text": "fine"}]}
cancelled = []


def send(data: bytes) -> None:
    """Write one line."""
    sys.stdout.buffer.write(data + b"\n")
    sys.stdout.buffer.flush()


def answer(number: object, result: object) -> None:
    """Answer a request."""
    send(json.dumps({"jsonrpc": "2.0", "id": number, "result": result}).encode())


def text(said: str) -> dict[str, object]:
    """Return a result with one text."""
    return {"content": [{"type": "text", "text": said}]}


def noise(number: object, arguments: dict[str, object]) -> None:
    for line in (b"Welcome to the server!", b"", b"[1, 2]", b'{"level": "info"}', b"null", b"\xff\xfe"):
        send(line)
    answer(number, TEXT)


def line(template: bytes) -> object:
    """Return a tool that answers with a line of its own; %d is the request's id."""
    return lambda number, arguments: send(template.replace(b"%d", str(number).encode()))


def die(number: object, arguments: dict[str, object]) -> None:
    if "counter" in arguments:
        with open(str(arguments["counter"]), "a", encoding="utf-8") as file:  # noqa: PTH123
            file.write("x")
    os._exit(7)


def kill(number: object, arguments: dict[str, object]) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def answer_and_die(number: object, arguments: dict[str, object]) -> None:
    answer(number, TEXT)
    os._exit(0)


def orphan(number: object, arguments: dict[str, object]) -> None:
    """Leave a child behind that holds the pipes open, and end."""
    if os.fork():
        os._exit(0)
    signal.pause()


def reject(number: object, arguments: dict[str, object]) -> None:
    error = {"code": -32000, "message": "Bearer abc failed in /home/u/x\nTraceback", "data": {"token": "sk-1"}}
    send(json.dumps({"jsonrpc": "2.0", "id": number, "error": error}).encode())


DEEP = (
    b'{"jsonrpc":"2.0","id":%d,"result":{"content":[],"structuredContent":{"a":' + b"[" * 5000 + b"]" * 5000 + b"}}}"
)
TOOLS = {
    "fine": lambda number, arguments: answer(number, TEXT),
    "echo": lambda number, arguments: answer(number, {"content": [], "structuredContent": arguments}),
    "environment": lambda number, arguments: answer(number, text(json.dumps(dict(os.environ)))),
    "folder": lambda number, arguments: answer(number, text(os.getcwd())),  # noqa: PTH109
    "process": lambda number, arguments: answer(number, text(str(os.getpid()))),
    "big": lambda number, arguments: answer(number, text("x" * int(arguments["size"]))),
    "complain": lambda number, arguments: (print("complaint", file=sys.stderr, flush=True), answer(number, TEXT)),
    "noise": noise,
    "die": die,
    "kill": kill,
    "answer_and_die": answer_and_die,
    "orphan": orphan,
    "reject": reject,
    "silent": lambda number, arguments: None,
    "read_text_file": lambda number, arguments: None,
    "cancelled": lambda number, arguments: answer(number, text(json.dumps(cancelled))),
    "bad_bytes": line(b'{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text","text":"a\xff\xc3b"}]}}'),
    "lone": line(
        b'{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text",'
        b'"text":"a\\ud800b \\ud83d\\ude00 \\\\ud800"}],"structuredContent":{"\\udfff":["\\uDBFF"]}}}'
    ),
    "not_an_object": line(b'{"jsonrpc":"2.0","id":%d,"result":"fine"}'),
    "no_code": line(b'{"jsonrpc":"2.0","id":%d,"error":"failed"}'),
    "id_last": line(b'{"result":7,"jsonrpc":"2.0","id":%d}'),
    "cut_off": line(b'{"jsonrpc":"2.0","id":%d,"result":{"content":'),
    "float_id": line(b'{"jsonrpc":"2.0","id":%d.0,"result":{"content":[]}}'),
    "text_id": line(b'{"jsonrpc":"2.0","id":"%d","result":{"content":[]}}'),
    "batch": line(b'[{"jsonrpc":"2.0","id":%d,"result":{"content":[]}}]'),
    "deep": line(DEEP),
    "nan": line(b'{"jsonrpc":"2.0","id":%d,"result":{"content":[],"structuredContent":{"a":NaN}}}'),
    "no_content": line(b'{"jsonrpc":"2.0","id":%d,"result":{}}'),
    "null_content": line(b'{"jsonrpc":"2.0","id":%d,"result":{"content":null}}'),
    "unknown_block": line(b'{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"hologram","data":"x"}]}}'),
    "null_error": line(b'{"jsonrpc":"2.0","id":%d,"result":{"content":[],"isError":null}}'),
    "failed": line(
        b'{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text","text":"denied"}],'
        b'"structuredContent":{"code":7},"isError":true}}'
    ),
    "needs_structured": lambda number, arguments: answer(number, TEXT),
}
SCHEMAS = {
    "needs_structured": {"type": "object", "required": ["rows"]},
    "failed": {"type": "object", "required": ["ok"]},
}


def listing(words: list[str], cursor: object) -> dict[str, object]:
    """Return a page of tools: all in one, or as the words say."""
    tools = [
        {"name": name, "inputSchema": SCHEMA, **({"outputSchema": SCHEMAS[name]} if name in SCHEMAS else {})}
        for name in TOOLS
        if name != "read_text_file"
    ]
    if "silent-read" in words:
        return {"tools": [{"name": "read_text_file", "inputSchema": SCHEMA}]}
    if "same-cursor" in words:
        return {"tools": tools[:8], "nextCursor": "x"}
    if "empty-cursor" in words:
        return {"tools": tools[:8], "nextCursor": ""}
    if "endless" in words:
        return {"tools": [], "nextCursor": f"{cursor or ''}x"}
    if "pages" in words:  # the second page is empty, its cursor is the empty text
        pages = {None: (tools[:20], "a"), "a": ([], ""), "": (tools[20:], None)}
        part, following = pages[cursor]
        return {"tools": part, **({} if following is None else {"nextCursor": following})}
    if "bad-tool" in words:
        return {"tools": [tools[0], {"name": "x", "inputSchema": None, "description": "secret sk-123456"}]}
    if "hints" in words:
        hints = {"fine": {"readOnlyHint": True}, "echo": {"readOnlyHint": False}, "die": {"destructiveHint": False}}
        return {"tools": [{**tool, "annotations": hints.get(str(tool["name"]), {})} for tool in tools]}
    return {"tools": tools}


def main(words: list[str]) -> None:
    """Serve until the end of input; `deaf` goes on then, also when it is asked to end, and `mute` answers nothing."""
    if "deaf" in words:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if "quit" in words:
        sys.exit(3)
    for data in sys.stdin.buffer:
        message = json.loads(data)
        method, number, params = message.get("method"), message.get("id"), message.get("params") or {}
        if method == "notifications/cancelled":
            cancelled.append(params["requestId"])
        if number is None or "mute" in words:
            continue
        if method == "initialize":
            abilities = {} if "no-tools" in words else {"tools": {}}
            about = {"name": "raw", "version": "1"}
            answer(number, {"protocolVersion": "2025-11-25", "capabilities": abilities, "serverInfo": about})
        elif method == "tools/list":
            answer(number, listing(words, params.get("cursor")))
        elif method == "tools/call":
            TOOLS[params["name"]](number, params.get("arguments") or {})
        else:
            send(json.dumps({"jsonrpc": "2.0", "id": number, "error": {"code": -32601, "message": "?"}}).encode())
    while "deaf" in words:
        os.write(2, b"end of input\n")
        signal.pause()


main(sys.argv[1:])
