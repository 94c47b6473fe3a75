"""A rack, and what it is worth: section 3 of the rule book. A rack is ten numbers, slot #5 first."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import Final

SLOTS: Final = (5, 10, 15, 20, 25, 30, 35, 40, 45, 50)  # S4: what is printed on the rack
RACKO_POINTS: Final = 75  # D13: in all
POINTS_A_CARD: Final = 5
RUN_BONUS: Final = (0, 0, 0, 50, 100, 200, 400)  # by the length of the longest run; six or more count the same


def progress(rack: Sequence[int]) -> int:
    """Return how many cards from #5 on go strictly up (1 to 10)."""
    length = 1
    while length < len(rack) and rack[length - 1] < rack[length]:
        length += 1
    return length


def longest_run(rack: Sequence[int]) -> int:
    """D11: return the most cards in neighbouring slots that go up by exactly 1."""
    longest = length = 1
    for low, high in itertools.pairwise(rack):
        length = length + 1 if high == low + 1 else 1
        longest = max(longest, length)
    return longest


def run_bonus(rack: Sequence[int]) -> int:
    """Return the bonus of the longest run."""
    return RUN_BONUS[min(longest_run(rack), 6)]


def is_racko(rack: Sequence[int], min_run: int) -> bool:
    """Whether the rack goes up all the way and, D9, holds a run of at least `min_run`.

    Cards may be the printed numbers, from 1, or as the table numbers them, from 0.
    """
    last = 0
    for card in rack:
        if card < last:
            return False
        last = card
    return not min_run or longest_run(rack) >= min_run


def is_surely_not_racko(rack: Iterable[int | None]) -> bool:
    """Whether two neighbours go down; None is a card that could be any."""
    last = 0
    for card in rack:
        if card is None:
            last = 0
        elif card < last:
            return True
        else:
            last = card
    return False


def is_surely_not_racko_with_run(rack: Iterable[int | None]) -> bool:
    """Whether the rack is no RACK-O where a run of three is needed; None is a card that could be any."""
    cards = list(rack)
    if is_surely_not_racko(cards):
        return True
    whole = [card for card in cards if card is not None]
    return len(whole) == len(cards) and longest_run(whole) < 3


def points(rack: Sequence[int]) -> int:
    """Return what the rack scores for anybody who has not declared it."""
    return POINTS_A_CARD * progress(rack)


def declarer_points(rack: Sequence[int], bonus_runs: bool) -> int:
    """Return what a declared RACK-O scores."""
    return RACKO_POINTS + (run_bonus(rack) if bonus_runs else 0)


def first_dealer(drawn: Sequence[int]) -> int:
    """S5: return the seat that drew the highest number."""
    return max(range(len(drawn)), key=drawn.__getitem__)
