"""``python -m order_observer`` is the command ``order-observer``."""

import sys

from .command_line import main

sys.exit(main())
