"""``python -m ditto_testkit PACK``."""

import os
import sys
import threading

from .terminal import main

if __name__ == "__main__":
    status = main(sys.argv[1:])
    sys.stdout.flush()
    sys.stderr.flush()
    if any(not thread.daemon for thread in threading.enumerate() if thread is not threading.main_thread()):
        os._exit(status)  # the interpreter would wait for ever for a thread that the plugin left
    sys.exit(status)
