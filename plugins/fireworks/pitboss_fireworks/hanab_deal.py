"""Seeds that name the cards of a game in the order in which they are dealt: those of imported games (D7)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

SEED: Final = re.compile(r"deck:((?:[RYGBWPM][1-5])+)")


def write_seed(faces: Sequence[str]) -> str:
    """Return the seed of a game with these cards, the first one dealt first."""
    return f"deck:{''.join(faces)}"


def read_seed(seed: str) -> list[str] | None:
    """Return the cards that a seed names, the first one dealt first; None if it names none."""
    found = SEED.fullmatch(seed)
    return re.findall("..", found[1]) if found else None
