"""What cards count in Cribbage: in a hand or crib with the starter, and in the play. Numbers (C8) are of the rule book.

A card is its number in the deck: its rank, from 0 for an ace to 12 for a king, times 4, and its suit.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from math import comb
from typing import Final

from pitboss import Deck
from pitboss.plugins.packs import RANKS, SUITS

DECK: Final = Deck([suit + rank for rank in RANKS for suit in SUITS])
JACK: Final = RANKS.index("J")
RANK_OF: Final = tuple(card >> 2 for card in range(52))
VALUES: Final = tuple(min(rank + 1, 10) for rank in RANK_OF)  # C2: by card, what it adds to the count
FIFTEEN: Final = 15
MAX_COUNT: Final = 31  # the count that nobody goes beyond
RANK_VALUES: Final = VALUES[::4]
MAX_SHOWN: Final = 29  # points of a hand
MAX_PLAYED: Final = 14  # points of a card that is played: the fourth of a rank, at 15 or 31


@lru_cache(maxsize=1 << 14)
def count_ranks(ranks: tuple[int, ...]) -> int:
    """C9: return the points for fifteens, pairs and runs of cards with these ranks, which are sorted."""
    values = [RANK_VALUES[rank] for rank in ranks]
    points = 2 * sum(sum(part) == FIFTEEN for size in range(2, len(values) + 1) for part in combinations(values, size))
    points += 2 * sum(comb(ranks.count(rank), 2) for rank in {*ranks})
    length = ways = 0
    for rank in range(len(RANKS) + 1):
        if rank in ranks:
            length, ways = length + 1, max(ways, 1) * ranks.count(rank)
            continue
        if length >= 3:
            points += length * ways
        length = ways = 0
    return points


def count_show(hand: Sequence[int], starter: int, is_crib: bool = False) -> int:
    """C9 to C11: return the points of a hand or crib with the starter."""
    points = count_ranks(tuple(sorted([card >> 2 for card in (*hand, starter)])))
    suit, jack = starter & 3, JACK << 2 | starter & 3
    if jack in hand:
        points += 1
    if len({card & 3 for card in hand}) == 1:
        if hand[0] & 3 == suit:
            points += len(hand) + 1
        elif not is_crib:
            points += len(hand)
    return points


def name_play(ranks: Sequence[int], count: int) -> list[tuple[str, int]]:
    """C7: return what the last card of a series scores, each by its name; `ranks` are those of the series in order."""
    scored = [("fifteen", 2)] if count == FIFTEEN else [("thirty_one", 2)] if count == MAX_COUNT else []
    last, equal = ranks[-1], 1
    while equal < len(ranks) and ranks[-1 - equal] == last:
        equal += 1
    if equal > 1:
        scored.append(("pair", equal * (equal - 1)))
    elif (length := measure_run(ranks)) > 0:
        scored.append(("run", length))
    return scored


def measure_run(ranks: Sequence[int]) -> int:
    """C7: return how many of the last cards of a series are a run, in any order; 0: fewer than three."""
    longest, lowest, highest, seen = 0, ranks[-1], ranks[-1], 0
    for length, rank in enumerate(reversed(ranks), 1):
        if seen >> rank & 1:
            break
        seen |= 1 << rank
        lowest, highest = min(lowest, rank), max(highest, rank)
        if length >= 3 and highest - lowest == length - 1:
            longest = length
    return longest


def count_play(ranks: Sequence[int], count: int) -> int:
    """C7: return the points of the last card of a series."""
    return sum([points for _, points in name_play(ranks, count)])
