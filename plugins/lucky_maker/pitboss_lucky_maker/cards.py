"""The 60 cards of Lucky Maker: section 1 of the rule book.

A card at the table is its index in canonical order: ten cards a category, by the first number. So `card // 10` is its
category, and the complement of category c, which shares no suit with it, is 5 - c.
"""

from __future__ import annotations

from itertools import combinations
from typing import Final, Literal, TypeAlias

from pitboss import Deck

Suit: TypeAlias = Literal["R", "B", "G", "Y"]
Pair: TypeAlias = Literal["RB", "RG", "RY", "BG", "BY", "GY"]

SUITS: Final[tuple[Suit, ...]] = ("R", "B", "G", "Y")  # red circle, blue square, green triangle, yellow cross
PAIRS: Final[tuple[Pair, ...]] = ("RB", "RG", "RY", "BG", "BY", "GY")
CATEGORIES: Final[tuple[tuple[Suit, Suit], ...]] = tuple(combinations(SUITS, 2))
HIGHEST: Final = 10
NUMBER_SUM: Final = 11  # of the two numbers of a card

DECK: Final = Deck(f"{pair[0]}{n}{pair[1]}{NUMBER_SUM - n}" for pair in PAIRS for n in range(1, HIGHEST + 1))
CARD_BY_FACE: Final = {str(face): card for card, face in enumerate(DECK.faces)}


def _numbers_in_suit(suit: Suit) -> tuple[int, ...]:
    numbers = []
    for card in range(len(DECK)):
        first, second = CATEGORIES[card // 10]
        n = card % 10 + 1
        numbers.append(n if suit == first else NUMBER_SUM - n if suit == second else 0)
    return tuple(numbers)


SUIT_NUMBERS: Final = {
    suit: _numbers_in_suit(suit) for suit in SUITS
}  # by card: its number in the suit, 0 if it has none
COMPLEMENT: Final = tuple(5 - category for category in range(6))
CATEGORY_CARDS: Final = tuple(frozenset(range(10 * category, 10 * category + 10)) for category in range(6))

# 2.1, by the master's category and the card: does the card show one of the master's suits?
FOLLOWS: Final = tuple(tuple(card // 10 != other for card in range(len(DECK))) for other in COMPLEMENT)


def hand_size(seats: int) -> int:
    """Section 1: return the cards of each player, which are also the master cards: 15, 12 or 10."""
    return len(DECK) // (seats + 1)
