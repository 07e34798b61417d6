"""The bounds of an index and of a search in it."""

from __future__ import annotations

from typing import Final

MAX_FILES: Final = 100_000
"""The most documents that can be asked for."""
MAX_FILE_BYTES: Final = 16_777_216
"""The largest file that can be asked for, in bytes."""
MAX_TOTAL_BYTES: Final = 1_073_741_824
"""The most bytes of all files together that can be asked for."""
MAX_ENTRIES: Final = 1_000_000
"""How many files and folders are looked at for an index; those behind them are left out."""
MAX_DEPTH: Final = 64
"""How many folders inside each other are looked into."""

MAX_WORDS: Final = 75
"""How many words a query may have."""
MAX_QUERY: Final = 600
"""How many characters a query may have."""
MAX_TITLE: Final = 256
"""How many characters of a title are kept."""
MAX_URL: Final = 8_192
"""How long the URL of a document may be; a file with a longer one is left out."""
MAX_SNIPPET: Final = 2_048
"""How many characters of a snippet are given."""
SNIPPET_WORDS: Final = 40
"""About how many words a snippet has; FTS5 takes 64 at the most."""
