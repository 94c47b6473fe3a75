"""How hands compare at a showdown: the best five cards high, ace-to-five low, in a short deck, with Omaha's choice.

A `Ranking` gives a hand one number, its strength: higher for the better hand, equal for a tie, 0 for a hand that does
not qualify. It is computed from the keys of cards (`high_hands.card_key`): those of a player, and those of the board.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Final, NamedTuple, TypeAlias

from pitboss.parts.betting.high_hands import (
    FLUSH,
    FULL_HOUSE,
    HAND_RANKS,
    STRAIGHT,
    STRAIGHT_FLUSH,
    describe_strength,
    rank_hand,
)

Keys: TypeAlias = Sequence[int]
RankHand: TypeAlias = Callable[[Keys, Keys], int]  # of the keys of a player's cards, and of the board's

MAX_TABLED: Final = 7  # cards that `rank_hand` compares at once
HAND_SIZE: Final = 5
CATEGORY_SHIFT: Final = 20  # of a strength of `high_hands`
NINE_HIGH: Final = HAND_RANKS.index("9") + 1 << CATEGORY_SHIFT - 4
SHORT_WHEEL: Final = sum(1 << HAND_RANKS.index(rank) for rank in ("A", "6", "7", "8", "9"))
SHORT_ORDER: Final = {FLUSH: FULL_HOUSE, FULL_HOUSE: FLUSH}  # these two change places
LOW_RANKS: Final = ("A", *HAND_RANKS[:-1])
LOW_BASE: Final = 1 << 25
RANK_BITS_OF_KEY: Final = 3
SUIT_SHIFT: Final = RANK_BITS_OF_KEY * len(HAND_RANKS)


class Ranking(NamedTuple):
    """A way to compare hands."""

    rank: RankHand
    describe: Callable[[int], str]  # a strength in words


def rank_high(hole: Keys, board: Keys) -> int:
    """Return the strength of the best five of all cards."""
    keys = [*board, *hole]
    return rank_hand(keys) if len(keys) <= MAX_TABLED else max(map(rank_hand, combinations(keys, HAND_SIZE)))


def rank_of_key(key: int) -> int:
    """Return the rank of a card by its key: 0 for the two, 12 for the ace."""
    return ((key & (1 << SUIT_SHIFT) - 1).bit_length() - 1) // RANK_BITS_OF_KEY


def rank_short(hole: Keys, board: Keys) -> int:
    """Return the strength in a deck from the six up: a flush beats a full house, A 6 7 8 9 is the lowest straight."""
    keys = [*board, *hole]
    if len(keys) > MAX_TABLED:
        return max(rank_short(five, ()) for five in combinations(keys, HAND_SIZE))
    strength = rank_hand(keys)
    category = strength >> CATEGORY_SHIFT
    if category == FLUSH or category < STRAIGHT:
        suits: dict[int, int] = {}
        for key in keys:
            suit = key >> SUIT_SHIFT if category == FLUSH else 0
            suits[suit] = suits.get(suit, 0) | 1 << rank_of_key(key)
        if any(mask & SHORT_WHEEL == SHORT_WHEEL for mask in suits.values()):
            return (STRAIGHT_FLUSH if category == FLUSH else STRAIGHT) << CATEGORY_SHIFT | NINE_HIGH
    if category in SHORT_ORDER:
        return strength ^ (category ^ SHORT_ORDER[category]) << CATEGORY_SHIFT
    return strength


def describe_short(strength: int) -> str:
    """Return a strength of a short deck in words."""
    category = strength >> CATEGORY_SHIFT
    return describe_strength(strength ^ (category ^ SHORT_ORDER.get(category, category)) << CATEGORY_SHIFT)


def rank_low(hole: Keys, board: Keys) -> int:
    """Return the strength of the lowest five cards: ace low, straights and flushes do not count, pairs do."""
    ranks = [(rank_of_key(key) + 1) % len(HAND_RANKS) for key in (*hole, *board)]
    lowest = sorted({*ranks})[:HAND_SIZE]
    if len(lowest) == min(HAND_SIZE, len(ranks)):
        return LOW_BASE - sum(1 << rank for rank in lowest)
    return LOW_BASE - min(_weigh_paired(five) for five in combinations(ranks, min(HAND_SIZE, len(ranks))))


def rank_eight_low(hole: Keys, board: Keys) -> int:
    """Return the strength of the lowest five cards if they are of five ranks, none above the eight; 0 otherwise."""
    strength = rank_low(hole, board)
    return strength if LOW_BASE - strength < 1 << LOW_RANKS.index("9") and len(hole) + len(board) >= HAND_SIZE else 0


def describe_low(strength: int) -> str:
    """Return a low hand in words: "low 8 6 4 2 A"."""
    value = LOW_BASE - strength
    if value >= 1 << CATEGORY_SHIFT:
        return "low with a pair"
    return f"low {' '.join(name for rank, name in reversed([*enumerate(LOW_RANKS)]) if value >> rank & 1)}"


def choose_from_hand(ranking: Ranking, count: int = 2) -> Ranking:
    """Return a ranking of hands with exactly `count` cards of the player and the others of the board, as in Omaha."""

    def rank(hole: Keys, board: Keys) -> int:
        boards = [*combinations(board, min(HAND_SIZE - count, len(board)))]
        return max([ranking.rank(own, shared) for own in combinations(hole, count) for shared in boards])

    return Ranking(rank, ranking.describe)


def _weigh_paired(five: Sequence[int]) -> int:
    """Return the worth of low cards with a pair, less for a better hand, more than any without."""
    counted = sorted(((count, rank) for rank, count in Counter(five).items()), reverse=True)
    shape = sum(count * count for count, _ in counted)
    worth = shape
    for place in range(HAND_SIZE):
        worth = worth << 4 | (counted[place][1] + 1 if place < len(counted) else 0)
    return worth


HIGH: Final = Ranking(rank_high, describe_strength)
SHORT_DECK: Final = Ranking(rank_short, describe_short)
LOW: Final = Ranking(rank_low, describe_low)
EIGHT_LOW: Final = Ranking(rank_eight_low, describe_low)
OMAHA: Final = choose_from_hand(HIGH)
OMAHA_LOW: Final = choose_from_hand(EIGHT_LOW)
