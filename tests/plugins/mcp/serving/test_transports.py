"""A served pack over standard streams and over HTTP, and the arguments of serving."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx2
import pytest

from ditto_core import InvalidValue, Runtime, Sandbox, ToolRegistry
from ditto_mcp import HttpAddress, connect_http, connect_stdio, mcp_server, serve_mcp
from tests.plugins.mcp.serving.tools import add, serving_http
from tests.support.mcp_peers import run_alone
from tests.support.project import ROOT

SCRIPT = str(ROOT / "docs/examples/mcp_server.py")


@pytest.mark.promise("D-MCP-08")
def test_the_example_serves_a_pack_over_standard_streams(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("here\n", encoding="utf-8")

    async def main() -> None:
        async with connect_stdio(sys.executable, [SCRIPT, str(tmp_path)]) as connection:
            client = connection.client()
            assert [one.name for one in (await client.list_tools()).tools] == ["read_text", "search_text"]
            result = await client.call_tool("read_text", {"path": "a.txt"})
            assert (result.is_error, result.content) == (False, "here\n")
            refused = await client.call_tool("read_text", {"path": "../outside.txt"})
            assert refused.is_error
            assert str(tmp_path) not in str(refused.content)

    asyncio.run(main())


def over_http(use: Callable[[str], Any], **options: Any) -> None:
    """Serve the endings over HTTP, use the address, and stop."""

    async def main() -> None:
        async with serving_http(**options) as (url, _):
            await use(url)

    run_alone(main())


@pytest.mark.promise("D-MCP-08")
@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_tools_are_served_over_http_to_old_and_new_clients(mode: str) -> None:
    async def use(url: str) -> None:
        assert url.startswith("http://127.0.0.1:")
        async with connect_http(url, mode=mode) as first, connect_http(url, mode=mode) as second:
            one, other = first.client(), second.client()
            results = await asyncio.gather(*(client.call_tool("add", {"first": 1}) for client in (one, other) * 5))
            assert [result.structured_content for result in results] == [{"result": 2}] * 10
            assert (await one.call_tool("failing", {})).is_error

    over_http(use)


def test_a_request_that_names_another_host_is_refused() -> None:
    async def use(url: str) -> None:
        async with httpx2.AsyncClient(trust_env=False) as client:
            answer = await client.post(url, headers={"Host": "evil.example"}, json={})
        assert answer.status_code == 421

    over_http(use)


def test_an_address_that_is_taken_is_an_error() -> None:
    async def use(url: str) -> None:
        port = int(url.rpartition(":")[2].partition("/")[0])
        async with Runtime() as runtime:
            with pytest.raises(OSError, match="in use"):
                await serve_mcp(runtime, http=HttpAddress(port=port))

    over_http(use)


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"host": ""}, "HttpAddress.host"),
        ({"port": -1}, "HttpAddress.port"),
        ({"port": True}, "HttpAddress.port"),
        ({"path": "mcp"}, "HttpAddress.path"),
        ({"host": "0.0.0.0"}, "HttpAddress.allowed_hosts"),
        ({"host": "0.0.0.0", "allowed_hosts": "tools.acme.example"}, "HttpAddress.allowed_hosts"),
        ({"allowed_hosts": [""]}, "HttpAddress.allowed_hosts"),
        ({"allowed_hosts": 5}, "HttpAddress.allowed_hosts"),
    ],
)
def test_an_address_that_could_not_work_is_refused(arguments: Any, field: str) -> None:
    with pytest.raises(InvalidValue) as caught:
        HttpAddress(**arguments)
    assert caught.value.field == field


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"name": " "}, "name"),
        ({"version": 3}, "version"),
        ({"instructions": b""}, "instructions"),
        ({"sandbox": "x"}, "sandbox"),
        ({"sandbox": Sandbox(tools=["*"])}, "sandbox"),
        ({"max_result_bytes": 0}, "max_result_bytes"),
        ({"call_timeout": 0}, "call_timeout"),
    ],
)
def test_what_cannot_be_served_is_refused(arguments: Any, field: str) -> None:
    async def main() -> None:
        async with Runtime(sandbox=Sandbox(tools=["add"])) as runtime:
            with pytest.raises(InvalidValue) as caught:
                mcp_server(runtime, **arguments)
            assert caught.value.field == field

    asyncio.run(main())
    assert add.name == "add"


def test_only_a_runtime_is_served() -> None:
    with pytest.raises(InvalidValue, match="must be a Runtime, not a ToolRegistry"):
        mcp_server(ToolRegistry())  # type: ignore[arg-type]
    with pytest.raises(InvalidValue, match="must be an HttpAddress or None"):
        asyncio.run(serve_mcp(Runtime(), http="127.0.0.1:8000"))  # type: ignore[arg-type]
