"""Local search over 8,000 files, beside a look into all of their texts, which are in memory already.

The files are made here: words as frequent as those of a language are, and questions of one to four of them, from the
rarest to the most frequent.
"""

from __future__ import annotations

import random
import tempfile
from itertools import accumulate
from pathlib import Path
from typing import Final

from ditto_local_search import LocalSearch

from .harness import FLOOR, Effort, Row, in_turns, row

FILES: Final = 8_000
WORDS: Final = 300
"""How many words a file has."""
MAX_SECONDS: Final = 0.010
"""How long one query may take, on average."""
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"


def words_and_texts(files: int) -> tuple[list[str], list[str]]:
    """Return a vocabulary, the most frequent word first, and texts: the second word is half as frequent, and so on."""
    chance = random.Random(files)
    words = ["".join(chance.choices(_LETTERS, k=chance.randint(2, 10))) for _ in range(20_000)]
    weights = list(accumulate(1 / place for place in range(1, len(words) + 1)))
    texts = [" ".join(chance.choices(words, cum_weights=weights, k=WORDS)) for _ in range(files)]
    return words, texts


def questions(words: list[str], count: int = 40) -> list[str]:
    """Return questions whose words come from all over the vocabulary."""
    chance = random.Random(count)
    places = [[int(10 ** chance.uniform(0, 4.3)) for _ in range(chance.randint(1, 4))] for _ in range(count)]
    return [" ".join(words[min(place, len(words) - 1)] for place in several) for several in places]


async def many_files(effort: Effort, files: int = FILES) -> list[Row]:
    """Measure one query, averaged over all questions."""
    words, texts = words_and_texts(files)
    asked = questions(words)
    with tempfile.TemporaryDirectory() as folder:
        for number, text in enumerate(texts):
            path = Path(folder, f"{number % 80}", f"{number}.txt")
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
        async with LocalSearch(folder=folder) as search:

            async def scanned(times: int) -> None:
                for turn in range(times * len(asked)):
                    wanted = asked[turn % len(asked)].split()
                    sorted(texts, key=lambda text: sum(word in text for word in wanted))[-5:]

            async def searched(times: int) -> None:
                for turn in range(times * len(asked)):
                    await search.search(asked[turn % len(asked)], 5)

            case = f"local search over {files:,} files"
            samples = await in_turns({FLOOR: scanned, case: searched}, effort)
    floor = "a look for the words in every text in memory"
    return [row(samples, case, floor=floor, budget=1, goal=0.5, operations=len(asked), at_most=MAX_SECONDS)]
