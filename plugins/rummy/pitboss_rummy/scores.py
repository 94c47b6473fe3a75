"""Scores of a deal, and the end of the game: section 3 of the rule book. Cards are places in the pack."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from pitboss_rummy.options import RummyOptions
from pitboss_rummy.pack import CARDS, RANKS

POINTS: Final = tuple(min(card % RANKS + 1, 10) for card in range(2 * CARDS))  # D1: ace 1, court cards 10
BONUS: Final = 10  # note 7


def hand_points(cards: Iterable[int]) -> int:
    """D16: count every card that is left in a hand, a complete meld too."""
    return sum(map(POINTS.__getitem__, cards))


def deal_scores(left: Sequence[int], winner: int | None, rummy: bool, options: RummyOptions) -> tuple[int, ...]:
    """Section 3: return what the deal adds to each total.

    `left` are the points of each hand; no `winner`: the deal is stalled.
    """
    if winner is None:
        return _stalled_scores(left, options)
    factor = 2 if rummy and options.going_rummy == "double" else 1
    scores = _winner_scores([factor * points for points in left], winner, options)
    if rummy and options.going_rummy == "plus10":
        scores[winner] += BONUS
    return tuple(scores)


def _winner_scores(left: Sequence[int], winner: int, options: RummyOptions) -> list[int]:
    """Return who scores what where one seat has won what is left in the hands; its own hand counts nothing."""
    if options.scoring == "penalty":  # note 8
        return list(left)
    scores = [0 if options.scoring == "winner" else -points for points in left]
    scores[winner] = sum(left)
    return scores


def _stalled_scores(left: Sequence[int], options: RummyOptions) -> tuple[int, ...]:
    """D14: void; or the lowest hand, if one seat alone has it, wins what the others hold beyond it. No Going Rummy."""
    if options.stalled_deal == "void":
        return (0,) * len(left)
    if options.scoring == "penalty":
        return tuple(left)
    lowest = min(left)
    if left.count(lowest) > 1:
        return (0,) * len(left)
    return tuple(_winner_scores([points - lowest for points in left], left.index(lowest), options))


def is_over(totals: Sequence[int], deals_played: int, options: RummyOptions) -> bool:
    """2.3: enough deals have been played, or somebody's total is `points` or more."""
    if options.deals is not None and deals_played >= options.deals:
        return True
    return options.points is not None and max(totals) >= options.points
