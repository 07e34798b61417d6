"""``python -m ditto_terminal`` is the command ``ditto``."""

from .app import main

if __name__ == "__main__":
    main()
