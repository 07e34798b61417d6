"""The contract of a search provider, as its author derives from it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from ditto_core import SearchHit, WebSearchProvider

from ..labs.providers import ProviderSubject
from .contract import Contract


class WebSearchProviderContract(Contract, abstract=True):
    """The contract of a web search provider. Derive a class whose name begins with ``Test``.

    A provider that asks a service over HTTP defines :meth:`provider_at` and :meth:`reply`, so that the kit can play
    the service, in friendly and in hostile ways. One without such a backend defines :meth:`provider` and declares
    ``Capabilities(no_backend="…")``.
    """

    subject_kind = "search provider"

    secrets: ClassVar[Sequence[str]] = ()
    """The keys with which :meth:`provider_at` makes a provider: made-up ones, that stand nowhere else."""

    def provider_at(self, url: str, timeout: float) -> WebSearchProvider:
        """Return a new provider that asks the server at `url`, such as ``http://127.0.0.1:8080``, instead.

        Its searches have a deadline of `timeout` seconds. It is entered if it is an async context manager.
        """
        raise TypeError(f"{type(self).__name__}: define provider_at() and reply(), or declare no_backend='why'.")

    def reply(self, hits: Sequence[SearchHit]) -> bytes:
        """Return the body with which the service tells of these hits, in the way it does."""
        raise TypeError(f"{type(self).__name__}: define reply() beside provider_at().")

    def provider(self) -> WebSearchProvider:
        """Return a new provider; one at an address where nobody listens, unless overridden."""
        return self.provider_at("http://127.0.0.1:9", 5.0)

    def subject(self) -> ProviderSubject:
        """Return what is checked, as the functions of the kit take it."""
        has_backend = not self.capabilities.no_backend
        return ProviderSubject(
            make=self.provider,
            make_at=self.provider_at if has_backend else None,
            reply=self.reply if has_backend else None,
            secrets=self.secrets,
            capabilities=self.capabilities,
        )
