"""Evaluation of playouts by seat: from places, points and sides, in any game.

A game that is over counts its places and its points; where all seats are one side (cooperation), its points alone. A
playout that is cut short counts points alone: the expected points by the game's own `evaluate`, if it has one, else the
points on the table, if its `outcome` can be computed before the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

from pitboss import AnyState, Outcome, Sides
from pitboss.game import Evaluable, outcome_so_far

SeatValues: TypeAlias = list[float]  # by seat: 0 is the worst, 1 the best

EVEN_VALUE: Final = 0.5
SCALE_SAMPLE: Final = 16  # play-outs from which the scale of points is taken
SCALE_MARGIN: Final = 1.2  # the scale is so much wider than what they show


class GainEvaluator:
    """Converts the end of a playout to gained points by seat, comparable within one search."""

    def __init__(self, state: AnyState, sides: Sides) -> None:
        """`sides` are those of the game."""
        self.can_evaluate: Final = isinstance(state, Evaluable)
        # can it value a game that is not over?
        self.can_stop: Final = self.can_evaluate or outcome_so_far(state) is not None
        self.sides: Final = sides
        self._is_cooperative: Final = len(sides) == 1

    def points_before(self, state: AnyState) -> Sequence[float] | None:
        """Return the points at the start of a playout, None if they are unknown.

        They are the baseline (control variate): subtracting it removes the luck of the sampled cards.
        """
        if self.can_evaluate:
            return self.leads(state)
        return _scored_leads(state) or ([0.0] * state.table.layout.seats if self._is_cooperative else None)

    def leads(self, state: AnyState) -> SeatValues:
        """Return by how many points each seat is ahead of the others, as the game judges it."""
        points: Sequence[float] = state.evaluate()  # type: ignore[attr-defined]
        return leads_over_others(points, self.sides)

    def gains(self, state: AnyState, before: Sequence[float] | None, is_dealt: bool) -> SeatValues | None:
        """Return the points that each seat has gained on the others in a playout, None if they are unknown.

        The cards of a new deal tell nothing about the old one: then only points that have been scored count.
        """
        if before is None:
            return None
        if self._is_cooperative and state.turn is None:
            after: SeatValues | None = list(state.outcome().points)
        else:
            is_scored = is_dealt or state.turn is None or not self.can_evaluate
            after = _scored_leads(state) if is_scored else None
        after = after or self.leads(state)
        return [now - then for now, then in zip(after, before, strict=True)]


class GainScale:
    """Maps gained points to 0..1, with the range of the first playouts."""

    def __init__(self, sample: Sequence[SeatValues | None]) -> None:
        gains = [gain for gain in sample if gain is not None]
        self._mean = [sum(column) / len(gains) for column in zip(*gains, strict=True)]
        widest = max(
            (abs(gain - mean) for row in gains for gain, mean in zip(row, self._mean, strict=True)), default=0.0
        )
        self._half = 2 * SCALE_MARGIN * widest or 1.0

    def values(self, gained: SeatValues | None, outcome: Outcome | None) -> SeatValues | None:
        """Return by seat the value of a playout, 0 to 1.

        In a game that is over (it has an outcome) the places count as much as the points, unless all play together.
        """
        points: SeatValues | None = None
        if gained:
            half = self._half
            scaled = [EVEN_VALUE + (gain - mean) / half for gain, mean in zip(gained, self._mean, strict=True)]
            points = [0.0 if value < 0.0 else 1.0 if value > 1.0 else value for value in scaled]
        if outcome is None or (points and len(outcome.sides) == 1):
            return points
        beaten = shares_beaten(outcome)
        return [(one + two) / 2 for one, two in zip(points, beaten, strict=True)] if points else beaten


def leads_over_others(points: Sequence[float], sides: Sequence[Sequence[int]]) -> SeatValues:
    """Return by how much each seat's side is ahead of the mean of the others; of a single side its points."""
    rest = len(sides) - 1 or 1
    if len(sides) == len(points):  # each seat plays for itself
        whole = sum(points)
        return [total - (whole - total) / rest for total in points]
    totals = [sum([points[seat] for seat in side]) / len(side) for side in sides]
    whole = sum(totals)
    ahead = [0.0] * len(points)
    for side, total in zip(sides, totals, strict=True):
        for seat in side:
            ahead[seat] = total - (whole - total) / rest
    return ahead


def shares_beaten(outcome: Outcome) -> SeatValues:
    """Return for each seat which share of the other sides it is placed before, ties half."""
    ranks = [outcome.places[side[0]] for side in outcome.sides]
    others = max(1, len(ranks) - 1)
    return [
        (sum(rank > place for rank in ranks) + (ranks.count(place) - 1) / 2) / others if len(ranks) > 1 else EVEN_VALUE
        for place in outcome.places
    ]


def _scored_leads(state: AnyState) -> SeatValues | None:
    outcome = outcome_so_far(state)
    return leads_over_others(outcome.signed_points(), outcome.sides) if outcome else None
