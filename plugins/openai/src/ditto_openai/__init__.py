"""Models behind endpoints that speak OpenAI's chat completions: a provider for Ditto's node that asks models."""

from .model import OpenAIModel

__all__ = ["OpenAIModel"]
