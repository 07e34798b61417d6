"""``python -m ditto_testkit PACK``."""

import sys

from .terminal import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
