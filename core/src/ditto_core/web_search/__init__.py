"""The tool `web_search`: any provider of the port becomes one tool with bounded, checked results."""

from .markup import plain_text
from .tool import web_search_tool

__all__ = ["plain_text", "web_search_tool"]
