"""For plugins that ask a service over HTTP: one bounded request, fixed words for failures, a key shown nowhere.

No plugin itself: a library for the authors of tools, search providers and providers of models.
"""

from .addresses import checked_address, is_private, origin_of
from .connections import Connections
from .ended import Ended, How
from .exchanging import exchange
from .secret import Secret

__all__ = ["Connections", "Ended", "How", "Secret", "checked_address", "exchange", "is_private", "origin_of"]
