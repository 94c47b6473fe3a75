"""What a hand of Euchre is worth with a suit as trumps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pitboss_euchre.cards import BEST, LEFT, RIGHT, rank_with, suit_with

TRUMP_WORTHS: Final = {BEST: 1.0, RIGHT: 0.95, LEFT: 0.8, 12: 0.65, 11: 0.55, 10: 0.5}  # tricks, by rank
LOW_TRUMP: Final = 0.4
LONG_TRUMP: Final = 0.2  # more for each trump from the third on
ACE_WORTHS: Final = (0.0, 0.55, 0.4, 0.25, 0.1)  # of plain aces, by the number of cards held of the suit
KING_WORTH: Final = 0.12  # of a plain king that is not alone
RUFF: Final = 0.2  # of a suit of which none is held, while there are trumps
NO_TRUMP_ACE: Final = 1.1  # without trumps: of an ace, and of each card in a row below it
NO_TRUMP_KING: Final = 0.5  # of a king that is not alone
SUITS: Final = "SHDC"


def estimate_tricks(hand: Sequence[str], trump: str) -> float:
    """Return how many tricks a hand of five is likely to take, or to help its partner to."""
    ranks = [rank_with(card, trump) for card in hand if suit_with(card, trump) == trump]
    worth = sum(TRUMP_WORTHS.get(rank, LOW_TRUMP) for rank in ranks) + LONG_TRUMP * max(0, len(ranks) - 2)
    for suit in SUITS:
        held = [rank_with(card, trump) for card in hand if suit_with(card, trump) == suit]
        if suit == trump:
            continue
        if not held and ranks:
            worth += RUFF
        if 12 in held:
            worth += ACE_WORTHS[min(len(held), 4)]
        elif 11 in held and len(held) > 1:
            worth += KING_WORTH
    return worth


def estimate_no_trump_tricks(hand: Sequence[str]) -> float:
    """Return how many tricks a hand of five is likely to take without trumps, or to help its partner to."""
    worth = 0.0
    for suit in SUITS:
        falling = sorted([rank_with(card, None) for card in hand if suit_with(card, None) == suit], reverse=True)
        row = sum(rank == 12 - place for place, rank in enumerate(falling))  # from the ace down, without a gap
        worth += NO_TRUMP_ACE * row
        if not row and falling[:1] == [11] and len(falling) > 1:
            worth += NO_TRUMP_KING
    return worth


def choose_discard(hand: Sequence[str], trump: str) -> str:
    """Return the card that a hand needs least: a low one, at best the only one of its suit; trumps and aces stay."""

    def measure_need(card: str) -> float:
        suit, rank = suit_with(card, trump), rank_with(card, trump)
        if suit == trump:
            return 100 + rank
        count = sum(suit_with(other, trump) == suit for other in hand)
        return rank + (20 if rank == 12 else 0) + (0 if count == 1 else 3)

    return min(hand, key=measure_need)
