"""Prospects: what a game says before the end of how everybody stands, for players who look ahead."""

from __future__ import annotations

from math import isfinite
from typing import Final

from pitboss.game import Evaluable
from pitboss.testing.framework.check_runner import CheckFailed
from pitboss.testing.framework.decision_point import DecisionPoint
from pitboss.testing.framework.snapshot import describe_difference, take_snapshot

NOT_EVALUATED: Final = "the game says nothing of how everybody stands"


def prospects_are_points(point: DecisionPoint) -> str | None:
    """At every moment the prospects are a finite number for each seat, the same for partners."""
    if not isinstance(point.state, Evaluable):
        return NOT_EVALUATED
    points = list(point.state.copy().evaluate())
    if len(points) != point.setup.seats or not all(isinstance(one, int | float) and isfinite(one) for one in points):
        raise CheckFailed(f"evaluate() is {points!r}; expected a finite number for each of {point.setup.seats} seats")
    for side in point.played_game.outcome.sides if point.played_game.outcome else ():
        if len({points[seat] for seat in side}) > 1:
            raise CheckFailed(f"evaluate() is {points!r}; expected the same for the partners in seats {list(side)}")
    return None


def prospects_change_nothing(point: DecisionPoint) -> str | None:
    """Asking for the prospects changes nothing."""
    if not isinstance(point.state, Evaluable):
        return NOT_EVALUATED
    before = take_snapshot(point.state)
    point.state.evaluate()
    changed = describe_difference(before, take_snapshot(point.state))
    if changed:
        raise CheckFailed(f"evaluate() changed {changed}")
    return None


def prospects_can_be_asked_in_worlds(point: DecisionPoint) -> str | None:
    """Imagined worlds can be asked for their prospects."""
    if not isinstance(point.state, Evaluable):
        return NOT_EVALUATED
    for seat, world in point.worlds:
        points = list(world.evaluate())  # type: ignore[attr-defined]
        if len(points) != point.setup.seats:
            raise CheckFailed(
                f"evaluate() in a world of seat {seat} is {points!r}; expected {point.setup.seats} numbers"
            )
    return None


DECISION_CHECKS: Final = (prospects_are_points,)
POINT_CHECKS: Final = (prospects_change_nothing, prospects_can_be_asked_in_worlds)
END_CHECKS: Final = (prospects_are_points, prospects_change_nothing)
