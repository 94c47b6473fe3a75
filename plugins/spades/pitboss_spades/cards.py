"""The packs of Spades: which cards are dealt, which of them are spades, and which is higher (section 1 of the book)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pitboss import Deck
from pitboss.parts.suits import ACE_HIGH, RANK_NUMBERS, TrickOrder
from pitboss.plugins.packs import SUITS

BIG: Final = "BIG"
LITTLE: Final = "LITTLE"
HIGH_TRUMPS: Final[Mapping[str, tuple[str, ...]]] = {  # by option: the spades above the ace, from the lowest on
    "ace": (),
    "jokers": (LITTLE, BIG),
    "jokers_deuces": ("S2", "D2", LITTLE, BIG),
}
REMOVED: Final = ("H2", "C2")  # for the jokers


def rank_cards(high_trumps: str) -> dict[str, tuple[str, int]]:
    """S1: return for each card of a pack, suit by suit from the lowest card on, its suit and its rank in the suit."""
    high = HIGH_TRUMPS[high_trumps]
    elsewhere = {*high, *(REMOVED if high else ())}
    ranked: dict[str, tuple[str, int]] = {}
    for suit in SUITS:
        plain = [rank for rank in ACE_HIGH if suit + rank not in elsewhere]
        ranked |= {suit + rank: (suit, RANK_NUMBERS[rank]) for rank in plain}
        if suit == "S":
            ranked |= {card: (suit, len(ACE_HIGH) + step) for step, card in enumerate(high)}
    return ranked


def make_spades_order(ranked: Mapping[str, tuple[str, int]]) -> TrickOrder:
    """S6: return which card of a pack takes a trick; spades are trumps."""
    return TrickOrder([suit for suit, _ in ranked.values()], [rank for _, rank in ranked.values()], "S")


CARD_RANKS: Final = {one: rank_cards(one) for one in HIGH_TRUMPS}  # by option, of each card its suit and rank
DECKS: Final = {one: Deck(ranked) for one, ranked in CARD_RANKS.items()}
ORDERS: Final = {one: make_spades_order(ranked) for one, ranked in CARD_RANKS.items()}
