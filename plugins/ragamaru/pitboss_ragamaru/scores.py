"""Scores: section 3 of the rule book. A *unit* is a player, or a team (D36)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pitboss import Outcome, competition_places
from pitboss.outcome import spread_over_sides
from pitboss_ragamaru.options import RagamaruOptions

WINNER: Final = -1  # stands for the winner's cards left: fewer than any loser's


def outcome_of(left: Sequence[int], sides: tuple[tuple[int, ...], ...], options: RagamaruOptions) -> Outcome:
    """D35, D36: units are ranked by their cards left, the winner's first; every member has the unit's score."""
    units = [WINNER if any(left[seat] == 0 for seat in side) else sum(left[seat] for seat in side) for side in sides]
    ranks, scores = competition_places(units, lowest_wins=True), _unit_scores(units, left, options)
    return Outcome(points=spread_over_sides(scores, sides), places=spread_over_sides(ranks, sides), sides=sides)


def _unit_scores(units: Sequence[int], left: Sequence[int], options: RagamaruOptions) -> list[float]:
    """Return the score of each unit; with `win` and `margin` every unit is one player."""
    match options.scoring:
        case "win":
            first = min(units)
            return [1 / units.count(first) if unit == first else 0.0 for unit in units]
        case "margin":
            return [(sum(left) - len(left) * own) / (len(left) - 1) for own in left]
        case _:
            return [sum((other > unit) + (other == unit) / 2 for other in units) - 0.5 for unit in units]
