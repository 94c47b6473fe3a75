"""How well everybody stands in the middle of a round, for players who look ahead in any game: a quick guess, not the best one."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, chain
from math import exp
from typing import Final

from pitboss_racko.rack import RACKO_POINTS, RUN_BONUS, SLOTS, longest_run
from pitboss_racko.state import RackoStateBase

INCOMPLETE_POINTS: Final = 20.0  # points of a rack that is not complete when the round ends, on average
PACE: Final = 0.25  # the larger, the longer it takes to fill several slots from few cards
UNFILLABLE: Final = 50.0  # turns for a slot that no card can fill
TURN_ADVANTAGE: Final = 0.25  # a turn ahead multiplies the chance to be first by e to this power
DISCARD_WEIGHT: Final = 0.4  # what a card counts for that lies in the discard pile, which is turned over one day
RACK_WEIGHT: Final = 0.1  # and one in a rack
RUN_CHANCE: Final = 0.5  # of the bonus of the run that is there, as the rack may come out another way
RUN_TURNS: Final = {
    1: 4.0,
    2: 2.5,
}  # turns that a run of three takes, where one is needed, by the longest run that is there


def evaluate_state(state: RackoStateBase) -> list[float]:
    """Return by seat the total that its side may expect after the round: who needs fewer turns is more likely to be the one who completes a rack."""
    options, zones, sides = state.options, state.table.zones, state.sides
    racks = [zones[rack] for rack in state.board.racks]
    below = _weights_below(racks, zones[state.board.discard], options.deck_size or 0)
    paces = [exp(-TURN_ADVANTAGE * (turns_left(rack, below) + _turns_for_run(rack, options.min_run))) for rack in racks]
    whole = sum(paces)
    points = [
        INCOMPLETE_POINTS
        + (
            RACKO_POINTS
            - INCOMPLETE_POINTS
            + (RUN_CHANCE * RUN_BONUS[min(6, longest_run(rack))] if options.bonus_runs else 0)
        )
        * pace
        / whole
        for rack, pace in zip(racks, paces, strict=True)
    ]
    totals = [total + sum(points[seat] for seat in side) for total, side in zip(state.totals, sides, strict=True)]
    side_of = {seat: number for number, side in enumerate(sides) for seat in side}
    return [totals[side_of[seat]] for seat in range(len(racks))]


def turns_left(rack: Sequence[int], below: Sequence[float]) -> float:
    """Return how many turns a rack takes to complete, more or less: some cards stay, those between them are replaced.

    Cards are numbers from 0; `below[card]` is what all lower ones count that may still come.
    """
    size = len(below) - 1
    walls, least, pace = (-1, *rack, size), [0.0], PACE * below[size]
    for to in range(1, len(walls)):
        high, best = walls[to], UNFILLABLE * len(SLOTS)
        until = below[high]
        for at in range(to):
            low = walls[at]
            if low < high:
                slots, turns = to - at - 1, least[at]
                if slots:
                    coming = until - below[low + 1]
                    is_open = high - low > slots and coming > 0
                    turns += (
                        min(UNFILLABLE * slots, slots + pace * slots * slots / coming)
                        if is_open
                        else UNFILLABLE * slots
                    )
                if turns < best:
                    best = turns
        least.append(best)
    return least[-1]


def _weights_below(racks: Sequence[Sequence[int]], discards: Sequence[int], size: int) -> list[float]:
    """Return by card what all lower ones count that may still come."""
    counts = [1.0] * size
    for card in discards:
        counts[card] = DISCARD_WEIGHT
    for card in chain(*racks):
        counts[card] = RACK_WEIGHT
    return [0.0, *accumulate(counts)]


def _turns_for_run(rack: Sequence[int], min_run: int) -> float:
    """Return how many turns a run takes, where one is needed."""
    return RUN_TURNS.get(longest_run(rack), 0.0) if min_run else 0.0
