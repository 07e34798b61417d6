"""The JSON form of the contracts, both ways."""

from .converter import from_wire, to_wire

__all__ = ["from_wire", "to_wire"]
