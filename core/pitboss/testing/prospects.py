"""Prospects: what a game says before the end of how everybody stands, for players who look ahead."""

from __future__ import annotations

from math import isfinite
from typing import Final

from pitboss.game import Judged
from pitboss.testing.examiner import Broken
from pitboss.testing.moment import Moment
from pitboss.testing.standing import difference, standing

SILENT: Final = "the game says nothing of how everybody stands"


def prospects_are_points(moment: Moment) -> str | None:
    """At every moment the prospects are a finite number for each seat, the same for partners."""
    if not isinstance(moment.state, Judged):
        return SILENT
    points = list(moment.state.copy().prospects())
    if len(points) != moment.setting.seats or not all(isinstance(one, int | float) and isfinite(one) for one in points):
        raise Broken(f"prospects() is {points!r}; expected a finite number for each of {moment.setting.seats} seats")
    for side in moment.course.outcome.sides if moment.course.outcome else ():
        if len({points[seat] for seat in side}) > 1:
            raise Broken(f"prospects() is {points!r}; expected the same for the partners in seats {list(side)}")
    return None


def prospects_change_nothing(moment: Moment) -> str | None:
    """Asking for the prospects changes nothing."""
    if not isinstance(moment.state, Judged):
        return SILENT
    before = standing(moment.state)
    moment.state.prospects()
    changed = difference(before, standing(moment.state))
    if changed:
        raise Broken(f"prospects() changed {changed}")
    return None


def prospects_can_be_asked_in_worlds(moment: Moment) -> str | None:
    """Imagined worlds can be asked for their prospects."""
    if not isinstance(moment.state, Judged):
        return SILENT
    for seat, world in moment.worlds:
        points = list(world.prospects())  # type: ignore[attr-defined]
        if len(points) != moment.setting.seats:
            raise Broken(f"prospects() in a world of seat {seat} is {points!r}; expected {moment.setting.seats} numbers")
    return None


OF_A_DECISION: Final = (prospects_are_points,)
OF_A_MOMENT: Final = (prospects_change_nothing, prospects_can_be_asked_in_worlds)
OF_AN_END: Final = (prospects_are_points, prospects_change_nothing)
