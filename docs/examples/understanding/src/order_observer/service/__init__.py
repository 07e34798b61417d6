"""The reference service: one order behind HTTP, on SQLite, that misbehaves as its scenario says."""

from .orders import Order, Orders
from .server import OrderService

__all__ = ["Order", "OrderService", "Orders"]
