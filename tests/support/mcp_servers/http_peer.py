"""A peer over HTTP that answers the handshake well and everything else as its path says."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from typing import Any

ANSWERS: dict[str, bytes] = {
    "refused": b"HTTP/1.1 401 Unauthorized\r\nContent-Length: 12\r\n\r\nsecret-token",
    "gone": b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n",
    "broken": b"HTTP/1.1 500 Oops\r\nContent-Length: 9\r\n\r\nTraceback",
    "page": b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 6\r\n\r\n<html>",
    "later": b"HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n",
    "elsewhere": b"HTTP/1.1 307 Moved\r\nLocation: http://localhost:9/secret\r\nContent-Length: 0\r\n\r\n",
    "astray": b"HTTP/1.1 307 Moved\r\nLocation: /\r\nContent-Type: text/event-stream\r\nContent-Length: 300000\r\n\r\n"
    + b"x" * 300_000,
    "hanging": b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n: wait\r\n",
    "cut": b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 999\r\n\r\n{",
    "no-http": b"SSH-2.0-OpenSSH\r\n",
}


def _json(body: bytes, more: str = "") -> bytes:
    head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n{more}Content-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


def _events(body: bytes) -> bytes:
    return (
        b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
        b"event: message\r\ndata: " + body + b"\r\n\r\n"
    )


LONE = '{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text","text":"a\\ud800 \\\\ud800 \\ud83d\\ude00"}]}}'


def _answer(behaviour: str, message: dict[str, Any]) -> bytes | None:
    """Return what to send, None for nothing at all."""
    number = message.get("id")
    if behaviour in ANSWERS:
        return ANSWERS[behaviour]
    if behaviour == "silent":
        return None
    if behaviour == "lone":
        return _json((LONE % number).encode())
    if behaviour == "lone-event":
        return _events((LONE % number).encode())
    if behaviour == "no-json":
        return _json(b"{'a': 1}")
    if behaviour == "packed":
        return _json(b"\x1f\x8b", "Content-Encoding: gzip\r\n")
    text = "x" * int(behaviour.rpartition("-")[2])
    result = {"jsonrpc": "2.0", "id": number, "result": {"content": [{"type": "text", "text": text}]}}
    return (_events if behaviour.startswith("event") else _json)(json.dumps(result).encode())


def _honest(message: dict[str, Any]) -> bytes:
    about = {"name": "peer", "version": "1"}
    results = {
        "initialize": {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": about},
        "tools/list": {"tools": [{"name": "tool", "inputSchema": {"type": "object"}}]},
    }
    number, method = message.get("id"), message["method"]
    if number is None:
        return ANSWERS["later"]
    if method not in results:
        return _json(json.dumps({"jsonrpc": "2.0", "id": number, "error": {"code": -32601, "message": "?"}}).encode())
    return _json(json.dumps({"jsonrpc": "2.0", "id": number, "result": results[method]}).encode())


@contextlib.asynccontextmanager
async def http_peer() -> AsyncIterator[tuple[str, list[str]]]:
    """Listen and give the address up to the last slash, and the heads of all requests.

    ``/at-once/X`` answers everything with X, ``/X`` only calls of tools.
    """
    heads: list[str] = []
    writers: set[asyncio.StreamWriter] = set()
    tasks: set[asyncio.Task[None] | None] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers.add(writer)
        tasks.add(asyncio.current_task())
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode()
                heads.append(head)
                length = [line for line in head.lower().splitlines() if line.startswith("content-length:")]
                body = await reader.readexactly(int(length[0].partition(":")[2])) if length else b""
                path = head.split()[1].partition("?")[0].strip("/")
                message = json.loads(body) if body else {"method": "GET"}
                is_hostile = path.startswith("at-once/") or message["method"] == "tools/call"
                answer = _answer(path.removeprefix("at-once/"), message) if is_hostile else _honest(message)
                if answer is not None:
                    writer.write(answer)
                    await writer.drain()
                    if b"Connection: close" in answer or answer in (ANSWERS["cut"], ANSWERS["no-http"]):
                        break
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", heads
    finally:
        server.close()
        for writer in writers:
            writer.close()
        await asyncio.gather(*filter(None, tasks))
        for writer in writers:
            with contextlib.suppress(ConnectionError):
                await writer.wait_closed()
        await server.wait_closed()
