"""Evaluation of a Cribbage state for search players: the points after the show, a fast heuristic."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from typing import Final

from pitboss.outcome import spread_over_sides
from pitboss_cribbage.counting import count_play, count_ranks
from pitboss_cribbage.state import CribbageStateBase, list_sides

STARTER: Final = 2.3  # points that a starter adds to a hand, on average
CRIB: Final = 4.6  # what a crib is worth before its cards are known
LEFT_TO_PEG: Final = 0.6  # points of a card that is still to be played


def evaluate_state(state: CribbageStateBase) -> Sequence[float]:
    """Return by seat the points of its side after the show, as far as the target."""
    totals = [float(total) for total in state.totals]
    if state.turn is None:
        return totals
    seats, sides, zones = state.seats, list_sides(state.seats), state.table.zones
    gained = [0.0] * seats
    if zones[state.starter]:
        for number in range(len(state.counted), seats + 1):
            gained[(state.dealer + 1 + number) % seats if number < seats else state.dealer] += state.worth_of_show(
                number
            )
    else:
        for seat, hand in enumerate(state.hands):
            kept = tuple(sorted([card >> 2 for card in zones[hand]]))
            gained[seat] += worth_of_kept(kept, bool(zones[state.laid_away[seat]])) + STARTER
        laid = tuple(sorted([card >> 2 for zone in (state.crib, *state.laid_away) for card in zones[zone]]))
        gained[state.dealer] += count_ranks(laid) * 0.8 + CRIB
    if state.turn.phase == "claim" and state.series:
        gained[state.turn.seat] += count_play(state.series_ranks(), state.count)
    for seat, hand in enumerate(state.hands):
        gained[seat] += LEFT_TO_PEG * len(zones[hand])
    target = float(state.options.target)
    values = [min(target, totals[side[0]] + sum(gained[seat] for seat in side)) for side in sides]
    return spread_over_sides(values, sides)


@lru_cache(maxsize=1 << 14)
def worth_of_kept(ranks: tuple[int, ...], is_laid_away: bool) -> int:
    """Return what the cards count that a hand keeps: all of them, or the best four if it has not laid away."""
    if is_laid_away or len(ranks) <= 4:
        return count_ranks(ranks)
    return max(map(count_ranks, combinations(ranks, 4)))
