"""Evaluation of a Rack-O state for search players: expected total by seat, a fast heuristic."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import accumulate
from math import exp
from typing import Final, NamedTuple

from pitboss.outcome import spread_over_sides
from pitboss_racko.rack import (
    DISCARD_WEIGHT,
    PACE,
    RACK_WEIGHT,
    RACKO_POINTS,
    UNSEEN_WEIGHT,
    RackFilling,
    least_turns,
    longest_run,
    points,
    run_bonus,
)
from pitboss_racko.state import RackoStateBase

INCOMPLETE_POINTS: Final = 20.0  # points of a rack that is not complete when the round ends, on average
TURN_ADVANTAGE: Final = 0.25  # a turn ahead multiplies the chance to be first by e to this power
RUN_CHANCE: Final = 0.5  # of the bonus of the run that is there, as the rack may come out another way
RUN_TURNS: Final = {1: 4.0, 2: 2.5}  # turns to a run of three, where one is needed, by the longest run that is there


class RackProspect(NamedTuple):
    """How far a rack is: the turns that complete it, and the bonus of the run that is in it."""

    turns: float
    bonus: int


def evaluate_state(state: RackoStateBase) -> Sequence[float]:
    """Return by seat the expected total of its side after the round.

    The chance to complete a rack first falls with the turns that it still needs.
    """
    racks = _list_racks(state)
    below = _weights_below(state, racks)
    return _expect_totals(state, [_judge_rack(state, rack, _turns_left(rack, below)) for rack in racks])


def evaluate_draws(state: RackoStateBase, cards: Sequence[int]) -> Sequence[Sequence[float]] | None:
    """Return by card and seat the expected totals if that card was drawn and is placed as well as it can be.

    A card that completes the rack ends the round. None: no card has just been drawn.
    """
    if state.turn is None or state.turn.phase != "place":
        return None
    seat, racks = state.turn.seat, _list_racks(state)
    below = _weights_below(state, racks)
    filling = RackFilling([card + 1 for card in racks[seat]], below, PACE * below[-1], len(below) - 1)
    turns_left = [filling.turns if at == seat else _turns_left(rack, below) for at, rack in enumerate(racks)]
    prospects = [_judge_rack(state, rack, left) for rack, left in zip(racks, turns_left, strict=True)]

    @cache  # most cards help nowhere
    def expect_totals_with(prospect: RackProspect) -> Sequence[float]:
        if not prospect.turns:
            return _add_points(
                state,
                [RACKO_POINTS + prospect.bonus if at == seat else points(rack) for at, rack in enumerate(racks)],
            )
        return _expect_totals(state, [*prospects[:seat], prospect, *prospects[seat + 1 :]])

    def lead_with(prospect: RackProspect) -> float:
        totals = expect_totals_with(prospect)
        return totals[seat] - sum(totals) / len(totals)

    slots = filling.find_slots([card + 1 for card in cards])
    values = []
    for card, (turns, slot) in zip(cards, slots, strict=True):
        best = _judge_rack(state, _place_card(racks[seat], card, slot), turns) if slot else prospects[seat]
        ways = [best, *_list_runs(state, filling, racks[seat], card)]
        values.append(expect_totals_with(max(ways, key=lead_with) if len(ways) > 1 else best))
    return values


def _list_runs(state: RackoStateBase, filling: RackFilling, rack: Sequence[int], card: int) -> Iterator[RackProspect]:
    """Yield what becomes of a rack, where runs count, if a card is put beside the next lower or higher one."""
    if state.options.min_run or state.options.bonus_runs:
        for slot in range(1, len(rack) + 1):
            if card - 1 in rack[slot - 2 : slot - 1] or card + 1 in rack[slot : slot + 1]:
                yield _judge_rack(state, _place_card(rack, card, slot), filling.turns_with(card + 1, slot))


def _place_card(rack: Sequence[int], card: int, slot: int) -> list[int]:
    """Return a rack with a card in a slot, counted from 1."""
    return [*rack[: slot - 1], card, *rack[slot:]]


def _turns_left(rack: Sequence[int], below: Sequence[float]) -> float:
    """Return the fewest turns that complete a rack if no run is needed."""
    size = len(below) - 1
    return least_turns([0, *[card + 1 for card in rack], size + 1], below, PACE * below[-1])[-1]


def _judge_rack(state: RackoStateBase, rack: Sequence[int], turns: float) -> RackProspect:
    """Return the prospect of a rack that needs so many turns if no run is needed."""
    options = state.options
    if options.min_run:
        turns += RUN_TURNS.get(longest_run(rack), 0.0)
    return RackProspect(turns, run_bonus(rack) if options.bonus_runs else 0)


def _expect_totals(state: RackoStateBase, prospects: Sequence[RackProspect]) -> Sequence[float]:
    """Return by seat the expected total of its side after the round."""
    paces = [exp(-TURN_ADVANTAGE * turns) for turns, _ in prospects]
    whole = sum(paces)
    won = RACKO_POINTS - INCOMPLETE_POINTS
    return _add_points(
        state,
        [
            INCOMPLETE_POINTS + (won + RUN_CHANCE * bonus) * pace / whole
            for (_, bonus), pace in zip(prospects, paces, strict=True)
        ],
    )


def _add_points(state: RackoStateBase, scored: Sequence[float]) -> Sequence[float]:
    """Return by seat the total of its side with the points of the round."""
    sides = state.sides
    if not state.options.partners:
        return [total + more for total, more in zip(state.totals, scored, strict=True)]
    totals = [total + sum([scored[seat] for seat in side]) for total, side in zip(state.totals, sides, strict=True)]
    return spread_over_sides(totals, sides)


def _list_racks(state: RackoStateBase) -> list[list[int]]:
    """Return by seat the cards of its rack, numbered as on the table, from 0."""
    zones = state.table.zones
    return [zones[rack] for rack in state.board.racks]


def _weights_below(state: RackoStateBase, racks: Sequence[Sequence[int]]) -> list[float]:
    """Return by printed number, from 0 on, the weight of all cards up to it that may still come."""
    counts = [UNSEEN_WEIGHT] * (state.options.deck_size or 0)
    for card in state.table.zones[state.board.discard]:
        counts[card] = DISCARD_WEIGHT
    for rack in racks:
        for card in rack:
            counts[card] = RACK_WEIGHT
    return [*accumulate(counts, initial=0.0)]
