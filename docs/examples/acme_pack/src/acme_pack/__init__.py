"""A pack of tools for Ditto, made as any third party makes one: read-only tools for the text files of a workspace."""

from .pack import AcmePack

__all__ = ["AcmePack"]
