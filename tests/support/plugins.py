"""Plugins to register, and distributions to install, that are as small as they can be."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from ditto_core import OutputReceipt, OutputRequest, SearchHit, Tool, hookimpl

SECRET = "sk-repr-0123456789"
"""Stands in the repr of every plugin here and may stand nowhere else."""


class Secretive:
    """An object whose repr gives away what it should not."""

    api_version = 1

    def __repr__(self) -> str:
        return SECRET


class Pack(Secretive):
    """A plugin that offers what it is given."""

    def __init__(
        self,
        *tools: Tool[Any],
        name: str | None = None,
        sinks: Mapping[str, Any] | None = None,
        providers: Mapping[str, Any] | None = None,
    ) -> None:
        self.tools = tools
        self.name = name
        self.sinks = sinks or {}
        self.providers = providers or {}

    @hookimpl
    def ditto_tools(self) -> Iterable[Tool[Any]]:
        yield from self.tools

    @hookimpl
    def ditto_output_sinks(self) -> Mapping[str, Any]:
        return self.sinks

    @hookimpl
    def ditto_web_search_providers(self) -> Mapping[str, Any]:
        return self.providers


class Sink:
    """Accepts everything."""

    async def deliver(self, request: OutputRequest) -> OutputReceipt:
        return OutputReceipt(delivery_id=request.delivery_id, status="accepted")


class Provider:
    """Finds nothing, without a connection."""

    origin: str | None = None

    async def search(self, query: str, limit: int) -> list[SearchHit]:
        return []


def giving(hook: str, answer: Callable[[], Any], **attributes: Any) -> Any:
    """Return a plugin with one hook, which does what `answer` does."""

    def implementation(self: object) -> Any:
        return answer()

    implementation.__name__ = hook
    return type("OnePack", (Secretive,), {hook: hookimpl(implementation), **attributes})()


class Site:
    """A folder on ``sys.path`` into which distributions are installed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def install(self, distribution: str, version: str = "1.0", *, plugins: Iterable[str] = (), **modules: str) -> Path:
        """Install a distribution with its modules and the lines of its entry points; return its metadata folder."""
        for name, source in modules.items():
            (self.folder / f"{name}.py").write_text(source, encoding="utf-8")
        folder = self.folder / f"{distribution.replace('-', '_')}-{version}.dist-info"
        folder.mkdir()
        metadata = f"Metadata-Version: 2.1\nName: {distribution}\nVersion: {version}\n"
        (folder / "METADATA").write_text(metadata, encoding="utf-8")
        lines = "\n".join(["[ditto.plugins]", *plugins, ""])
        (folder / "entry_points.txt").write_text(lines, encoding="utf-8")
        return folder


@contextmanager
def site_in(folder: Path) -> Iterator[Site]:
    """Give a site of an empty folder on ``sys.path``; modules imported from it are forgotten afterwards."""
    known = set(sys.modules)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "path", [str(folder), *sys.path])
        patch.setattr(sys, "dont_write_bytecode", True)
        importlib.invalidate_caches()
        yield Site(folder)
    for name in set(sys.modules) - known:
        file = getattr(sys.modules[name], "__file__", None)
        if file and Path(file).parent == folder:
            del sys.modules[name]
