"""Evaluation of a Rack-O state for search players: expected total by seat, a fast heuristic."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from math import exp
from typing import Final

from pitboss.outcome import spread_over_sides
from pitboss_racko.rack import (
    DISCARD_WEIGHT,
    PACE,
    RACK_WEIGHT,
    RACKO_POINTS,
    UNSEEN_WEIGHT,
    least_turns,
    longest_run,
    run_bonus,
)
from pitboss_racko.state import RackoStateBase

INCOMPLETE_POINTS: Final = 20.0  # points of a rack that is not complete when the round ends, on average
TURN_ADVANTAGE: Final = 0.25  # a turn ahead multiplies the chance to be first by e to this power
RUN_CHANCE: Final = 0.5  # of the bonus of the run that is there, as the rack may come out another way
RUN_TURNS: Final = {1: 4.0, 2: 2.5}  # turns to a run of three, where one is needed, by the longest run that is there


def evaluate_state(state: RackoStateBase) -> Sequence[float]:
    """Return by seat the expected total of its side after the round.

    The chance to complete a rack first falls with the turns that it still needs.
    """
    options, zones, sides = state.options, state.table.zones, state.sides
    racks = [zones[rack] for rack in state.board.racks]
    below = _weights_below(racks, zones[state.board.discard], options.deck_size or 0)
    turns = [turns_left(rack, below) for rack in racks]
    if options.min_run:
        turns = [left + RUN_TURNS.get(longest_run(rack), 0.0) for rack, left in zip(racks, turns, strict=True)]
    paces = [exp(-TURN_ADVANTAGE * left) for left in turns]
    whole = sum(paces)
    bonuses = [RUN_CHANCE * run_bonus(rack) for rack in racks] if options.bonus_runs else [0.0] * len(racks)
    points = [
        INCOMPLETE_POINTS + (RACKO_POINTS - INCOMPLETE_POINTS + bonus) * pace / whole
        for bonus, pace in zip(bonuses, paces, strict=True)
    ]
    if not options.partners:
        return [total + more for total, more in zip(state.totals, points, strict=True)]
    totals = [total + sum([points[seat] for seat in side]) for total, side in zip(state.totals, sides, strict=True)]
    return spread_over_sides(totals, sides)


def turns_left(rack: Sequence[int], below: Sequence[float]) -> float:
    """Return the fewest turns that complete a rack; its cards are those of the table, from 0."""
    size = len(below) - 1
    return least_turns([0, *[card + 1 for card in rack], size + 1], below, PACE * below[-1])[-1]


def _weights_below(racks: Sequence[Sequence[int]], discards: Sequence[int], size: int) -> list[float]:
    """Return by printed number the weight of all cards up to it that may still come."""
    counts = [UNSEEN_WEIGHT] * size
    for card in discards:
        counts[card] = DISCARD_WEIGHT
    for rack in racks:
        for card in rack:
            counts[card] = RACK_WEIGHT
    return [*accumulate(counts, initial=0.0)]
