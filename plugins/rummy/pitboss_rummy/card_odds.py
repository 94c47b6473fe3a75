"""Card odds for `house:rummy`: which cards may still come, and which cards complete a meld.

Cards are places in the pack (see `pack`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import combinations
from typing import Any, Final, TypeAlias

from pitboss_rummy.board import RummyBoard
from pitboss_rummy.pack import CARDS, RANKS

Cards: TypeAlias = tuple[int, ...]

# What a card counts for that may come, an unseen one being 1.
DISCARD_WEIGHT: Final = 0.15
HAND_WEIGHT: Final = 0.05
OUTSIDE_KNOWN_STOCK_WEIGHT: Final = 0.1


def melds_of(board: RummyBoard, hand: Cards) -> list[Cards]:
    """Return all melds that a hand holds."""
    held = twice = 0
    for card in hand:
        twice |= held & 1 << card
        held |= 1 << card
    return [board.places(meld.cards) for meld in board.meld_table.all_melds(held, twice)]


def remove_cards(hand: Cards, cards: Cards) -> Cards | None:
    """Return a hand without some cards, None if it does not hold them."""
    left = list(hand)
    for card in cards:
        if card not in left:
            return None
        left.remove(card)
    return tuple(left)


def count_unseen(view: Mapping[str, Any], board: RummyBoard, decks: int) -> list[int]:
    """Return by place how many cards the seat has not seen."""
    left = [decks] * CARDS
    for faces in (view["discard"], *view["known"], *(meld["cards"] for meld in view["melds"])):
        for face in faces:
            left[board.place_by_face[face]] -= 1
    return left


def arrival_weights(view: Mapping[str, Any], board: RummyBoard, seat: int, left: Sequence[int]) -> list[float]:
    """By place: the weight of such a card to come; `left` are the unseen cards."""
    counts = [float(count) for count in left]
    if view["stock_known"]:
        counts = [count * OUTSIDE_KNOWN_STOCK_WEIGHT for count in counts]
        for face in view["stock_known"]:
            counts[board.place_by_face[face]] += 1 - OUTSIDE_KNOWN_STOCK_WEIGHT
    for face in view["discard"]:
        counts[board.place_by_face[face]] += DISCARD_WEIGHT
    for owner, faces in enumerate(view["known"]):
        for face in faces if owner != seat else ():
            counts[board.place_by_face[face]] += HAND_WEIGHT
    return counts


@cache
def completing_cards(one: int, other: int) -> Cards:
    """Return the cards that make a meld with two others, the lower one given first."""
    if one % RANKS == other % RANKS:
        return tuple(card for card in range(one % RANKS, CARDS, RANKS) if card not in (one, other))
    if one // RANKS != other // RANKS or other - one > 2:
        return ()
    between = (one + 1,) if other - one == 2 else (one - 1, other + 1)
    return tuple(card for card in between if card // RANKS == one // RANKS)


@cache
def meld_partners(card: int) -> tuple[tuple[int, int], ...]:
    """Return the pairs of other cards with which a card is a meld of three."""
    others = [same for same in range(card % RANKS, CARDS, RANKS) if same != card]
    runs = [(card + one, card + other) for one, other in ((-2, -1), (-1, 1), (1, 2))]
    return (*combinations(others, 2), *(pair for pair in runs if all(part // RANKS == card // RANKS for part in pair)))
