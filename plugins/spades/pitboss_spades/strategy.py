"""What a hand of Spades is worth in the bidding."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pitboss.plugins.packs import rank_of, suit_of

NIL_LIMIT: Final = 1.15  # tricks: a hand worth less is bid nil
LONG_SPADE: Final = 0.75  # of each spade from the fourth on
RUFF: Final = 0.6  # of each of the first spades, up to how many cards a short suit lacks to three
SPADE_WORTHS: Final = {"A": 1.0, "K": 0.9, "Q": 0.7, "J": 0.45}
HONOUR_WORTHS: Final = {  # of plain suits, by rank and by how many cards of the suit are held
    "A": (0.0, 0.95, 0.95, 0.9, 0.9, 0.75, 0.5),
    "K": (0.0, 0.3, 0.75, 0.75, 0.65, 0.45, 0.2),
    "Q": (0.0, 0.0, 0.2, 0.4, 0.3, 0.15, 0.0),
}


def estimate_hand(hand: Sequence[str]) -> float:
    """Return how many tricks a hand is worth."""
    suits = {kind: [rank_of(card) for card in hand if suit_of(card) == kind] for kind in "SHDC"}
    spades = suits.pop("S")
    worth = sum(SPADE_WORTHS.get(one, 0.1 if number < 3 else 0.0) for number, one in enumerate(spades))
    worth += LONG_SPADE * max(0, len(spades) - 3)
    for held in suits.values():
        worth += sum(HONOUR_WORTHS[one][min(len(held), 6)] for one in held if one in HONOUR_WORTHS)
    short = sum(max(0, 2 - len(held)) for held in suits.values())
    low = sum(one not in SPADE_WORTHS for one in spades[:3])
    return worth + RUFF * min(short, low)
