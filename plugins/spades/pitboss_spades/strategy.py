"""What a hand of Spades is worth in the bidding."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pitboss.plugins.packs import rank_of
from pitboss_spades.cards import CARD_RANKS

NIL_LIMIT: Final = 1.15  # tricks: a hand worth less is bid nil
LONG_SPADE: Final = 0.75  # of each spade from the fourth on
RUFF: Final = 0.6  # of each of the first spades, up to how many cards a short suit lacks to three
HIGH_SPADE_WORTHS: Final = (1.0, 0.9, 0.7, 0.45)  # of the highest spades, from the highest on
HONOUR_WORTHS: Final = {  # of plain suits, by rank and by how many cards of the suit are held
    "A": (0.0, 0.95, 0.95, 0.9, 0.9, 0.75, 0.5),
    "K": (0.0, 0.3, 0.75, 0.75, 0.65, 0.45, 0.2),
    "Q": (0.0, 0.0, 0.2, 0.4, 0.3, 0.15, 0.0),
}


def estimate_hand(hand: Sequence[str], high_trumps: str) -> float:
    """Return how many tricks a hand is worth, its cards from the lowest of each suit on."""
    ranked = CARD_RANKS[high_trumps]
    highest = [card for card, (suit, _) in ranked.items() if suit == "S"][::-1]
    worths = dict(zip(highest, HIGH_SPADE_WORTHS, strict=False))
    spades = [card for card in hand if ranked[card][0] == "S"]
    suits = {suit: [rank_of(card) for card in hand if ranked[card][0] == suit] for suit in "HDC"}
    worth = sum(worths.get(one, 0.1 if number < 3 else 0.0) for number, one in enumerate(spades))
    worth += LONG_SPADE * max(0, len(spades) - 3)
    for held in suits.values():
        worth += sum(HONOUR_WORTHS[one][min(len(held), 6)] for one in held if one in HONOUR_WORTHS)
    short = sum(max(0, 2 - len(held)) for held in suits.values())
    low = sum(one not in worths for one in spades[:3])
    return worth + RUFF * min(short, low)
