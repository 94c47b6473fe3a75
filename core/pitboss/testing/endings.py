"""Endings: every game ends, and its outcome makes sense."""

# ruff: noqa: D401 - the docstring of a check is what a game promises

from __future__ import annotations

import math
from typing import Final

from pitboss.testing.course import Course, Player, first, last, neutral, played
from pitboss.testing.examiner import Broken
from pitboss.testing.moment import Moment
from pitboss.testing.settings import Setting


def games_are_played_without_error(course: Course) -> None:
    """Playing legal actions never raises."""
    if course.error is not None:
        raise Broken(course.error)


def games_end(course: Course) -> str | None:
    """Every game that is played at random ends."""
    if course.error is not None:
        return "a game was broken off by an error"
    _expect_end(course)
    return None


def games_end_if_nobody_answers(setting: Setting) -> None:
    """Every game in which all seats play the neutral action ends."""
    _expect_end(_course(setting, "by neutral actions", neutral))


def games_end_if_all_choose_the_first(setting: Setting) -> None:
    """Every game between bots that answer `"choose": 0`, the smallest correct ones, ends."""
    _expect_end(_course(setting, "by first actions", first))


def games_end_if_all_choose_the_last(setting: Setting) -> None:
    """Every game between bots that choose the last legal action ends."""
    _expect_end(_course(setting, "by last actions", last))


def outcome_counts_every_seat(moment: Moment) -> None:
    """An outcome has a place and finite points for every seat."""
    outcome, seats = moment.state.outcome(), moment.setting.seats
    if len(outcome.points) != seats or len(outcome.places) != seats:
        raise Broken(f"{outcome!r} has {len(outcome.points)} points and {len(outcome.places)} places for {seats} seats")
    if not all(math.isfinite(points) for points in outcome.points):
        raise Broken(f"the points are {outcome.points!r}; expected finite numbers")


def sides_share_out_the_seats(moment: Moment) -> None:
    """Every seat belongs to exactly one side, and the seats of a side have the same place."""
    outcome, seats = moment.state.outcome(), moment.setting.seats
    members = sorted(seat for side in outcome.sides for seat in side)
    if members != list(range(seats)) or not all(outcome.sides):
        raise Broken(f"the sides are {outcome.sides!r}; expected each of the seats 0..{seats - 1} once")
    for side in outcome.sides:
        if len({outcome.places[seat] for seat in side}) > 1:
            raise Broken(f"the seats {side!r} of one side have places {[outcome.places[seat] for seat in side]!r}")


def places_are_shared_fairly(moment: Moment) -> None:
    """Places are 1 and one more for every side that is better ("1224")."""
    outcome = moment.state.outcome()
    by_side = [outcome.places[side[0]] for side in outcome.sides if side]
    fair = [1 + sum(other < place for other in by_side) for place in by_side]
    if by_side != fair:
        raise Broken(f"the sides {outcome.sides!r} have places {by_side!r}; expected {fair!r}")


def _course(setting: Setting, style: str, player: Player) -> Course:
    return played(setting, setting.seed, style, player)


def _expect_end(course: Course) -> None:
    if course.error is not None:
        raise Broken(f"{course.style}: {course.error}; seed {course.seed!r}")
    if course.outcome is None:
        raise Broken(f"{course.style}: after {len(course)} decisions the game is not over; seed {course.seed!r}")


OF_A_COURSE: Final = (
    games_are_played_without_error,
    games_end,
)
OF_A_SETTING: Final = (
    games_end_if_nobody_answers,
    games_end_if_all_choose_the_first,
    games_end_if_all_choose_the_last,
)
OF_AN_END: Final = (
    outcome_counts_every_seat,
    sides_share_out_the_seats,
    places_are_shared_fairly,
)
