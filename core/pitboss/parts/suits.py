"""Suits and ranks of a deck as tables: which cards are of a suit, which of them is higher, and which takes a trick.

A set of cards is a frozenset of their numbers; each is made once, and shared by all games with the deck.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

from pitboss.plugins.packs import RANKS, SUITS, rank_of, suit_of
from pitboss.table.cards import Deck

ACE_HIGH: Final = (*RANKS[1:], "A")  # from the lowest rank to the highest
RANK_NUMBERS: Final = {rank: number for number, rank in enumerate(ACE_HIGH)}


def make_suited_deck(ranks: Sequence[str] = ACE_HIGH, removed: Sequence[str] = ()) -> Deck:
    """Return a deck of the four suits, each from its lowest rank to its highest, without some cards."""
    faces = [suit + rank for suit in SUITS for rank in ranks]
    return Deck(face for face in faces if face not in removed)


def rank_number(face: object) -> int:
    """Return the rank of an ordinary playing card as a number, from 0 for a 2 to 12 for an ace."""
    return RANK_NUMBERS[rank_of(face)]


class TrickOrder:
    """Which cards are of a suit, and which card of a trick takes it, while one suit is trumps or none is.

    `suits` and `strengths` have the suit and the strength of each card of the deck. A card may count as of another suit
    than its face says: a bower in Euchre.
    """

    __slots__ = ("_powers", "all_cards", "cards_not_of", "cards_of", "following", "suits", "trump", "trump_cards")

    def __init__(self, suits: Sequence[str], strengths: Sequence[int], trump: str | None = None) -> None:
        self.trump = trump
        self.suits = tuple(suits)  # by card
        self.all_cards = frozenset(range(len(suits)))
        self.cards_of: Mapping[str, frozenset[int]] = {
            suit: frozenset(card for card, one in enumerate(suits) if one == suit) for suit in {*suits}
        }
        self.trump_cards = self.cards_of.get(trump or "", frozenset())  # none if no suit is trumps
        self.cards_not_of: Mapping[str, frozenset[int]] = {
            suit: self.all_cards - cards for suit, cards in self.cards_of.items()
        }
        self.following = [(self.cards_of[suit],) for suit in suits]  # by card led: whose suit is followed
        trump_strength = 1 + max(strengths)
        self._powers = {
            led: [
                1 + strength + trump_strength * (suit == trump) if suit in (led, trump) else 0
                for suit, strength in zip(suits, strengths, strict=True)
            ]
            for led in self.cards_of
        }

    def find_winner(self, trick: Sequence[int]) -> int:
        """Return the place of the card that takes a trick: the highest trump, or else the highest of the suit led.

        Of equal cards the first one takes it.
        """
        powers = [*map(self._powers[self.suits[trick[0]]].__getitem__, trick)]
        return powers.index(max(powers))


@lru_cache(maxsize=64)
def order_by_rank(deck: Deck, trump: str | None = None, ranks: Sequence[str] = ACE_HIGH) -> TrickOrder:
    """Return the order of a deck of ordinary faces ("H10"); `ranks` go from the lowest to the highest."""
    strengths = [ranks.index(rank_of(face)) for face in deck.faces]
    return TrickOrder([suit_of(face) for face in deck.faces], strengths, trump)
