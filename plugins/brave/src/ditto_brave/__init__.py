"""Web search through Brave: a provider for Ditto's tool `web_search`."""

from .plugin import BraveSearch

__all__ = ["BraveSearch"]
